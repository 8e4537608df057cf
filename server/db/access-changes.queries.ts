import { sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'

/** Tables of customers that decide what somebody may do on an account. Every process remembers what follows from them. */
export const ACCESS_TABLES: readonly (keyof DB)[] = ['account', 'contact', 'account_grant', 'entitlement']
/** Beyond this many accounts, everything is forgotten. */
const MAX_NAMED = 1_000

/**
 * Tells every process to forget who may do what on these accounts, when the transaction commits. Whoever writes an access table
 * calls it in the same transaction: triggers on shards cannot notify. `access-changes.test.ts` finds a writer that does not.
 */
export async function announceAccess(tx: Transaction<DB>, customerNumbers: Iterable<string>): Promise<void> {
  const numbers = [...new Set(customerNumbers)]
  if (numbers.length === 0) return
  const payloads = numbers.length > MAX_NAMED ? ['all'] : numbers.map((number) => `account ${number}`)
  await sql`select pg_notify('access_change', payload) from unnest(${payloads}::text[]) payload`.execute(tx)
}
