import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import { PROVISIONING_SCOPE } from '#domain/tokens/token-areas.ts'
import type { TokenPolicy } from '#domain/tokens/token-rules.ts'
import type { Pool } from '#server/db/database.ts'
import type { DB } from '#server/db/schema.ts'
import { announceAccess } from '#server/identity/access-changes.queries.ts'
import type { AccountFacts } from '#server/identity/principal.queries.ts'

export type ApiTokenRow = Selectable<DB['api_token']>
/** A token, and what the policy of its account says about it. */
export type ApiTokenFacts = Omit<ApiTokenRow, 'secret_hash' | 'warned_days'> & { readonly is_write_allowed: boolean }

/** A token, and its owner on the account. */
export type TokenFacts = { readonly token: ApiTokenFacts; readonly account: AccountFacts }

/** Runs before every call with a token, so it is named and each connection plans it once. */
const LOAD_TOKEN = {
  name: 'load-api-token',
  text: `
  select t.customer_number, t.id, t.name, t.owner, t.scopes, t.addresses, t.created_at, t.expires_at, t.last_used_at,
         t.last_address, t.revoked_at, t.replaced_by, coalesce(p.is_write_allowed, true) as is_write_allowed
    from api_token t left join api_token_policy p on p.customer_number = t.customer_number
   where t.secret_hash = $1`,
}

export async function findApiToken(pool: Pool, secretHash: Buffer): Promise<ApiTokenFacts | undefined> {
  return (await pool.query<ApiTokenFacts>({ ...LOAD_TOKEN, values: [secretHash] })).rows[0]
}

/** One of several simultaneous calls saves the use. */
export async function saveApiTokenUse(
  db: Kysely<DB>,
  { customer_number, id }: Pick<ApiTokenRow, 'customer_number' | 'id'>,
  { at, address, unlessAfter }: { at: Date; address: string; unlessAfter: Date },
): Promise<void> {
  await db
    .updateTable('api_token')
    .set({ last_used_at: at, last_address: address })
    .where('customer_number', '=', customer_number)
    .where('id', '=', id)
    .where((row) => row.or([row('last_used_at', 'is', null), row('last_used_at', '<=', unlessAfter)]))
    .execute()
}

export type NewApiToken = Pick<
  ApiTokenRow,
  'customer_number' | 'id' | 'secret_hash' | 'name' | 'owner' | 'scopes' | 'addresses' | 'created_at' | 'expires_at'
>

export async function insertApiToken(tx: Transaction<DB>, token: NewApiToken): Promise<void> {
  await tx.insertInto('api_token').values(token).execute()
}

/** Changes of the tokens of one account wait for each other. */
export async function lockApiTokens(tx: Transaction<DB>, customerNumber: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`api tokens ${customerNumber}`}, 0))`.execute(tx)
}

/** How many tokens of an account can be used. */
export async function countUsableApiTokens(db: Kysely<DB>, customerNumber: string, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('api_token')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('customer_number', '=', customerNumber)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Tokens of an account that can be used, the oldest first. */
export function listUsableApiTokens(db: Kysely<DB>, customerNumber: string, now: Date): Promise<ApiTokenRow[]> {
  return db
    .selectFrom('api_token')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export function findApiTokenById(db: Kysely<DB>, customerNumber: string, id: string): Promise<ApiTokenRow | undefined> {
  return db
    .selectFrom('api_token')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The token that was revoked; undefined if there is none that is not revoked yet. */
export async function revokeApiToken(
  tx: Transaction<DB>,
  customerNumber: string,
  id: string,
  at: Date,
): Promise<ApiTokenRow | undefined> {
  const revoked = await tx
    .updateTable('api_token')
    .set({ revoked_at: at })
    .where('customer_number', '=', customerNumber)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (revoked) await announceAccess(tx, [customerNumber])
  return revoked
}

/** Revokes the tokens of a person on an account, except those for provisioning. Answers how many. */
export async function revokeApiTokensOf(
  tx: Transaction<DB>,
  customerNumber: string,
  owner: string,
  at: Date,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update api_token t set revoked_at = ${at}
     where t.customer_number = ${customerNumber} and t.owner = ${owner} and t.revoked_at is null and t.expires_at > ${at}
       and t.scopes <> ${[PROVISIONING_SCOPE]}::text[]
    returning t.id`.execute(tx)
  if (rows.length > 0) await announceAccess(tx, [customerNumber])
  return rows.length
}

