import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { Month } from '#domain/elastic/usage/archived-months.ts'
import { copyStatement } from '#server/backup/copy-statement.ts'
import { CopyIn, CopyOut } from '#server/db/copy-stream.ts'
import type { DB } from '#server/db/schema.ts'
import { USAGE_COLUMNS } from '#server/modules/elastic/usage/usage-booking.queries.ts'

/** What is compared wherever a month has to be the same: of a partition, of a file that was read, or as it was noted. */
export type Totals = { readonly transactions: string; readonly charge: string; readonly hours: string }
export type ArchivedMonth = Selectable<DB['usage_archive']>

/** Hours follow from the other columns. What only running sessions have is empty in a month. */
const COLUMNS = ['transaction_number', ...USAGE_COLUMNS]
const CHECKED = 'archived_month'

export const partitionOf = (month: Month): string => `usage_transaction_${month.replace('-', '_')}`
export const firstDayOf = (month: Month): CalendarDay => `${month}-01`

/** The day before which transactions are only in files; null where none are. */
export async function findArchivedBefore(db: Kysely<DB>): Promise<CalendarDay | null> {
  const { rows } = await sql<{ day: CalendarDay | null }>`
    select (max(month) + interval '1 month')::date as day from usage_archive where detached_at is not null`.execute(db)
  return rows[0]?.day ?? null
}

export function listArchivedMonths(db: Kysely<DB>): Promise<ArchivedMonth[]> {
  return db.selectFrom('usage_archive').selectAll().orderBy('month').execute()
}

export async function saveArchivedMonth(tx: Transaction<DB>, row: ArchivedMonth): Promise<void> {
  await tx
    .insertInto('usage_archive')
    .values(row)
    .onConflict((conflict) => conflict.column('month').doUpdateSet(row))
    .execute()
}

export async function setDetached(
  tx: Transaction<DB>,
  month: Month,
  detached: { readonly at: Date; readonly by: string } | null,
): Promise<void> {
  await tx
    .updateTable('usage_archive')
    .set({ detached_at: detached?.at ?? null, detached_by: detached?.by ?? null })
    .where('month', '=', firstDayOf(month))
    .execute()
}

export async function findTotals(db: Kysely<DB>, table: string): Promise<Totals> {
  const { rows } = await sql<Totals>`
    select count(*)::text as transactions, coalesce(sum(charge), 0)::text as charge, coalesce(sum(hours), 0)::text as hours
      from ${sql.id(table)}`.execute(db)
  return rows[0]!
}

export async function copyMonthOut(
  tx: Transaction<DB>,
  month: Month,
  take: (chunk: Buffer) => Promise<void>,
): Promise<void> {
  const table = { name: partitionOf(month), columns: COLUMNS }
  await tx.executeQuery(copyStatement(tx, table, 'to stdout (format csv, header)', new CopyOut(take)))
}

const copyIn = (tx: Transaction<DB>, name: string, bytes: AsyncIterable<Buffer>) =>
  tx.executeQuery(copyStatement(tx, { name, columns: COLUMNS }, 'from stdin (format csv, header)', new CopyIn(bytes)))

/** Whether a file has the transactions of a month, all of them and each with all that it says. */
export async function isMonthIn(tx: Transaction<DB>, month: Month, bytes: AsyncIterable<Buffer>): Promise<boolean> {
  await sql`create temp table ${sql.id(CHECKED)} (like usage_transaction including generated)`.execute(tx)
  await copyIn(tx, CHECKED, bytes)
  const found = await digestOf(tx, CHECKED)
  const isSame = found === (await digestOf(tx, partitionOf(month)))
  await sql`drop table ${sql.id(CHECKED)}`.execute(tx)
  return isSame
}

/** Equal rows have equal digests, in any order. */
async function digestOf(tx: Transaction<DB>, table: string): Promise<string | undefined> {
  const columns = sql.join([...COLUMNS, 'hours'].map((name) => sql.id(name)))
  const { rows } = await sql<{ digest: string }>`
    select count(*) || ' ' || coalesce(sum(hashtextextended(row(${columns})::text, 0)), 0) as digest
      from ${sql.id(table)}`.execute(tx)
  return rows[0]?.digest
}

