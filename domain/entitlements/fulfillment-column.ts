import type { LicenseModelGroup } from '#domain/entitlements/license-model.ts'

/** Where the Total Activated of a row comes from: counted on hosts, the whole line (nothing is activated), or left blank. */
export type FulfillmentColumn = 'ledger' | 'quantity' | 'blank'

const COLUMN_OF_GROUP: Readonly<Record<LicenseModelGroup, FulfillmentColumn>> = {
  Network: 'ledger',
  'Node Locked': 'ledger',
  'Shared Web': 'quantity',
  'Named User': 'quantity',
  FSA: 'blank',
}

export function fulfillmentColumn(group: LicenseModelGroup): FulfillmentColumn {
  return COLUMN_OF_GROUP[group]
}

/** Null is blank; undefined while the count on hosts is not yet known. */
export function totalActivated(
  group: LicenseModelGroup,
  quantity: number,
  onHosts: number | undefined,
): number | null | undefined {
  switch (fulfillmentColumn(group)) {
    case 'ledger':
      return onHosts
    case 'quantity':
      return quantity
    case 'blank':
      return null
  }
}
