import { expect, test } from 'vitest'
import { entitlementList } from '#contract/entitlements/entitlement-list.ts'
import { LEASE_DEFAULT_SORT, leaseSorting } from '#contract/entitlements/lease-sorting.ts'
import { parseSorting } from '#domain/filter/parse-sorting.ts'

test.each([
  ['ansysproduct', 'ProductName'],
  ['ansyslicensemodel', 'LicenseModel'],
  ['ansyscount', 'LineItemQuantity'],
  ['startdate', 'StartDate'],
  ['enddate', 'EndDate'],
  ['remainingdays', 'EndDate'],
] as const)('%s is sorted by %s', (column, name) => {
  expect(leaseSorting([{ column, direction: 'desc' }])).toEqual([{ name, direction: 'desc' }])
})

test('sorts by expiration date by default', () => {
  expect(leaseSorting(LEASE_DEFAULT_SORT)).toEqual([{ name: 'EndDate', direction: 'asc' }])
})

test('the stronger rule wins where two columns sort by one field', () => {
  const sorting = leaseSorting([
    { column: 'remainingdays', direction: 'desc' },
    { column: 'ansysproduct', direction: 'asc' },
    { column: 'enddate', direction: 'asc' },
  ])
  expect(parseSorting(entitlementList.fields, sorting).map(({ name, descending }) => [name, descending])).toEqual([
    ['EndDate', true],
    ['ProductName', false],
  ])
})
