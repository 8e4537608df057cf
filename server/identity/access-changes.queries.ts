import { sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'

/** Tables that decide who may do what, and what a row of each is about. Every process caches what follows from them. */
export const ACCESS_TABLES: Readonly<Partial<Record<keyof DB, AccessSubject>>> = {
  account: 'account',
  contact: 'account',
  account_grant: 'account',
  entitlement: 'account',
  api_token: 'account',
  api_token_policy: 'account',
  session: 'session',
  proven_domain: 'domain',
  service_key: 'key',
  staff_role: 'person',
}
/**
 * An account by its number, a person by email address, a sign-in session by the hash of its id in hex, a service key by its id. Of a domain,
 * everything is forgotten: any session may be of one of its people.
 */
type AccessSubject = 'account' | 'person' | 'session' | 'key' | 'domain'
/** With more of them than this, the whole cache is cleared. */
const MAX_NAMED = 1_000

/**
 * Tells every process to forget what it has cached about these accounts, people, sessions or keys, when the transaction
 * commits. Every writer of an access table calls it in the same transaction, because triggers on shards cannot notify.
 * `access-changes.test.ts` finds a writer that does not.
 */
export async function announceAccess(
  tx: Transaction<DB>,
  names: Iterable<string>,
  subject: AccessSubject = 'account',
): Promise<void> {
  const named = [...new Set(names)]
  if (named.length === 0) return
  const payloads = named.length > MAX_NAMED ? ['all'] : named.map((name) => `${subject} ${name}`)
  await sql`select pg_notify('access_change', payload) from unnest(${payloads}::text[]) payload`.execute(tx)
}
