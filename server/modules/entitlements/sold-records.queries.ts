import { type RawBuilder, sql, type Transaction } from 'kysely'
import { type Sale, type SaleUse, saleRefusal } from '#domain/entitlements/sale-change.ts'
import { byCustomer, type RecordTable } from '#server/data/record-table.queries.ts'
import type { Change } from '#server/data/save-records.ts'
import { namesCustomers } from '#server/db/named-customers.ts'
import type { DB } from '#server/db/schema.ts'
import type { Refusal } from '#server/http/http-error.ts'

const key = ['customerNumber', 'activationId']

/** Fields of all records that are stored as entitlements. */
const fields = {
  activationId: { column: 'activation_id', type: 'text' },
  customerNumber: { column: 'customer_number', type: 'text' },
  partNumber: { column: 'part_number', type: 'text' },
  productName: { column: 'product_name', type: 'text' },
  state: { column: 'state', type: 'text' },
  currency: { column: 'currency', type: 'text' },
  price: { column: 'price', type: 'numeric' },
  startDate: { column: 'start_date', type: 'date' },
  endDate: { column: 'end_date', type: 'date' },
  poNumber: { column: 'po_number', type: 'text' },
  orderId: { column: 'order_id', type: 'text' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
} as const

export const soldTable: RecordTable = {
  table: 'entitlement',
  key,
  where: sql`t.kind <> 'FSA'`,
  fields: {
    ...fields,
    entitlementId: { column: 'entitlement_id', type: 'text' },
    licenseModel: { column: 'license_model', type: 'text' },
    type: { column: 'type', type: 'text' },
    quantity: { column: 'line_item_quantity', type: 'integer' },
    unitsPerLine: { column: 'units_per_line', type: 'numeric' },
    versionDate: { column: 'version_date', type: 'date' },
    rateTableVersion: { column: 'rate_table_version', type: 'text' },
    fsaId: { column: 'fsa_id', type: 'text' },
    isManual: { column: 'is_manual', type: 'boolean' },
    requesterEmail: { column: 'requester_email', type: 'text' },
    orderedAt: { column: 'ordered_at', type: 'timestamptz' },
  },
  derived: {
    isPermanent: { column: 'is_permanent', type: 'boolean', from: ({ endDate }) => (endDate ?? null) === null },
    subtype: { column: 'subtype', type: 'text', from: ({ fsaId }) => ((fsaId ?? null) === null ? '' : 'FSA') },
  },
}

/** Spending accounts. */
export const contractTable: RecordTable = {
  table: 'entitlement',
  key,
  where: sql`t.kind = 'FSA'`,
  fields: { ...fields, fsaId: { column: 'entitlement_id', type: 'text' } },
  derived: {
    licenseModel: { column: 'license_model', type: 'text', from: () => 'FSA' },
    subtype: { column: 'subtype', type: 'text', from: () => 'FSA' },
    quantity: { column: 'line_item_quantity', type: 'integer', from: () => 1 },
    versionDate: { column: 'version_date', type: 'date', from: ({ endDate }) => endDate ?? null },
  },
}

/** The rows of `contractTable`, for a module that joins what it keeps of them. */
export const contractRows: RawBuilder<unknown> = sql`(select * from entitlement where kind = 'FSA')`

/** Records of which something changed that is kept elsewhere. A sharded table does not take the time of the clock here. */
export async function noteChanges(tx: Transaction<DB>, changes: readonly Change[]): Promise<void> {
  for (const [customerNumber, rows] of byCustomer(changes.map(({ after }) => after)))
    await sql`
      update entitlement set changed_at = date_trunc('milliseconds', statement_timestamp())
       where customer_number = ${customerNumber} and activation_id = any (${rows.map((row) => String(row.activationId))})`.execute(
      tx,
    )
}

function keysOf(changes: readonly Change[]): RawBuilder<unknown> {
  const column = (field: string) => changes.map(({ after }) => String(after[field]))
  return sql`unnest(${column('customerNumber')}::text[], ${column('activationId')}::text[]) as k (customer_number, activation_id)`
}

export type EntitlementKey = { readonly customerNumber: string; readonly activationId: string }

/** Seats by activation id, from a module that assigns them. Entitlements without seats are left out. */
export type CountSeats = (tx: Transaction<DB>, keys: readonly EntitlementKey[]) => Promise<ReadonlyMap<string, number>>

/** Seats of an entitlement that other modules know of. */
export type SeatCounts = {
  /** Seats that plans move. */
  readonly reserved: CountSeats
  /** Assigned seats of web licenses. */
  readonly assigned: CountSeats
}

/**
 * Refuses changes that would take away seats in use. The rows are locked, so that nobody takes another seat in the
 * meantime.
 */
export async function refuseChangesOfUsed(
  tx: Transaction<DB>,
  changes: readonly Change[],
  counts: SeatCounts,
): Promise<ReadonlyMap<Change, Refusal>> {
  const refusals = new Map<Change, Refusal>()
  const lessening = changes.filter(isLess)
  if (lessening.length === 0) return refusals
  const uses = await loadUses(tx, lessening, counts)
  for (const change of lessening) {
    const use = uses.get(String(change.after.activationId))
    const refused = use && saleRefusal(toSale(change.before), toSale(change.after), use)
    if (refused) refusals.set(change, refused)
  }
  return refusals
}

const toSale = ({ quantity, state, licenseModel }: Change['after']): Sale => ({
  quantity: Number(quantity),
  state: String(state),
  licenseModel: String(licenseModel),
})

function isLess({ before, after }: Change): boolean {
  return (
    Number(after.quantity) < Number(before.quantity) ||
    after.state !== before.state ||
    after.licenseModel !== before.licenseModel
  )
}

async function loadUses(
  tx: Transaction<DB>,
  changes: readonly Change[],
  counts: SeatCounts,
): Promise<ReadonlyMap<string, SaleUse>> {
  const customers = changes.map(({ after }) => after.customerNumber)
  const { rows } = await sql<{ activation_id: string; activated: number; has_usage: boolean }>`
    select e.activation_id, e.activated_count as activated,
           exists (select 1 from usage_total t where t.customer_number = e.customer_number and ${namesCustomers('t', customers)}
              and t.activation_id = e.activation_id and t.transactions > 0) as has_usage
      from ${keysOf(changes)} join entitlement e using (customer_number, activation_id)
     where ${namesCustomers('e', customers)}`.execute(tx)
  const keys = changes.map(({ after }) => ({
    customerNumber: String(after.customerNumber),
    activationId: String(after.activationId),
  }))
  const reserved = await counts.reserved(tx, keys)
  const assigned = await counts.assigned(tx, keys)
  return new Map(
    rows.map(({ activation_id, activated, has_usage }) => [
      activation_id,
      {
        activated,
        reserved: reserved.get(activation_id) ?? 0,
        assigned: assigned.get(activation_id) ?? 0,
        hasUsage: has_usage,
      },
    ]),
  )
}
