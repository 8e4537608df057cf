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
