import type { EntitlementField } from '#contract/entitlements/entitlement-list.ts'
import type { LeaseColumn } from '#contract/entitlements/lease-filter.ts'
import type { SortInput } from '#domain/filter/filter.ts'

type LeaseSort = { readonly column: LeaseColumn; readonly direction: 'asc' | 'desc' }

export const LEASE_DEFAULT_SORT: readonly LeaseSort[] = [{ column: 'enddate', direction: 'asc' }]

const FIELD_OF_COLUMN: Readonly<Record<LeaseColumn, EntitlementField>> = {
  ansysproduct: 'ProductName',
  ansyslicensemodel: 'LicenseModel',
  ansyscount: 'LineItemQuantity',
  startdate: 'StartDate',
  enddate: 'EndDate',
  remainingdays: 'EndDate',
}

/**
 * Translates the sort rules of the screen for the entitlement list. If two columns use one field, the stronger rule
 * wins.
 */
export function leaseSorting(sorts: readonly LeaseSort[]): SortInput[] {
  const rules = new Map<string, SortInput>()
  for (const { column, direction } of sorts) {
    const name = FIELD_OF_COLUMN[column]
    if (!rules.has(name)) rules.set(name, { name, direction })
  }
  return [...rules.values()]
}
