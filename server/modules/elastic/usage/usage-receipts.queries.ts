import { type Kysely, sql, type Transaction } from 'kysely'
import { namesCustomers } from '#server/db/named-customers.ts'
import type { DB } from '#server/db/schema.ts'

type Receipt = { readonly customerNumber: string; readonly id: string }

/** The accounts that servers belong to; unknown servers are absent. */
export async function findServerOwners(
  db: Kysely<DB>,
  serverIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('device_owner')
    .select(['device_id', 'customer_number'])
    .where('device_id', 'in', [...serverIds])
    .execute()
  return new Map(rows.map((row) => [row.device_id, row.customer_number]))
}

/** Claims ids, and returns those that were claimed before: usually none. */
export async function claimReceipts(tx: Transaction<DB>, receipts: readonly Receipt[]): Promise<Receipt[]> {
  const { rows } = await sql<Receipt>`
    select taken_customer as "customerNumber", taken_id as id
      from claim_usage_receipts(${receipts.map((one) => one.customerNumber)}, ${receipts.map((one) => one.id)})`.execute(
    tx,
  )
  return rows
}

/** The receipt of a further part of a transaction that was split elsewhere. No id contains a space. */
export const partReceipt = (id: string, part: number) => `${id} ${part}`

/**
 * The ids of an account under which more rows are booked than have receipts: sessions of this portal, running or ended, and
 * transactions whose charge was split here. All their parts are booked.
 */
export async function findBookedHere(
  tx: Transaction<DB>,
  customerNumber: string,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.id from (select distinct unnest(${[...ids]}::text[]) as id) s
     where (select count(*) from usage_transaction u where u.customer_number = ${customerNumber} and u.session_id = s.id)
           > (select count(*) from usage_receipt r where r.customer_number = ${customerNumber} and r.id = s.id)
             + (select count(*) from usage_receipt r
                 where r.customer_number = ${customerNumber} and r.id > s.id || ' ' and r.id < s.id || '!')`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Releases ids that were claimed for transactions that could not be booked. */
export async function releaseReceipts(tx: Transaction<DB>, receipts: readonly Receipt[]): Promise<void> {
  const customers = receipts.map((one) => one.customerNumber)
  await sql`
    delete from usage_receipt r
     using unnest(${customers}::text[], ${receipts.map((one) => one.id)}::text[])
        as g (customer_number, id)
     where r.customer_number = g.customer_number and r.id = g.id and ${namesCustomers('r', customers)}`.execute(tx)
}
