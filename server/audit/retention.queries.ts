import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'

/**
 * Where a chain can begin anew: the newest checkpoint up to which every row is older than the retention. Nothing if there is
 * no row to remove.
 */
export async function findRemovableEnd(
  db: Kysely<DB>,
  customerNumber: string,
  before: Date,
): Promise<number | undefined> {
  const { rows } = await sql<{ sequence: string | null }>`
    select max(c.sequence) as sequence from audit_checkpoint c
     where c.customer_number = ${customerNumber}
       and c.sequence >= (select min(s.sequence) from audit_seal s where s.customer_number = ${customerNumber})
       and c.sequence < coalesce((
             select min(s.sequence) from audit_seal s join audit_log l on l.customer_number = ${customerNumber} and l.id = s.audit_id
              where s.customer_number = ${customerNumber} and l.at >= ${before}),
             (select h.sequence + 1 from audit_head h where h.customer_number = ${customerNumber}))`.execute(db)
  const sequence = rows[0]?.sequence
  return sequence == null ? undefined : Number(sequence)
}

/** Removes the beginning of a chain. For the owner of the tables only: the portal's role may not delete here. */
export async function removeRows(tx: Transaction<DB>, customerNumber: string, upTo: number): Promise<number> {
  // On shards the nodes get settings only if they are told to; elsewhere this is an unknown name, which does no harm.
  await sql`set local citus.propagate_set_commands = 'local'`.execute(tx)
  await sql`set local portal.audit_retention = 'on'`.execute(tx)
  await sql`
    delete from audit_log l using audit_seal s
     where s.customer_number = ${customerNumber} and s.sequence <= ${upTo}
       and l.customer_number = ${customerNumber} and l.id = s.audit_id`.execute(tx)
  const { numDeletedRows } = await tx
    .deleteFrom('audit_seal')
    .where('customer_number', '=', customerNumber)
    .where('sequence', '<=', String(upTo))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Chains with a row that is older than the retention. */
export async function listChainsToShorten(db: Kysely<DB>, before: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_log')
    .select('customer_number')
    .distinct()
    .where('at', '<', before)
    .orderBy('customer_number')
    .execute()
  return rows.map((row) => row.customer_number)
}
