import { expect, test } from 'vitest'
import { entitlementList } from '#contract/entitlements/entitlement-list.ts'
import { matches } from '#domain/filter/evaluate-filter.ts'
import { parseFilter } from '#domain/filter/parse-filter.ts'
import { leaseQuestion } from '#web/modules/entitlements/lease-request.ts'
import type { ColumnFilters } from '#web/table/filters/column-filter.ts'

const TODAY = '2026-03-01'
const ROWS = [
  { ActivationId: 'network', LicenseModel: 'Fluent', ProductName: 'A', StartDate: '2025-01-01', EndDate: '2026-03-20' },
  {
    ActivationId: 'node',
    LicenseModel: 'Node Locked',
    ProductName: 'B',
    StartDate: '2025-06-01',
    EndDate: '2027-01-31',
  },
  { ActivationId: 'permanent', LicenseModel: 'Network', ProductName: 'C', StartDate: '2024-01-01', EndDate: null },
].map((row, index) => ({ ...row, LineItemQuantity: index + 1 }))

test.each<[name: string, filters: ColumnFilters, found: string[]]>([
  ['a comparison of days left', { remainingdays: text('≤ 30') }, ['network']],
  ['a range of days', { enddate: text('2026-12 – 2027-02') }, ['node']],
  [
    'a picked range',
    { startdate: { filterType: 'date', type: 'inRange', dateFrom: '2025-02-01', dateTo: null } },
    ['node'],
  ],
  ['part of a day', { startdate: text('-06-') }, ['node']],
  [
    'a comparison of numbers',
    { ansyscount: { filterType: 'number', type: 'greaterThan', filter: 1 } },
    ['node', 'permanent'],
  ],
  ['ticked models', { ansyslicensemodel: { filterType: 'set', values: ['Node Locked'] } }, ['node']],
  [
    'all models but one',
    { ansyslicensemodel: { filterType: 'set', type: 'except', values: ['Node Locked'] } },
    ['network', 'permanent'],
  ],
])('%s narrows the list', (_, filters, found) => {
  const { filter } = leaseQuestion({ filters, sorting: [] }, TODAY)
  const parsed = parseFilter(entitlementList.fields, filter)
  expect(ROWS.filter((row) => matches(parsed, row)).map((row) => row.ActivationId)).toEqual(found)
})

function text(filter: string) {
  return { filterType: 'text', type: 'contains', filter } as const
}
