import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  activeEntitlementList,
  entitlementList,
  inactiveEntitlementList,
} from '#contract/entitlements/entitlement-list.ts'
import { LEASE_COLUMNS, leaseFilter, type TypedFilter } from '#contract/entitlements/lease-filter.ts'
import { type LeaseRow, leaseRow } from '#contract/entitlements/lease-row.ts'
import { LEASE_DEFAULT_SORT, leaseSorting } from '#contract/entitlements/lease-sorting.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { addDays, dayIn, startOfDay } from '#domain/calendar/calendar-day.ts'
import type { LeaseEntitlement } from '#domain/entitlements/entitlement-row.ts'
import { compareBy } from '#domain/filter/compare-rows.ts'
import { matches } from '#domain/filter/evaluate-filter.ts'
import { parseFilter } from '#domain/filter/parse-filter.ts'
import { completeOrder, parseSorting } from '#domain/filter/parse-sorting.ts'
import { callOperation, type Portal, signIn, startPortal } from '#server/testing/portal.ts'

const ADA = 'ada.admin@aerodyne.example'
const SOL = 'sol.single@bluewater.example'
const GRIDS = [
  ['active', activeEntitlementList.page, activeEntitlementList.count],
  ['inactive', inactiveEntitlementList.page, inactiveEntitlementList.count],
] as const

let portal: Portal
let today: string
beforeAll(async () => {
  portal = await startPortal()
  today = dayIn('Europe/Berlin', portal.clock.now())
})
afterAll(() => portal.close())

async function fetched(operation: Operation, more: object = {}): Promise<LeaseEntitlement[]> {
  const ada = await portal.as(ADA)
  const body = { customerNumber: '100001', type: 'SSL', state: 'Deployed', limit: 1000, ...more }
  const answer = await ada(operation, { body })
  expect(answer.status, JSON.stringify(answer.body.err)).toBe(200)
  return answer.body.data as LeaseEntitlement[]
}

type Cell = (row: LeaseRow) => string
const CELLS: Readonly<Record<TypedFilter['column'], readonly Cell[]>> = {
  ansysproduct: [(row) => row.ansysproduct, (row) => row.activationid],
  ansyslicensemodel: [(row) => row.ansyslicensemodel],
  ansyscount: [(row) => String(row.ansyscount)],
  startdate: [(row) => row.startdate],
  enddate: [(row) => row.enddate],
  remainingdays: [(row) => String(row.remainingdays)],
}

/** The expected result for a person who sees only the cells. */
function shows(row: LeaseRow, { column, method, text }: TypedFilter): boolean {
  const looked = text.toLowerCase()
  return CELLS[column].some((cell) => {
    const shown = cell(row).toLowerCase()
    const isWhole = method === 'EQUALS' || (column === 'remainingdays' && /^\d+$/.test(looked))
    return isWhole ? shown === looked : shown.includes(looked)
  })
}

