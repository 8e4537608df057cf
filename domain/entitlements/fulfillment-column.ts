import type { LicenseModelGroup } from '#domain/entitlements/license-model.ts'

/** Where the Total Activated of a row comes from: counted on hosts, or the whole line, because nothing is activated. */
export type FulfillmentColumn = 'ledger' | 'quantity'

const COLUMN_OF_GROUP: Readonly<Record<LicenseModelGroup, FulfillmentColumn>> = {
  Network: 'ledger',
  'Node Locked': 'ledger',
  'Shared Web': 'quantity',
  'Named User': 'quantity',
  // Orders of a spending account run on hosts. Contracts and manual lines are not in the list.
  FSA: 'ledger',
}

export function fulfillmentColumn(group: LicenseModelGroup): FulfillmentColumn {
  return COLUMN_OF_GROUP[group]
}

/** Undefined while the count on hosts is not yet known. */
export function totalActivated(
  group: LicenseModelGroup,
  quantity: number,
  onHosts: number | undefined,
): number | undefined {
  return fulfillmentColumn(group) === 'ledger' ? onHosts : quantity
}
