import { type Kysely, sql, type Transaction } from 'kysely'
import type { ActorKind, Outcome } from '#domain/audit/audit-line.ts'
import type { JsonValue } from '#domain/audit/canonical-json.ts'
import { namedStatement } from '#server/db/named-statements.ts'
import type { DB } from '#server/db/schema.ts'

/** Who acted, as the wire says it: of `audit_log l`. Acts of the portal by itself have a word in place of an address. */
export const ACTOR_KIND = `(case when l.address in ('schedule', 'identity provider') then 'portal'
  when l.principal = 'session' then 'person' else coalesce(l.principal, 'unknown') end)`

/** What the hash of a row is made of, apart from its place in the chain. */
const CONTENT = sql`
  l.at as time, l.email as actor, ${sql.raw(ACTOR_KIND)} as "actorKind", l.action, l.text, l.target, l.address, l.program,
  l.credential, l.outcome, l.reason, l.request_id as "requestId", l.before, l.after`

export type LoggedContent = {
  readonly time: Date
  readonly actor: string
  readonly actorKind: ActorKind
  readonly action: string
  readonly text: string
  readonly target: string | null
  readonly address: string
  readonly program: string | null
  readonly credential: string | null
  readonly outcome: Outcome
  readonly reason: string | null
  readonly requestId: string
  readonly before: JsonValue
  readonly after: JsonValue
}

// Each connection plans the statements of the sealer once: it runs them for every account that writes, every second.
const waitingAccounts = namedStatement<{ limit: number }, { customer_number: string }>(
  'audit-waiting',
  ({ limit }) => sql`select distinct customer_number from audit_pending limit ${limit}::int`,
)
const headForUpdate = namedStatement<{ customerNumber: string }, { sequence: string; hash: Buffer }>(
  'audit-head',
  ({ customerNumber }) =>
    sql`select sequence, hash from audit_head where customer_number = ${customerNumber} for update skip locked`,
)
const waitingRows = namedStatement<{ customerNumber: string; limit: number }, UnsealedRow>(
  'audit-rows',
  ({ customerNumber, limit }) => sql`
    select l.id as "auditId", ${CONTENT}
      from audit_pending p join audit_log l on l.customer_number = p.customer_number and l.id = p.audit_id
     where p.customer_number = ${customerNumber} and l.customer_number = ${customerNumber}
     order by p.audit_id limit ${limit}::int`,
)
type Seals = {
  customerNumber: string
  sequences: number[]
  ids: string[]
  before: Buffer[]
  hashes: Buffer[]
}
const addSeals = namedStatement<Seals, never>(
  'audit-seals',
  ({ customerNumber, sequences, ids, before, hashes }) => sql`
    insert into audit_seal (customer_number, sequence, audit_id, previous_hash, hash)
    select ${customerNumber}, v.* from unnest(${sequences}::bigint[], ${ids}::bigint[], ${before}::bytea[], ${hashes}::bytea[]) v`,
)
const moveHead = namedStatement<{ customerNumber: string; ids: string[]; sequence: number; hash: Buffer }, never>(
  'audit-move-head',
  ({ customerNumber, ids, sequence, hash }) => sql`
    with sealed as (
      delete from audit_pending where customer_number = ${customerNumber} and audit_id = any (${ids}::bigint[]))
    update audit_head set sequence = ${sequence}::bigint, hash = ${hash}::bytea where customer_number = ${customerNumber}`,
)

/** Accounts with rows that wait for their seal. */
export async function listUnsealedAccounts(db: Kysely<DB>, limit: number): Promise<string[]> {
  return (await waitingAccounts.run(db, { limit })).map((row) => row.customer_number)
}

