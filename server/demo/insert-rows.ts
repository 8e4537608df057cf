import type { Insertable, Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { ACCESS_TABLES, announceAccess } from '#server/identity/access-changes.queries.ts'

/** PostgreSQL takes 65,535 parameters in one statement; fewer make smaller texts to parse. */
const PARAMETERS_PER_STATEMENT = 15_000

/** Inserts many rows of one shape with few statements. */
export async function insertRows<T extends keyof DB>(
  tx: Transaction<DB>,
  table: T,
  rows: readonly Insertable<DB[T]>[],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const size = Math.floor(PARAMETERS_PER_STATEMENT / Object.keys(first).length)
  for (let from = 0; from < rows.length; from += size) {
    await tx
      .insertInto(table)
      .values(rows.slice(from, from + size))
      .execute()
  }
  if (ACCESS_TABLES[table] === 'account') await announceAccess(tx, customersOf(rows))
}

const customersOf = (rows: readonly unknown[]) =>
  (rows as readonly { customer_number: string }[]).map(({ customer_number }) => customer_number)
