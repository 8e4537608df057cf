import { expect, test } from 'vitest'
import type { HistoryEntry } from '#domain/activations/history/history-groups.ts'
import { hostTimeline } from '#domain/activations/history/host-timeline.ts'

const BASE = Date.parse('2026-11-12T09:00:00.000Z')
const at = (seconds: number) => new Date(BASE + seconds * 1000)
const ADA = 'ada@aerodyne.example'
const entry = (
  seconds: number,
  activationId: string,
  count: number,
  other: Partial<HistoryEntry> = {},
): HistoryEntry => ({
  time: at(seconds),
  modifiedBy: ADA,
  action: 'EDIT',
  activationId,
  product: `Product ${activationId}`,
  count,
  startDate: '2026-01-01',
  endDate: '2026-12-31',
  ...other,
})

test('a save is one event for what was returned and one for what was activated', () => {
  const events = hostTimeline([entry(0, 'a', -2), entry(1, 'b', 3), entry(2, 'c', 4), entry(2, 'b', 1)], [], [])
  expect(events).toMatchObject([
    { kind: 'ACTIVATED', time: at(1), by: ADA, seats: 8, entitlements: 2 },
    { kind: 'RETURNED', time: at(0), by: ADA, seats: 2, entitlements: 1 },
  ])
})

test.each([
  ['EDIT', 1, 'ACTIVATED'],
  ['EDIT', -1, 'RETURNED'],
  ['REHOST', 1, 'REHOSTED_HERE'],
  ['REHOST', -1, 'REHOSTED_AWAY'],
  ['DEACTIVATE', -1, 'DEACTIVATED'],
] as const)('%s of %i seats is called %s', (action, count, kind) => {
  expect(hostTimeline([entry(0, 'a', count, { action })], [], [])).toMatchObject([{ kind }])
})

test('a forced return differs from a deactivation and has its reason', () => {
  const action = 'DEACTIVATE'
  const entries = [entry(0, 'a', -1, { action }), entry(5, 'b', -4, { action, reason: 'Stolen' })]
  expect(hostTimeline(entries, [], [])).toMatchObject([
    { kind: 'FORCED_RETURN', seats: 4, entitlements: 1, reason: 'Stolen' },
    { kind: 'DEACTIVATED', seats: 1, reason: null },
  ])
})

test('two people in the same minute are two events', () => {
  const entries = [entry(0, 'a', 1), entry(5, 'a', 1, { modifiedBy: 'cora@aerodyne.example' })]
  expect(hostTimeline(entries, [], []).map(({ by }) => by)).toEqual(['cora@aerodyne.example', ADA])
})

test('at the same instant the email comes after the file, and the file after the seats', () => {
  const file = { time: at(0), by: ADA, fileId: 'f1' }
  const events = hostTimeline([entry(0, 'a', 1), entry(90, 'a', 1)], [file], [{ ...file, recipients: ['x@y.example'] }])
  expect(events.map(({ kind }) => kind)).toEqual(['ACTIVATED', 'MAILED', 'GENERATED', 'ACTIVATED'])
  expect(events[1]).toMatchObject({ fileId: 'f1', recipients: ['x@y.example'], seats: null })
})