/** Nothing is booked in the month until the transaction ends, and reading goes on. A wait for a lock is short: others wait behind it. */
export async function closeMonth(tx: Transaction<DB>, month: Month): Promise<void> {
  await sql`set local lock_timeout = '5s'`.execute(tx)
  // Citus: one connection to each node, so that the partition goes in the transaction that has read it.
  await sql`select set_config('citus.multi_shard_modify_mode', 'sequential', true)`.execute(tx)
  await sql`lock table ${sql.id(partitionOf(month))} in share mode`.execute(tx)
}

/** Keeps what the transactions of a month add up to, by all that sums are kept by. */
export async function saveArchivedSums(tx: Transaction<DB>, month: Month): Promise<void> {
  const kinds = [
    ['usage_day', 'u.product', 'true'],
    ['usage_user_day', 'u.user_name', 'true'],
    ['usage_project_day', `coalesce(u.project, '')`, 'true'],
    ['usage_host_day', 'u.host', 'true'],
    ['corrections', `''`, 'u.corrects is not null'],
  ] as const
  for (const [sums, name, which] of kinds)
    await sql`
      insert into archived_usage_sum (customer_number, sums, day, activation_id, name, currency, month, charge, hours, transactions)
      select u.customer_number, ${sql.lit(sums)}, (u.ends_at at time zone a.time_zone)::date, u.activation_id, ${sql.raw(name)},
             u.currency, ${sql.lit(firstDayOf(month))}::date, sum(u.charge), sum(u.hours), count(*)
        from ${sql.id(partitionOf(month))} u join account a on a.customer_number = u.customer_number
       where ${sql.raw(which)}
       group by 1, 2, 3, 4, 5, 6`.execute(tx)
}

/** Changes with the time zone of any account. */
export async function findZones(tx: Transaction<DB>): Promise<string | undefined> {
  const { rows } = await sql<{ zones: string }>`
    select sum(hashtextextended(customer_number || ' ' || time_zone, 0))::text as zones from account`.execute(tx)
  return rows[0]?.zones
}

/** Locks usage: waits for running readers, and later readers wait for the end of the transaction. */
export async function detachPartition(tx: Transaction<DB>, month: Month): Promise<void> {
  await sql`alter table usage_transaction detach partition ${sql.id(partitionOf(month))}`.execute(tx)
}

export async function dropPartition(tx: Transaction<DB>, month: Month): Promise<void> {
  await sql`drop table ${sql.id(partitionOf(month))}`.execute(tx)
}

/** Restores a month from its file. Its transactions were booked once, so they are not added to the sums again. */
export async function loadMonth(tx: Transaction<DB>, month: Month, bytes: AsyncIterable<Buffer>): Promise<Totals> {
  const first = sql`${firstDayOf(month)}::timestamp`
  const partition = sql.id(partitionOf(month))
  await sql`select create_usage_month(${first})`.execute(tx)
  await sql`alter table ${partition} disable trigger user`.execute(tx)
  await copyIn(tx, partitionOf(month), bytes)
  const totals = await findTotals(tx, partitionOf(month))
  await tx.deleteFrom('archived_usage_sum').where('month', '=', firstDayOf(month)).execute()
  await sql`select attach_usage_month(${first})`.execute(tx)
  // Citus moves the rows when they are attached, which is no booking either.
  await sql`alter table ${partition} enable trigger user`.execute(tx)
  return totals
}

/** Sums the use of limits on two things again. They are made from rows alone, so those of a month that was away are missing. */
export async function sumLimitedPairs(tx: Transaction<DB>): Promise<void> {
  const pairs = await tx
    .deleteFrom('usage_limited')
    .where(sql<boolean>`subject like '%+%'`)
    .returning(['customer_number', 'subject'])
    .execute()
  // A trigger sums what was used when a kind of limit is added.
  if (pairs.length > 0) await tx.insertInto('usage_limited').values(pairs).execute()
}
