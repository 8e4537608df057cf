import { type Kysely, sql, type Transaction } from 'kysely'
import type { Row } from '#server/data/record-table.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { type Refusal, refusal } from '#server/http/http-error.ts'

/** Records of unknown accounts are refused. Accounts are never deleted, so a known account stays known. */
export async function refuseUnknownAccounts(db: Kysely<DB>, rows: readonly Row[]): Promise<Map<Row, Refusal>> {
  const { rows: known } = await sql<{ customer_number: string }>`
    select customer_number from account where customer_number = any (${numbersOf(rows)})`.execute(db)
  const numbers = new Set(known.map(({ customer_number }) => customer_number))
  const unknown = rows.filter(({ customerNumber }) => !numbers.has(String(customerNumber)))
  return new Map(unknown.map((row) => [row, refusal('UNKNOWN_ACCOUNT', `There is no account ${row.customerNumber}.`)]))
}

/** Refuses records of unknown accounts, and locks the known ones until the end of the transaction, in their order: see `lockAccount`. */
export async function lockKnownAccounts(tx: Transaction<DB>, rows: readonly Row[]): Promise<Map<Row, Refusal>> {
  await sql`select lock_accounts(${numbersOf(rows)})`.execute(tx)
  return refuseUnknownAccounts(tx, rows)
}

const numbersOf = (rows: readonly Row[]) => [...new Set(rows.map(({ customerNumber }) => String(customerNumber)))]