/** Tokens for provisioning that a person made end by then. Answers those that would have gone on. */
export async function endProvisioningTokensOf(
  tx: Transaction<DB>,
  customerNumber: string,
  owner: string,
  until: Date,
): Promise<{ readonly name: string }[]> {
  const { rows } = await sql<{ name: string }>`
    update api_token t set expires_at = ${until}
     where t.customer_number = ${customerNumber} and t.owner = ${owner} and t.revoked_at is null and t.expires_at > ${until}
       and t.scopes = ${[PROVISIONING_SCOPE]}::text[]
    returning t.name`.execute(tx)
  if (rows.length > 0) await announceAccess(tx, [customerNumber])
  return rows
}

export async function replaceApiToken(
  tx: Transaction<DB>,
  { customer_number, id }: Pick<ApiTokenRow, 'customer_number' | 'id'>,
  { by, endsAt }: { by: string; endsAt: Date },
): Promise<void> {
  await tx
    .updateTable('api_token')
    .set({ replaced_by: by, expires_at: endsAt })
    .where('customer_number', '=', customer_number)
    .where('id', '=', id)
    .execute()
  await announceAccess(tx, [customer_number])
}

export async function findTokenPolicy(db: Kysely<DB>, customerNumber: string): Promise<TokenPolicy | undefined> {
  const row = await db
    .selectFrom('api_token_policy')
    .select(['longest_days', 'is_write_allowed'])
    .where('customer_number', '=', customerNumber)
    .executeTakeFirst()
  return row && { longestDays: row.longest_days, isWriteAllowed: row.is_write_allowed }
}

/** Tokens that would live longer than the policy allows end earlier. */
export async function saveTokenPolicyOf(
  tx: Transaction<DB>,
  customerNumber: string,
  { longestDays, isWriteAllowed }: TokenPolicy,
): Promise<void> {
  const policy = { longest_days: longestDays, is_write_allowed: isWriteAllowed }
  await tx
    .insertInto('api_token_policy')
    .values({ customer_number: customerNumber, ...policy })
    .onConflict((conflict) => conflict.column('customer_number').doUpdateSet(policy))
    .execute()
  // Added to in UTC: a sum that depends on the time zone of the session is refused where Citus knows the table.
  const longest = sql`(created_at at time zone 'UTC' + make_interval(days => ${longestDays})) at time zone 'UTC'`
  await sql`
    update api_token set expires_at = ${longest}
     where customer_number = ${customerNumber} and revoked_at is null and expires_at > ${longest}`.execute(tx)
  await announceAccess(tx, [customerNumber])
}

/** Tokens in use that end before a time, the first to end first. Replaced ones are not in use. */
export function listEndingApiTokens(
  db: Kysely<DB>,
  { after, until }: { after: Date; until: Date },
): Promise<ApiTokenRow[]> {
  return db
    .selectFrom('api_token')
    .selectAll()
    .where('revoked_at', 'is', null)
    .where('replaced_by', 'is', null)
    .where('expires_at', '>', after)
    .where('expires_at', '<=', until)
    .orderBy('expires_at')
    .orderBy('id')
    .execute()
}

/** False if another process has noted this warning, or a tighter one. */
export async function noteApiTokenWarning(
  tx: Transaction<DB>,
  { customer_number, id }: Pick<ApiTokenRow, 'customer_number' | 'id'>,
  days: number,
): Promise<boolean> {
  const row = await tx
    .updateTable('api_token')
    .set({ warned_days: days })
    .where('customer_number', '=', customer_number)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where((token) => token.or([token('warned_days', 'is', null), token('warned_days', '>', days)]))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
