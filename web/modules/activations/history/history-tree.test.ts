import { expect, test } from 'vitest'
import { treeRows } from '#web/modules/activations/history/history-tree.tsx'
import { eventText } from '#web/modules/activations/history/host-timeline.tsx'

const entry = (activationid: string, count: number) => ({
  time: '2026-11-12T09:00:00.000Z',
  modifiedby: 'ada@aerodyne.example',
  action: 'EDIT',
  ansysproduct: `Product ${activationid}`,
  activationid,
  count,
  startdate: '2026-01-01',
  enddate: '2026-12-31',
})
const group = (...rows: ReturnType<typeof entry>[]) => ({
  time: '2026-11-12T09:00:00.000Z',
  modifiedby: ['ada@aerodyne.example', 'cora@aerodyne.example'],
  action: ['EDIT', 'REHOST'],
  rows,
})

test('a group is one row with its entitlements below it; a single entitlement stands for itself', () => {
  const groups = [group(entry('a', 3), entry('b', -1)), group(entry('a', 2))]
  const rows = treeRows({ hostId: '3cecef4b7d10', hostIdType: 'ETHERNET', groups, isComplete: true }, 'v1')
  expect(rows).toMatchObject([
    {
      modifiedby: 'ada@aerodyne.example, cora@aerodyne.example',
      action: 'Changed, Rehosted',
      entitlement: '2 entitlements',
      count: 2,
      children: [{ entitlement: 'Product a a', count: 3 }, { count: -1 }],
    },
    { entitlement: 'Product a a', count: 2, children: [] },
  ])
  const ids = rows.flatMap((row) => [row.id, ...row.children.map(({ id }) => id)])
  expect(new Set(ids).size).toBe(ids.length)
})

test('two people with the same entitlement are two rows of one entitlement', () => {
  const groups = [group(entry('a', 3), { ...entry('a', -1), modifiedby: 'cora@aerodyne.example' })]
  const [row] = treeRows({ hostId: '3cecef4b7d10', hostIdType: 'ETHERNET', groups, isComplete: true }, 'v1')
  expect(row).toMatchObject({ entitlement: '1 entitlement', count: 2 })
  expect(new Set(row?.children.map(({ id }) => id)).size).toBe(2)
})

test.each([
  ['ACTIVATED', 1, 1, 'Activated 1 seat of 1 entitlement'],
  ['RETURNED', 5, 2, 'Returned 5 seats of 2 entitlements'],
  ['REHOSTED_AWAY', 2, 1, 'Rehosted to another license server: 2 seats of 1 entitlement'],
] as const)('the timeline says of %s: %i seats of %i entitlements', (kind, seats, entitlements, text) => {
  const event = {
    kind,
    seats,
    entitlements,
    time: '',
    by: '',
    otherHost: null,
    reason: null,
    fileId: null,
    recipients: [],
  }
  expect(eventText(event)).toBe(text)
})

test('the timeline says who forced a return, and why', () => {
  const by = 'olivia.ops@vendor.example'
  const of = { seats: 4, entitlements: 2, time: '', otherHost: null, fileId: null, recipients: [] }
  expect(eventText({ kind: 'FORCED_RETURN', by, reason: 'The server was stolen.', ...of })).toBe(
    'Forced return by olivia.ops@vendor.example: The server was stolen. (4 seats of 2 entitlements)',
  )
})
