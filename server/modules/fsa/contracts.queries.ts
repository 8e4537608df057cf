import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import { type AccountsInNeed, listAccountsInNeed } from '#server/modules/accounts/accounts.public.ts'
import { contractEntitlements, endsAround, endsWithin } from '#server/modules/entitlements/entitlements.public.ts'

export type ContractRow = {
  fsa_id: string
  activation_id: string
  product_name: string
  start_date: CalendarDay
  end_date: CalendarDay
  currency: string
  /** Exact, with two decimals. */
  price: string
  available: string
  po_number: string
  order_id: string
  business_operations_emails: string[]
  created_at: Date
}

const columns = sql`
  c.fsa_id, c.activation_id, e.product_name, e.start_date, e.end_date, c.currency, c.price, c.price - c.ordered as available,
  e.po_number, e.order_id, c.business_operations_emails, e.created_at`

export function contractsOf(customerNumber: string): RawBuilder<unknown> {
  return sql`(
    select ${columns}
      from fsa_contract c join ${contractEntitlements} e using (customer_number, activation_id)
     where c.customer_number = ${customerNumber})`
}

/** The last to end first. */
export async function listContractRows(db: Kysely<DB>, customerNumber: string): Promise<ContractRow[]> {
  const { rows } = await sql<ContractRow>`
    select * from ${contractsOf(customerNumber)} c order by end_date desc, fsa_id`.execute(db)
  return rows
}

/** Accounts by how many of their contracts end soon that can still be ordered from, each on its own calendar. */
export function listAccountsWithEndingContracts(
  db: Kysely<DB>,
  { now, days, limit }: { readonly now: Date; readonly days: number; readonly limit: number },
): Promise<AccountsInNeed> {
  const rows = sql`select c.customer_number, e.start_date, e.ends_on
      from fsa_contract c join ${contractEntitlements} e using (customer_number, activation_id)
     where ${endsAround(now, days)} and (c.price = 0 or c.ordered < c.price)`
  return listAccountsInNeed(db, { rows, where: endsWithin(days) }, { now, limit })
}

/** Locks the balance of a contract until the end of the transaction, so that orders are serialized. */
export async function lockContract(
  tx: Transaction<DB>,
  customerNumber: string,
  fsaId: string,
): Promise<ContractRow | undefined> {
  const { rows } = await sql<ContractRow>`
    select ${columns}
      from fsa_contract c join ${contractEntitlements} e using (customer_number, activation_id)
     where c.customer_number = ${customerNumber} and c.fsa_id = ${fsaId}
       for no key update of c`.execute(tx)
  return rows[0]
}