/** How long the oldest row of the log has been waiting for its seal, in seconds: 0 where none waits. */
export async function measureSealing(db: Kysely<DB>, now: Date): Promise<{ count: number }[]> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(l.at) as at from audit_pending p
      join audit_log l on l.customer_number = p.customer_number and l.id = p.audit_id`.execute(db)
  const at = rows[0]?.at
  return [{ count: at ? Math.max(0, now.getTime() - at.getTime()) / 1000 : 0 }]
}

/** Locks the end of a chain. Undefined while another process seals rows of the account. */
export async function lockHead(
  tx: Transaction<DB>,
  customerNumber: string,
  start: Buffer,
): Promise<{ sequence: number; hash: Buffer } | undefined> {
  let [head] = await headForUpdate.run(tx, { customerNumber })
  if (!head) {
    await tx
      .insertInto('audit_head')
      .values({ customer_number: customerNumber, sequence: '0', hash: start })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    ;[head] = await headForUpdate.run(tx, { customerNumber })
  }
  return head && { sequence: Number(head.sequence), hash: head.hash }
}

type UnsealedRow = LoggedContent & { readonly auditId: string }

/** Rows that wait, in the order of their ids. One that commits later has its place after them. */
export const listUnsealedRows = (tx: Transaction<DB>, customerNumber: string, limit: number): Promise<UnsealedRow[]> =>
  waitingRows.run(tx, { customerNumber, limit })

export type NewSeal = {
  readonly sequence: number
  readonly auditId: string
  readonly previousHash: Buffer
  readonly hash: Buffer
}

/** Appends to a chain whose head is locked. */
export async function insertSeals(
  tx: Transaction<DB>,
  customerNumber: string,
  seals: readonly NewSeal[],
): Promise<void> {
  const last = seals.at(-1)
  if (!last) return
  const ids = seals.map(({ auditId }) => auditId)
  await addSeals.run(tx, {
    customerNumber,
    sequences: seals.map(({ sequence }) => sequence),
    ids,
    before: seals.map(({ previousHash }) => previousHash),
    hashes: seals.map(({ hash }) => hash),
  })
  await moveHead.run(tx, { customerNumber, ids, sequence: last.sequence, hash: last.hash })
}

/** Seals without a row in the log have null in place of what it said. */
export type SealedRow = {
  readonly sequence: number
  readonly auditId: string
  readonly previousHash: Buffer
  readonly hash: Buffer
  readonly isLogged: boolean
} & LoggedContent

/** The next rows of a chain. */
export async function listSealedRows(
  db: Kysely<DB>,
  customerNumber: string,
  after: number,
  limit: number,
): Promise<SealedRow[]> {
  const { rows } = await sql<SealedRow & { sequence: string }>`
    select s.sequence, s.audit_id as "auditId", s.previous_hash as "previousHash", s.hash, l.id is not null as "isLogged",
           ${CONTENT}
      from (select * from audit_seal where customer_number = ${customerNumber} and sequence > ${after}
             order by sequence limit ${limit}) s
      left join audit_log l on l.customer_number = ${customerNumber} and l.id = s.audit_id
     order by s.sequence`.execute(db)
  return rows.map((row) => ({ ...row, sequence: Number(row.sequence) }))
}

export async function findHead(db: Kysely<DB>, customerNumber: string): Promise<{ sequence: number } | undefined> {
  const head = await db
    .selectFrom('audit_head')
    .select('sequence')
    .where('customer_number', '=', customerNumber)
    .executeTakeFirst()
  return head && { sequence: Number(head.sequence) }
}

/** Every chain, also one of which only a checkpoint or rows without seals are left. */
export async function listChains(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ customer_number: string }>`
    select customer_number from audit_head
    union select customer_number from audit_checkpoint
    union select customer_number from audit_log
    order by 1`.execute(db)
  return rows.map((row) => row.customer_number)
}

/** Rows of the log that no writer of the portal has added: they are neither sealed nor waiting for it. */
export async function listForeignRows(
  db: Kysely<DB>,
  customerNumber: string,
  limit: number,
): Promise<{ auditId: string; sequence: number }[]> {
  const { rows } = await sql<{ auditId: string; sequence: string }>`
    select l.id as "auditId",
           coalesce((select max(b.sequence) from audit_seal b
                      where b.customer_number = ${customerNumber} and b.audit_id < l.id), 0) as sequence
      from audit_log l
     where l.customer_number = ${customerNumber}
       and not exists (select 1 from audit_seal s where s.customer_number = ${customerNumber} and s.audit_id = l.id)
       and not exists (select 1 from audit_pending p where p.customer_number = ${customerNumber} and p.audit_id = l.id)
     order by l.id limit ${limit}`.execute(db)
  return rows.map((row) => ({ auditId: row.auditId, sequence: Number(row.sequence) }))
}
