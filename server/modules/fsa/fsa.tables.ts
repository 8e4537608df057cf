import type { Generated, GeneratedAlways } from 'kysely'
import type { WireOrderLine } from '#contract/fsa/order-entitlements.ts'
import type { Json } from '#server/db/column-types.ts'
import type { Tables } from '#server/db/tables.ts'

export type FsaRows = {
  /** The database keeps all but the addresses with every change of the contract's entitlements. */
  fsa_contract: {
    customer_number: GeneratedAlways<string>
    fsa_id: GeneratedAlways<string>
    activation_id: GeneratedAlways<string>
    currency: GeneratedAlways<string>
    price: GeneratedAlways<string>
    ordered: GeneratedAlways<string>
    business_operations_emails: string[]
  }
  fsa_draft: {
    customer_number: string
    draft_id: Generated<string>
    fsa_id: string
    name: string
    lines: Json<WireOrderLine[]>
    revision: Generated<number>
    saved_by: string
    saved_at: Date
  }
}

declare module '#server/db/schema.ts' {
  interface DB extends FsaRows {}
}

export const fsaTables: Tables<FsaRows> = {
  owns: ['fsa_contract', 'fsa_draft'],
  reads: { entitlement: 'An order that the vendor’s systems send draws on its spending account.' },
}
