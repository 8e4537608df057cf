import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type HistoryEntry, historyGroups } from '#domain/activations/history/history-groups.ts'

const BASE = Date.parse('2026-11-12T09:00:00.000Z')
const entry = (
  seconds: number,
  activationId: string,
  count: number,
  other: Partial<HistoryEntry> = {},
): HistoryEntry => ({
  time: new Date(BASE + seconds * 1000),
  modifiedBy: 'ada@aerodyne.example',
  action: 'EDIT',
  activationId,
  product: `Product ${activationId}`,
  count,
  startDate: '2026-01-01',
  endDate: '2026-12-31',
  ...other,
})
const counts = (entries: readonly HistoryEntry[]) =>
  historyGroups(entries).map(({ rows }) =>
    Object.fromEntries(rows.map(({ activationId, count }) => [activationId, count])),
  )

test.each([
  ['29 seconds apart', [0, 29], 1],
  ['30 seconds apart', [0, 30], 1],
  ['just over 30 seconds apart', [0, 30.001], 2],
  ['in a chain of short gaps', [0, 29, 58, 87, 116], 1],
  ['in a chain with one long gap', [0, 29, 60, 89], 2],
  ['in reverse order', [89, 60, 29, 0], 2],
  ['at the same moment', [0, 0, 0], 1],
])('entries %s form $2 groups', (_, seconds, groups) => {
  expect(historyGroups(seconds.map((second) => entry(second, 'a', 1))).length).toBe(groups)
})

test('the newest group comes first, and counts of an entitlement are summed within a group', () => {
  const entries = [entry(0, 'a', 5), entry(1, 'b', 2), entry(2, 'a', -3), entry(100, 'a', 1), entry(101, 'a', -1)]
  expect(counts(entries)).toEqual([{ a: 0 }, { a: 2, b: 2 }])
})

test('a group names each person and action once, and starts at its first entry', () => {
  const [group] = historyGroups([
    entry(10, 'b', -1, { action: 'REHOST', modifiedBy: 'cora@aerodyne.example' }),
    entry(0, 'a', 1),
    entry(12, 'c', -1, { action: 'REHOST' }),
  ])
  expect(group).toMatchObject({
    time: new Date(BASE),
    modifiedBy: ['ada@aerodyne.example', 'cora@aerodyne.example'],
    actions: ['EDIT', 'REHOST'],
  })
})

test('what one person did is not added to what another did, nor one action to another', () => {
  const olivia = { modifiedBy: 'olivia@aerodyne.example', action: 'DEACTIVATE' } as const
  const entries = [
    entry(0, 'a', 2),
    entry(1, 'a', -1),
    entry(2, 'a', -4, olivia),
    entry(3, 'a', 3, { action: 'REHOST' }),
  ]
  expect(historyGroups(entries)[0]?.rows).toMatchObject([
    { modifiedBy: 'ada@aerodyne.example', action: 'EDIT', count: 1 },
    { ...olivia, count: -4 },
    { modifiedBy: 'ada@aerodyne.example', action: 'REHOST', count: 3 },
  ])
})

test('an entry without a person is shown as automatic', () => {
  const rows = historyGroups([
    entry(0, 'a', 1, { modifiedBy: null, action: null }),
    entry(1, 'b', 1, { modifiedBy: '' }),
  ])
  expect(rows[0]?.rows).toMatchObject([
    { modifiedBy: 'Automated Action', action: 'EDIT' },
    { modifiedBy: 'Automated Action', action: 'EDIT' },
  ])
  expect(historyGroups([])).toEqual([])
})

test('a filter leaves out rows without a match, and keeps the whole counts of the others', () => {
  const entries = [
    entry(0, 'a', 5),
    entry(1, 'b', 2, { isFound: false }),
    entry(2, 'a', -3, { isFound: false }),
    entry(100, 'b', 1, { isFound: false }),
  ]
  expect(counts(entries)).toEqual([{ a: 2 }])
})

test('no seat is lost or counted twice by grouping', () => {
  const entries = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 300 }), fc.constantFrom('a', 'b', 'c'), fc.integer({ min: -9, max: 9 })),
  )
  fc.assert(
    fc.property(entries, (drawn) => {
      const groups = historyGroups(drawn.map(([second, id, count]) => entry(second, id, count)))
      for (const id of ['a', 'b', 'c']) {
        const rows = groups.flatMap((group) => group.rows.filter((row) => row.activationId === id))
        const total = drawn.filter(([, other]) => other === id).reduce((sum, [, , count]) => sum + count, 0)
        expect(rows.reduce((sum, row) => sum + row.count, 0)).toBe(total)
      }
    }),
  )
})
