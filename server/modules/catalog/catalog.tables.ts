import type { Generated } from 'kysely'
import type { Numeric } from '#server/db/column-types.ts'
import type { Tables } from '#server/db/tables.ts'

export type CatalogRows = {
  product: {
    part_number: string
    name: string
    item_number: string
    daemon: string
    is_node_locked: Generated<boolean>
    feature_names: string[]
    changed_at: Generated<Date>
    license_changes: Generated<number>
  }
  elastic_rate: {
    part_number: string
    rate_table_version: string
    units_per_hour: Numeric
    changed_at: Generated<Date>
  }
  fsa_price: { part_number: string; currency: string; days: number; price: Numeric; changed_at: Generated<Date> }
}

declare module '#server/db/schema.ts' {
  interface DB extends CatalogRows {}
}

export const catalogTables: Tables<CatalogRows> = {
  owns: ['product', 'elastic_rate', 'fsa_price'],
  reads: { entitlement: 'A product that was sold stays in the catalog.' },
}
