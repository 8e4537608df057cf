import { sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'

/** Tables that decide on access to an account. Every process caches what follows from them. */
export const ACCESS_TABLES: readonly (keyof DB)[] = ['account', 'contact', 'account_grant', 'entitlement']
/** With more accounts than this, the whole cache is cleared. */
const MAX_NAMED = 1_000

/**
 * Tells every process to forget who may do what on these accounts, when the transaction commits. Every writer of an
 * access table calls it in the same transaction, because triggers on shards cannot notify. `access-changes.test.ts`
 * finds a writer that does not.
 */
export async function announceAccess(tx: Transaction<DB>, customerNumbers: Iterable<string>): Promise<void> {
  const numbers = [...new Set(customerNumbers)]
  if (numbers.length === 0) return
  const payloads = numbers.length > MAX_NAMED ? ['all'] : numbers.map((number) => `account ${number}`)
  await sql`select pg_notify('access_change', payload) from unnest(${payloads}::text[]) payload`.execute(tx)
}
