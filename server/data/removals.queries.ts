import { type Kysely, sql, type Transaction } from 'kysely'
import type { RecordKindName } from '#contract/data/kinds.ts'
import { REMOVALS_KEPT_DAYS } from '#contract/data/removed-records.ts'
import type { DB } from '#server/db/schema.ts'

export type Removal = { readonly id: string; readonly customerNumber: string; readonly removedAt: string }

/** The removals of a kind after a position, in the order of their times. */
export async function pageOfRemovals(
  db: Kysely<DB>,
  kind: RecordKindName,
  { since, after, limit }: { since: Date; after: Removal | undefined; limit: number },
): Promise<Removal[]> {
  const { rows } = await sql<{ id: string; customer_number: string; removed_at: Date }>`
    select r.id, r.customer_number, r.removed_at from removed_record r
     where r.kind = ${kind} and r.removed_at >= ${since}
       and ${
         after
           ? sql`(r.removed_at, r.id, r.customer_number)
                 > (${after.removedAt}::timestamptz, ${after.id}, ${after.customerNumber})`
           : sql`true`
       }
     order by r.removed_at, r.id, r.customer_number limit ${limit}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    customerNumber: row.customer_number,
    removedAt: row.removed_at.toISOString(),
  }))
}

/** Notes the removal of records that belong to no account. Triggers note those of accounts: they are on the same node. */
export async function noteRemovals(tx: Transaction<DB>, kind: RecordKindName, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    insert into removed_record (customer_number, kind, id, removed_at)
    select '', ${kind}::text, id, date_trunc('milliseconds', clock_timestamp()) from unnest(${ids}::text[]) as removed (id)
    on conflict (customer_number, kind, id) do update set removed_at = excluded.removed_at`.execute(tx)
}

/** From this instant on, every removal is known. */
export async function removalsKnownSince(db: Kysely<DB>): Promise<Date> {
  const { rows } = await sql<{ since: Date }>`
    select greatest(removals_noted_since(), clock_timestamp() - make_interval(days => ${REMOVALS_KEPT_DAYS})) as since`.execute(
    db,
  )
  return rows[0]?.since ?? new Date()
}

/** Removals are kept a day longer than promised, so that a reader who is paging through them finds all of them. */
export async function deleteOldRemovals(db: Kysely<DB>): Promise<void> {
  await sql`
    delete from removed_record
     where removed_at < now() - make_interval(days => ${REMOVALS_KEPT_DAYS + 1})`.execute(db)
}

/**
 * An instant such that everything that a statement run after this one does not see will have changed at it or later. Rows
 * that are not seen yet are written by transactions that are running, none before the start of its transaction, or will be
 * written after now (docs/decisions/0077-changed-since.md). A writer is known by its locks: the number of its transaction
 * would be on the nodes that have the rows. Of other roles' sessions, such as those of the owner, the portal's role sees
 * neither kind nor start: their transactions are taken to have begun an hour ago, or when removals were first noted.
 */
export async function changesComeAfter(db: Kysely<DB>): Promise<string> {
  const { rows } = await sql<{ until: Date }>`
    select date_trunc('milliseconds', least(clock_timestamp(), (
      select min(case when a.backend_type is null
                      then greatest(clock_timestamp() - interval '1 hour', removals_noted_since()) else a.xact_start end)
        from pg_stat_activity a
       where a.datname = current_database() and coalesce(a.backend_type, 'client backend') = 'client backend'
         and exists (select 1 from pg_locks l where l.pid = a.pid and l.mode = 'RowExclusiveLock')))) as until`.execute(
    db,
  )
  return (rows[0]?.until ?? new Date(0)).toISOString()
}
