import type { Insertable } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import type { Term } from '#server/demo/entitlement-term.ts'
import { midnightOf } from '#server/demo/midnight.ts'
import type { Product } from '#server/demo/products.ts'
import { seededRandom } from '#server/demo/random.ts'

export type EntitlementRow = Required<Omit<Insertable<DB['entitlement']>, 'is_borrowable' | 'kind'>>

/** Whose entitlement it is and which one: `purpose` is unique on the account and says what the row is there for. */
type EntitlementKey = { readonly customerNumber: string; readonly purpose: string }

type EntitlementTerms = {
  readonly product: Product
  readonly licenseModel: string
  readonly term: Term
  readonly quantity: number
}

/** Looks random, yet later parts of the demo data find the entitlement again by its purpose. */
export function activationId({ customerNumber, purpose }: EntitlementKey): string {
  const random = seededRandom(`activation ${customerNumber} ${purpose}`)
  return [8, 4, 4, 4, 12].map((digits) => random.hex(digits)).join('-')
}

export function entitlementRow(
  key: EntitlementKey,
  { product, licenseModel, term, quantity }: EntitlementTerms,
  other: Partial<EntitlementRow> = {},
): EntitlementRow {
  const numbers = seededRandom(`order ${key.customerNumber} ${key.purpose}`)
  return {
    customer_number: key.customerNumber,
    activation_id: activationId(key),
    entitlement_id: `ENT-${key.customerNumber}-${numbers.hex(8).toUpperCase()}`,
    part_number: product.partNumber,
    product_name: product.name,
    license_model: licenseModel,
    type: term.isPermanent ? 'Paid-up' : 'Lease',
    subtype: '',
    state: 'Deployed',
    line_item_quantity: quantity,
    units_per_line: 1,
    start_date: term.startDate,
    end_date: term.endDate,
    version_date: term.versionDate,
    is_permanent: term.isPermanent,
    po_number: `PO-45${numbers.integer(10_000_000, 99_999_999)}`,
    order_id: `SO-${numbers.integer(1_000_000, 9_999_999)}`,
    currency: 'USD',
    price: null,
    rate_table_version: '',
    fsa_id: null,
    is_manual: false,
    requester_email: null,
    ordered_at: null,
    created_at: midnightOf(term.boughtOn),
    ...other,
  }
}
