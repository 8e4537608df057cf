import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import { DEFAULT_RULES, type RequestRules } from '#domain/requests/request.ts'
import type { DB } from '#server/db/schema.ts'

export type RequestRow = Selectable<DB['license_request']>
type RequestKey = Pick<RequestRow, 'customer_number' | 'request_id'>

/** Serializes the requests of one person on an account, so that they cannot exceed the limit together. */
export async function lockRequestsOf(tx: Transaction<DB>, customerNumber: string, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('requests'), hashtext(${`${customerNumber} ${email}`}))`.execute(tx)
}

/** Undefined if the person has an open request for the same. */
export async function insertRequest(
  tx: Transaction<DB>,
  request: Insertable<DB['license_request']>,
): Promise<RequestRow | undefined> {
  return tx
    .insertInto('license_request')
    .values(request)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Locks a request until the end of the transaction, so that only one decision is made. */
export async function lockRequest(
  tx: Transaction<DB>,
  customerNumber: string,
  id: string,
): Promise<RequestRow | undefined> {
  return tx
    .selectFrom('license_request')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .where('request_id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Saves a decision and counts it. */
export async function closeRequest(
  tx: Transaction<DB>,
  { customer_number, request_id }: RequestKey,
  change: Updateable<DB['license_request']>,
): Promise<RequestRow> {
  return tx
    .updateTable('license_request')
    .set({ ...change, revision: sql`revision + 1` })
    .where('customer_number', '=', customer_number)
    .where('request_id', '=', request_id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Requests that wait for a decision. */
export async function countOpenRequests(db: Kysely<DB>, customerNumber: string, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from license_request
     where customer_number = ${customerNumber} and state = 'open' and expires_at > ${now}`.execute(db)
  return rows[0]?.count ?? 0
}

export async function countOpenRequestsOf(db: Kysely<DB>, customerNumber: string, email: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from license_request
     where customer_number = ${customerNumber} and state = 'open' and requested_by = ${email}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Withdraws what a person has asked for, and web licenses that others have asked for on their behalf. Answers how many requests. */
export async function withdrawRequestsOf(
  tx: Transaction<DB>,
  customerNumber: string,
  email: string,
  by: { readonly email: string; readonly at: Date },
): Promise<number> {
  const { rows } = await sql<{ request_id: string }>`
    update license_request r
       set state = 'withdrawn', decided_by = ${by.email}, decided_at = ${by.at}, revision = r.revision + 1
     where r.customer_number = ${customerNumber} and r.state = 'open'
       and (r.requested_by = ${email} or r.kind = 'web-license' and r.target = ${email})
    returning r.request_id`.execute(tx)
  return rows.length
}

/** Open requests whose time is over. */
export async function listOverdue(db: Kysely<DB>, now: Date): Promise<RequestKey[]> {
  return db
    .selectFrom('license_request')
    .select(['customer_number', 'request_id'])
    .where('state', '=', 'open')
    .where('expires_at', '<=', now)
    .orderBy('customer_number')
    .orderBy('request_id')
    .execute()
}

/** Requests for web licenses that a person has made on any account, the newest first. */
export async function listWebRequestsOf(db: Kysely<DB>, email: string, limit: number): Promise<RequestRow[]> {
  return db
    .selectFrom('license_request')
    .selectAll()
    .where('requested_by', '=', email)
    .where('kind', '=', 'web-license')
    .orderBy('requested_at', 'desc')
    .limit(limit)
    .execute()
}

export async function loadRules(
  db: Kysely<DB>,
  customerNumber: string,
): Promise<{ readonly rules: RequestRules; readonly savedBy: string | null }> {
  const row = await db
    .selectFrom('request_rules')
    .select(['rules', 'saved_by'])
    .where('customer_number', '=', customerNumber)
    .executeTakeFirst()
  return row
    ? { rules: { ...DEFAULT_RULES, ...row.rules }, savedBy: row.saved_by }
    : { rules: DEFAULT_RULES, savedBy: null }
}

/** Accounts without saved rules have the default ones and are left out. */
export async function listRules(
  db: Kysely<DB>,
  customerNumbers: readonly string[],
): Promise<Map<string, RequestRules>> {
  if (customerNumbers.length === 0) return new Map()
  const rows = await db
    .selectFrom('request_rules')
    .select(['customer_number', 'rules'])
    .where('customer_number', 'in', [...customerNumbers])
    .execute()
  return new Map(rows.map(({ customer_number, rules }) => [customer_number, { ...DEFAULT_RULES, ...rules }]))
}

export async function saveRules(
  tx: Transaction<DB>,
  customerNumber: string,
  rules: RequestRules,
  by: { readonly email: string; readonly at: Date },
): Promise<void> {
  const saved = { rules: JSON.stringify(rules), saved_by: by.email, saved_at: by.at }
  await tx
    .insertInto('request_rules')
    .values({ customer_number: customerNumber, ...saved })
    .onConflict((conflict) => conflict.column('customer_number').doUpdateSet(saved))
    .execute()
}
