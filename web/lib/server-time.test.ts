import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteServerTime, serverTime } from '#web/lib/server-time.ts'

const NOW = new Date('2026-11-16T22:30:00.500Z')

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
})
afterEach(() => {
  noteServerTime(NOW.toUTCString())
  vi.useRealTimers()
})

test.each([
  ['the same second', 'Mon, 16 Nov 2026 22:30:00 GMT', '2026-11-16T22:30:00.500Z'],
  ['an answer that took 59 seconds', 'Mon, 16 Nov 2026 22:29:01 GMT', '2026-11-16T22:30:00.500Z'],
  ['a machine that is two hours behind', 'Tue, 17 Nov 2026 00:30:00 GMT', '2026-11-17T00:30:00.000Z'],
  ['a machine that is a day ahead', 'Sun, 15 Nov 2026 22:30:00 GMT', '2026-11-15T22:30:00.000Z'],
  ['no header, as from another origin', null, '2026-11-16T22:30:00.500Z'],
  ['a header that is no time', 'soon', '2026-11-16T22:30:00.500Z'],
])('after %s the time is $2', (_, header, time) => {
  noteServerTime(header)
  expect(serverTime().toISOString()).toBe(time)
})

test('the time goes on from what the server said', () => {
  noteServerTime('Tue, 17 Nov 2026 00:30:00 GMT')
  vi.advanceTimersByTime(90_000)
  expect(serverTime().toISOString()).toBe('2026-11-17T00:31:30.000Z')
})

test('a clock that was set right is trusted again', () => {
  noteServerTime('Tue, 17 Nov 2026 00:30:00 GMT')
  noteServerTime(NOW.toUTCString())
  expect(serverTime()).toEqual(NOW)
})