describe.each(GRIDS)('the %s grid', (_name, fetch, count) => {
  const filters = (rows: readonly LeaseEntitlement[]): TypedFilter[] => {
    const some = rows.slice(0, 3).map((row) => leaseRow(row, today))
    const cells = some.flatMap((row) =>
      LEASE_COLUMNS.flatMap((column) =>
        CELLS[column].map((cell) => ({ column, method: 'EQUALS' as const, text: cell(row) })),
      ),
    )
    const contains = (column: TypedFilter['column'], text: string) => ({ column, method: 'CONTAINS' as const, text })
    return [
      ...cells,
      contains('ansysproduct', 'fluid'),
      contains('ansysproduct', '<SCRIPT>'),
      contains('ansysproduct', 'ÉLASTIC'),
      contains('ansysproduct', '%'),
      contains('ansysproduct', some[0]?.activationid.slice(2, 9) ?? ''),
      ...['net', 'Network', 'NODE', 'web', 'user', 'FSA', 'nothing'].map((text) => contains('ansyslicensemodel', text)),
      contains('enddate', today.slice(0, 4)),
      contains('enddate', 'Maintenance ends on'),
      contains('enddate', `maintenance ends on ${today.slice(0, 4)}`),
      ...partsOf(rows.find((row) => row.EndDate === null)).map((text) => contains('enddate', text)),
      contains('startdate', '-0'),
      ...['1', '30', '31', '90', '91', 'PERMANENT', 'perm', 'EXPIRED', 'NOT STARTED', 'ED', 'nonsense'].map((text) =>
        contains('remainingdays', text),
      ),
    ]
  }

  test('a filter on any column finds the rows that show the typed text', async () => {
    const all = await fetched(fetch)
    const ada = await portal.as(ADA)
    for (const typed of filters(all)) {
      const filter = leaseFilter([typed], today)
      const inMemory = parseFilter(entitlementList.fields, filter)
      const found = idsOf(await fetched(fetch, { filter }))
      const shown = all.filter((row) => shows(leaseRow(row, today), typed))
      const label = JSON.stringify(typed)
      expect(found, label).toEqual(idsOf(shown))
      expect(found, label).toEqual(idsOf(all.filter((row) => matches(inMemory, row))))
      const { body } = await ada(count, { body: { customerNumber: '100001', filter } })
      expect(body.data, label).toBe(found.length)
    }
  })

  test('every column sorts in SQL as in the browser', async () => {
    const all = await fetched(fetch)
    for (const column of LEASE_COLUMNS) {
      for (const direction of ['asc', 'desc'] as const) {
        const sorting = leaseSorting([{ column, direction }])
        const order = completeOrder(
          { fields: entitlementList.fields, key: ['ActivationId'], defaultSort: [] },
          parseSorting(entitlementList.fields, sorting),
        )
        expect(await fetched(fetch, { sorting }), `${column} ${direction}`).toEqual([...all].sort(compareBy(order)))
      }
    }
    expect(await fetched(fetch, { sorting: leaseSorting(LEASE_DEFAULT_SORT) })).toEqual(all)
  })
})

/** Every part of the text in which a permanent entitlement shows until when it is maintained. */
function partsOf(permanent: LeaseEntitlement | undefined): string[] {
  if (!permanent?.VersionDate) return []
  const cell = `Maintenance ends on ${permanent.VersionDate}`
  const day = permanent.VersionDate
  return [
    cell,
    'ends on',
    'Maintenance',
    'n',
    ' on 2',
    `s on ${day.slice(0, 7)}`,
    day,
    day.slice(0, 7),
    day.slice(5),
    '-',
  ]
}

const idsOf = (rows: readonly LeaseEntitlement[]) => rows.map((row) => row.ActivationId)

test('leases end and start at midnight in the time zone of the account, not of the server', async () => {
  const zone = 'Asia/Tokyo'
  const tomorrow = dayIn(zone, new Date(portal.clock.now().getTime() + 86_400_000))
  const midnight = startOfDay(zone, tomorrow)
  const [ending = '', starting = ''] = (
    await portal.db.selectFrom('entitlement').select('activation_id').where('customer_number', '=', '100006').execute()
  ).map((row) => row.activation_id)
  const change = (id: string, dates: { start_date: string; end_date: string }) =>
    portal.db.updateTable('entitlement').set(dates).where('activation_id', '=', id).execute()
  await change(ending, { start_date: '2020-01-01', end_date: addDays(tomorrow, -1) })
  await change(starting, { start_date: tomorrow, end_date: addDays(tomorrow, 30) })

  const gridsAt = async (now: Date) => {
    portal.clock.forward(now.getTime() - portal.clock.now().getTime())
    const cookie = await signIn(portal.app, SOL)
    const body = { customerNumber: '100006', limit: 1000 }
    const [active, inactive] = await Promise.all(
      GRIDS.map(async ([, fetch]) =>
        idsOf((await callOperation(portal.app, fetch, cookie, { body })).body.data as LeaseEntitlement[]),
      ),
    )
    return { active, inactive }
  }
  const before = await gridsAt(new Date(midnight.getTime() - 1))
  expect(before.active).toContain(ending)
  expect(before.inactive).toContain(starting)
  const after = await gridsAt(midnight)
  expect(after.active).toContain(starting)
  expect(after.inactive).toContain(ending)
})
