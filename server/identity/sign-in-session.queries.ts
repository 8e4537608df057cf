import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import { STOP_VIEWING } from '#contract/settings/view-as.ts'
import { type AuditContext, writeAudit } from '#server/audit/audit.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { announceAccess } from '#server/identity/access-changes.queries.ts'

type Session = Insertable<DB['session']>
type Tokens = Omit<Insertable<DB['session_token']>, 'id_hash'>

export async function insertSignInSession(db: Kysely<DB>, session: Session, tokens: Tokens): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const expired = await tx
      .deleteFrom('session')
      .where('expires_at', '<', session.created_at)
      .returning('id_hash')
      .execute()
    await announceEnds(
      tx,
      expired.map(({ id_hash }) => id_hash),
    )
    await tx.insertInto('session').values(session).execute()
    await tx
      .insertInto('session_token')
      .values({ ...tokens, id_hash: session.id_hash })
      .execute()
  })
}

/** A session that ends takes its open streams with it, in every process. */
async function announceEnds(tx: Transaction<DB>, idHashes: readonly Buffer[]): Promise<void> {
  const ended = idHashes.map((hash) => hash.toString('hex'))
  await announceAccess(tx, ended, 'session')
  await sql`select pg_notify('session_end', ended) from unnest(${ended}::text[]) ended`.execute(tx)
}

/** Sessions of people that have not ended, of the whole installation. */
export async function countSignInSessions(db: Kysely<DB>, now: Date): Promise<{ count: number }[]> {
  return db
    .selectFrom('session')
    .where('expires_at', '>', now)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .execute()
}

export async function touchSignInSession(db: Kysely<DB>, idHash: Buffer, at: Date): Promise<void> {
  await db.updateTable('session').set({ last_seen_at: at }).where('id_hash', '=', idHash).execute()
}

/** A contact as whom staff view the portal, and the account on which they began to. */
export type Viewing = { readonly email: string; readonly customerNumber: string | null }

export async function findViewing(db: Kysely<DB>, idHash: Buffer): Promise<Viewing | undefined> {
  const row = await db
    .selectFrom('session')
    .select(['viewing_as', 'viewing_on'])
    .where('id_hash', '=', idHash)
    .executeTakeFirst()
  return row && viewingIn(row)
}

const viewingIn = ({ viewing_as, viewing_on }: Pick<Selectable<DB['session']>, 'viewing_as' | 'viewing_on'>) =>
  viewing_as === null ? undefined : { email: viewing_as, customerNumber: viewing_on }

/** Staff view the portal as a contact; null ends it. */
export async function saveViewing(tx: Transaction<DB>, idHash: Buffer, viewing: Viewing | null): Promise<void> {
  await tx
    .updateTable('session')
    .set({ viewing_as: viewing?.email ?? null, viewing_on: viewing?.customerNumber ?? null })
    .where('id_hash', '=', idHash)
    .execute()
  await announceAccess(tx, [idHash.toString('hex')], 'session')
}

/** A view as a contact also ends with the session. */
export async function auditEndOfView(
  db: Kysely<DB> | Transaction<DB>,
  context: AuditContext,
  viewing: Viewing | undefined,
): Promise<void> {
  if (!viewing) return
  const { email, customerNumber } = viewing
  await writeAudit(db, context, {
    action: STOP_VIEWING,
    target: email,
    ...(customerNumber === null ? {} : { customerNumber }),
  })
}

type EndedSignInSession = {
  email: string
  account_provider: string | null
  id_token: Buffer | null
  refresh_token: Buffer | null
  /** The view that ended with the session. */
  viewing: Viewing | undefined
}

