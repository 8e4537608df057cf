import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { EntitlementKind } from '#domain/entitlements/kind.ts'
import type { Day } from '#server/db/column-types.ts'
import type { Tables } from '#server/db/tables.ts'

export type EntitlementsRows = {
  entitlement: {
    customer_number: string
    activation_id: string
    entitlement_id: string
    part_number: string
    product_name: string
    license_model: string
    type: Generated<string>
    subtype: Generated<string>
    state: Generated<'Deployed' | 'Draft' | 'Obsolete'>
    line_item_quantity: number
    activated_count: GeneratedAlways<number>
    units_per_line: ColumnType<string, string | number | undefined, string | number>
    start_date: Day
    end_date: Day | null
    ends_on: GeneratedAlways<Day>
    version_date: Day | null
    is_permanent: Generated<boolean>
    is_borrowable: GeneratedAlways<boolean>
    po_number: Generated<string>
    order_id: Generated<string>
    currency: Generated<string>
    price: ColumnType<string | null, string | number | null | undefined, string | number | null>
    rate_table_version: Generated<string>
    fsa_id: string | null
    is_manual: Generated<boolean>
    requester_email: string | null
    ordered_at: Date | null
    created_at: Generated<Date>
    kind: GeneratedAlways<EntitlementKind>
    changed_at: Generated<Date>
    /** How often something changed that license files are made from; the database counts. */
    license_changes: Generated<number>
  }
  /** The owner of an activation id: portal-wide, claimed with the entitlement. */
  activation_owner: { activation_id: string; customer_number: string }
  /** Kept by the database with every change of usage_transaction; nothing else writes it. */
  usage_total: {
    customer_number: GeneratedAlways<string>
    activation_id: GeneratedAlways<string>
    charge: GeneratedAlways<string>
    hours: GeneratedAlways<string>
    transactions: GeneratedAlways<string>
  }
}

declare module '#server/db/schema.ts' {
  interface DB extends EntitlementsRows {}
}

export const entitlementsTables: Tables<EntitlementsRows> = {
  // Triggers of elastic usage keep `usage_total`, what is booked on an entitlement.
  owns: ['entitlement', 'activation_owner', 'usage_total'],
}
