import { expect, it, test } from 'vitest'
import {
  canBeSessionOf,
  closeSession,
  customerOfSession,
  formatSessionId,
  oldestHeartbeat,
  SESSION_ID_PATTERN,
} from '#domain/elastic/sessions/session-life.ts'

const HEARTBEAT = new Date('2026-10-10T08:00:00.000Z')
const later = (minutes: number, milliseconds = 0) => new Date(HEARTBEAT.getTime() + minutes * 60_000 + milliseconds)

it.each([
  ['at once', later(0), later(0), 'Completed'],
  ['when it is ended', later(14, 59_999), later(14, 59_999), 'Completed'],
  ['15 minutes after its last heartbeat', later(15), later(15), 'Timed out'],
  ['no later, however late that is noticed', later(600), later(15), 'Timed out'],
])('a session ends %s', (_name, now, endedAt, status) => {
  expect(closeSession(HEARTBEAT, now)).toEqual({ endedAt, status })
  expect(HEARTBEAT <= oldestHeartbeat(now)).toBe(status === 'Timed out')
})

test('a session id tells its account', () => {
  const id = formatSessionId('100-A1', 'e1b2c3d4')
  expect(id).toMatch(new RegExp(SESSION_ID_PATTERN))
  expect(customerOfSession(id)).toBe('100-A1')
  expect(canBeSessionOf('100-A1', id)).toBe(true)
  expect(canBeSessionOf('100-A', id)).toBe(false)
})
