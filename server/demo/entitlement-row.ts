import type { Insertable } from 'kysely'
import { addDays, type CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import { midnightOf } from '#server/demo/midnight.ts'
import type { Product } from '#server/demo/products.ts'
import { seededRandom } from '#server/demo/random.ts'

/** The term of an entitlement. Days are calendar days of the account. */
export type Term = {
  readonly startDate: CalendarDay
  readonly endDate: CalendarDay | null
  /** Until when maintenance runs: versions released later may not be used. */
  readonly versionDate: CalendarDay
  readonly isPermanent: boolean
  /** Never in the future, even if the term is. */
  readonly boughtOn: CalendarDay
}

/** From and to are days counted from today; the end day still counts, so `to: 0` leaves one day. */
export function lease(today: CalendarDay, from: number, to: number): Term {
  const startDate = addDays(today, from)
  const endDate = addDays(today, to)
  return { startDate, endDate, versionDate: endDate, isPermanent: false, boughtOn: boughtOn(today, from) }
}

export function permanent(today: CalendarDay, from: number, maintenanceUntil: number): Term {
  return {
    startDate: addDays(today, from),
    endDate: null,
    versionDate: addDays(today, maintenanceUntil),
    isPermanent: true,
    boughtOn: boughtOn(today, from),
  }
}

function boughtOn(today: CalendarDay, from: number): CalendarDay {
  return addDays(today, Math.min(from, 0) - 5)
}

export type EntitlementRow = Required<
  Omit<Insertable<DB['entitlement']>, 'is_borrowable' | 'kind' | 'changed_at' | 'license_changes'>
>

/** Identifies an entitlement: `purpose` is unique on the account and says what the row demonstrates. */
type EntitlementKey = { readonly customerNumber: string; readonly purpose: string }

type EntitlementTerms = {
  readonly product: Product
  readonly licenseModel: string
  readonly term: Term
  readonly quantity: number
}

/** Looks random, but later parts of the demo data can compute it from the purpose. */
export function activationId({ customerNumber, purpose }: EntitlementKey): string {
  const random = seededRandom(`activation ${customerNumber} ${purpose}`)
  return random.uuid()
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