/** Returns the person of the session, and the provider's tokens for it. */
export async function deleteSignInSession(
  tx: Transaction<DB>,
  idHash: Buffer,
): Promise<EndedSignInSession | undefined> {
  await announceEnds(tx, [idHash])
  const ended = await tx
    .with('ended', (cte) =>
      cte
        .deleteFrom('session')
        .where('id_hash', '=', idHash)
        .returning(['id_hash', 'email', 'account_provider', 'viewing_as', 'viewing_on']),
    )
    .selectFrom('ended')
    .leftJoin('session_token', 'session_token.id_hash', 'ended.id_hash')
    .select([
      'ended.email',
      'ended.account_provider',
      'ended.viewing_as',
      'ended.viewing_on',
      'session_token.id_token',
      'session_token.refresh_token',
    ])
    .executeTakeFirst()
  return ended && { ...ended, viewing: viewingIn(ended) }
}

/** Ends all sessions of a person, unless they are staff. Answers how many. */
export async function deleteSignInSessionsOf(tx: Transaction<DB>, email: string): Promise<number> {
  const { rows } = await sql<{ id_hash: Buffer }>`
    delete from session s
     where s.email = ${email} and cardinality(s.claim_roles) = 0
       and not exists (select 1 from staff_role r where r.email = ${email})
    returning s.id_hash`.execute(tx)
  await announceEnds(
    tx,
    rows.map(({ id_hash }) => id_hash),
  )
  return rows.length
}

export async function keepAttempt(
  db: Kysely<DB>,
  attempt: Insertable<DB['sign_in_attempt']>,
  now: Date,
): Promise<void> {
  await db.deleteFrom('sign_in_attempt').where('expires_at', '<', now).execute()
  await db.insertInto('sign_in_attempt').values(attempt).execute()
}

export function findAttempt(db: Kysely<DB>, idHash: Buffer) {
  return db.selectFrom('sign_in_attempt').selectAll().where('id_hash', '=', idHash).executeTakeFirst()
}

/** An attempt can be used once: a replayed callback finds nothing. */
export function takeAttempt(db: Kysely<DB>, idHash: Buffer) {
  return db.deleteFrom('sign_in_attempt').where('id_hash', '=', idHash).returningAll().executeTakeFirst()
}

export async function rememberPerson(
  db: Kysely<DB>,
  person: { email: string; firstName: string; lastName: string; at: Date },
): Promise<void> {
  const names = {
    ...(person.firstName ? { first_name: person.firstName } : {}),
    ...(person.lastName ? { last_name: person.lastName } : {}),
  }
  await db
    .insertInto('person')
    .values({ email: person.email, ...names, last_sign_in_at: person.at })
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ ...names, last_sign_in_at: person.at }))
    .execute()
}

/** The account through whose own provider the person of a session has signed in. */
export async function findAccountOfSession(db: Kysely<DB>, idHash: Buffer): Promise<string | null> {
  const row = await db.selectFrom('session').select('account_provider').where('id_hash', '=', idHash).executeTakeFirst()
  return row?.account_provider ?? null
}

/** Ends the sessions that began at the provider of an account: all, or those of people of other domains than these. */
export async function deleteSignInSessionsOfAccount(
  tx: Transaction<DB>,
  customerNumber: string,
  domains: readonly string[],
): Promise<number> {
  const ended = await tx
    .deleteFrom('session')
    .where('account_provider', '=', customerNumber)
    .where(sql<boolean>`split_part(email, '@', 2) <> all (${[...domains]}::text[])`)
    .returning('id_hash')
    .execute()
  await announceEnds(
    tx,
    ended.map(({ id_hash }) => id_hash),
  )
  return ended.length
}

/** Finds the sign-in sessions (SHA-256 of their ids, in hex) that are neither over nor idle for too long. */
export async function listLivingSignInSessions(
  db: Kysely<DB>,
  hashes: readonly string[],
  now: Date,
  idleLimit: number,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('session')
    .select('id_hash')
    .where(
      'id_hash',
      'in',
      hashes.map((hash) => Buffer.from(hash, 'hex')),
    )
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', new Date(now.getTime() - idleLimit))
    .execute()
  return new Set(rows.map((row) => row.id_hash.toString('hex')))
}
