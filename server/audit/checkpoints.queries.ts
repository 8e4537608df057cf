import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'

export type CheckpointRow = Selectable<DB['audit_checkpoint']>

export async function insertCheckpoint(tx: Transaction<DB>, row: Insertable<DB['audit_checkpoint']>): Promise<void> {
  await tx
    .insertInto('audit_checkpoint')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The checkpoints of a chain, the newest first. */
export function listCheckpoints(db: Kysely<DB>, customerNumber: string, limit?: number): Promise<CheckpointRow[]> {
  const all = db
    .selectFrom('audit_checkpoint')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .orderBy('sequence', 'desc')
  return (limit === undefined ? all : all.limit(limit)).execute()
}

/** Chains that have grown since their last checkpoint. */
export async function listHeadsWithoutCheckpoint(
  db: Kysely<DB>,
): Promise<{ customerNumber: string; sequence: number; hash: Buffer }[]> {
  const { rows } = await sql<{ customerNumber: string; sequence: string; hash: Buffer }>`
    select h.customer_number as "customerNumber", h.sequence, h.hash from audit_head h
     where h.sequence > 0 and not exists (
       select 1 from audit_checkpoint c where c.customer_number = h.customer_number and c.sequence = h.sequence)
     order by 1`.execute(db)
  return rows.map((row) => ({ ...row, sequence: Number(row.sequence) }))
}

/** The newest checkpoint of every chain that has one since then. */
export async function listNewestSince(db: Kysely<DB>, since: Date): Promise<Map<string, number>> {
  const { rows } = await sql<{ customer_number: string; sequence: string }>`
    select customer_number, max(sequence) as sequence from audit_checkpoint where made_at > ${since}
     group by customer_number order by customer_number`.execute(db)
  return new Map(rows.map((row) => [row.customer_number, Number(row.sequence)]))
}

/** Entries of the portal's own log that name checkpoints (docs/audit-log.md). */
const NAMES_CHECKPOINTS = sql`customer_number = '' and action = 'audit.checkpoint' and after ? 'ends'`

/** When the portal's own log named checkpoints last. */
export async function findLastNaming(db: Kysely<DB>): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date }>`
    select at from audit_log where ${NAMES_CHECKPOINTS} order by at desc limit 1`.execute(db)
  return rows[0]?.at
}

/** The checkpoints that the portal's own log names, by chain: of one account, or of all. */
export async function listNamedCheckpoints(db: Kysely<DB>, customerNumber?: string): Promise<Map<string, number[]>> {
  const one = customerNumber ?? null
  const { rows } = await sql<{ chain: string; sequences: number[] }>`
    select e.key as chain, json_agg(e.value) as sequences
      from audit_log l, jsonb_each(l.after -> 'ends') e
     where ${NAMES_CHECKPOINTS} and (${one}::text is null or e.key = ${one})
     group by e.key`.execute(db)
  return new Map(rows.map(({ chain, sequences }) => [chain, sequences]))
}

/** The keys that entries of the portal's own log say that checkpoints were signed with. */
export async function listNamedKeys(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct after ->> 'keyId' as key from audit_log where ${NAMES_CHECKPOINTS} order by 1`.execute(db)
  return rows.map(({ key }) => key)
}
