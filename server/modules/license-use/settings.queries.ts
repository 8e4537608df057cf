import { type Kysely, sql, type Transaction } from 'kysely'
import type { LogReaderState } from '#domain/license-use/logs/log-reader.ts'
import type { WaitingSettings } from '#domain/license-use/waiting/waiting-rules.ts'
import type { DB } from '#server/db/schema.ts'

export function findSettings(db: Kysely<DB>, customerNumber: string) {
  return db
    .selectFrom('license_use_settings')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .executeTakeFirst()
}

type SettingsToSave = WaitingSettings & {
  readonly hasPseudonyms: boolean
  readonly keptDays: number
  readonly secret: Buffer
}

export async function saveSettings(
  tx: Transaction<DB>,
  customerNumber: string,
  { hasPseudonyms, keptDays, offerMinutes, askHours, secret }: SettingsToSave,
  { email, at }: { email: string; at: Date },
): Promise<void> {
  await sql`
    insert into license_use_settings (customer_number, has_pseudonyms, pseudonym_secret, kept_days, offer_minutes, ask_hours, saved_by, saved_at)
    values (${customerNumber}, ${hasPseudonyms}, ${secret}, ${keptDays}, ${offerMinutes}, ${askHours}, ${email}, ${at})
    on conflict (customer_number) do update set has_pseudonyms = excluded.has_pseudonyms, kept_days = excluded.kept_days,
      offer_minutes = excluded.offer_minutes, ask_hours = excluded.ask_hours, saved_by = excluded.saved_by, saved_at = excluded.saved_at`.execute(
    tx,
  )
}

const NAMED_TABLES = [
  'license_checkout',
  'license_denial',
  'license_use_day',
  'license_holder',
  'license_seen_checkout',
  'license_wait',
] as const

/** The names of users that are stored and are no pseudonyms. */
export async function listUserNames(tx: Kysely<DB>, customerNumber: string): Promise<string[]> {
  const names = new Set<string>()
  for (const table of NAMED_TABLES) {
    const { rows } = await sql<{ name: string }>`
      select distinct user_name as name from ${sql.table(table)}
       where customer_number = ${customerNumber} and user_name <> '' and user_name !~ '^user-[0-9a-f]{10}$'`.execute(tx)
    for (const { name } of rows) names.add(name)
  }
  return [...names]
}

/** Replaces names of users everywhere. Days of users who get the same name are added up. */
export async function renameStoredUsers(
  tx: Transaction<DB>,
  customerNumber: string,
  names: readonly string[],
  pseudonyms: readonly string[],
): Promise<void> {
  const renamed = sql`unnest(${[...names]}::text[], ${[...pseudonyms]}::text[]) as r (name, pseudonym)`
  for (const table of NAMED_TABLES.filter((name) => name !== 'license_use_day'))
    await sql`
      update ${sql.table(table)} t set user_name = r.pseudonym from ${renamed}
       where t.customer_number = ${customerNumber} and t.user_name = r.name`.execute(tx)
  await sql`
    with taken as (
      delete from license_use_day t using ${renamed} where t.customer_number = ${customerNumber} and t.user_name = r.name
      returning t.host_id, t.feature, t.day, r.pseudonym, t.user_host, t.seat_seconds, t.checkouts, t.real_denials)
    insert into license_use_day as d (customer_number, host_id, feature, day, user_name, user_host, seat_seconds, checkouts, real_denials)
    select ${customerNumber}, host_id, feature, day, pseudonym, user_host, sum(seat_seconds), sum(checkouts), sum(real_denials)
      from taken group by host_id, feature, day, pseudonym, user_host
    on conflict (customer_number, host_id, feature, day, user_name, user_host) do update set
      seat_seconds = d.seat_seconds + excluded.seat_seconds, checkouts = d.checkouts + excluded.checkouts,
      real_denials = d.real_denials + excluded.real_denials`.execute(tx)
}

/** Waits for first reports of license servers, which `lockReports` does not see until they are stored. They refer to the account. */
export async function waitForReports(db: Kysely<DB>, customerNumber: string): Promise<void> {
  await sql`select 1 from account where customer_number = ${customerNumber} for update`.execute(db)
}

/** Lets no license server of an account report until the end of the transaction. */
export async function lockReports(tx: Transaction<DB>, customerNumber: string): Promise<void> {
  await sql`select 1 from license_report where customer_number = ${customerNumber} order by host_id for update`.execute(
    tx,
  )
}

type LogState = { host_id: string; number: number; state: Partial<LogReaderState> }

export async function listLogStates(tx: Transaction<DB>, customerNumber: string): Promise<LogState[]> {
  const { rows } = await sql<LogState>`
    select host_id, number, state from license_log where customer_number = ${customerNumber} for update`.execute(tx)
  return rows
}

export async function saveLogState(
  tx: Transaction<DB>,
  customerNumber: string,
  { host_id, number, state }: LogState,
): Promise<void> {
  await sql`
    update license_log set state = ${JSON.stringify(state)}
     where customer_number = ${customerNumber} and host_id = ${host_id} and number = ${number}`.execute(tx)
}

type LogRest = { host_id: string; number: number; rest: Buffer }

/** The unfinished last lines of logs that have not grown since a time. */
export async function listRests(db: Kysely<DB>, customerNumber: string, before: Date): Promise<LogRest[]> {
  const { rows } = await sql<LogRest>`
    select host_id, number, rest from license_log
     where customer_number = ${customerNumber} and length(rest) > 0 and last_at < ${before.toISOString().slice(0, 19)}::timestamp`.execute(
    db,
  )
  return rows
}

/** Replaces an unfinished last line, unless the log has grown. */
export async function replaceRest(
  db: Kysely<DB>,
  customerNumber: string,
  { host_id, number, rest }: LogRest,
  hidden: Buffer,
): Promise<void> {
  await sql`
    update license_log set rest = ${hidden}
     where customer_number = ${customerNumber} and host_id = ${host_id} and number = ${number} and rest = ${rest}`.execute(
    db,
  )
}

/**
 * Removes single checkouts and denials of an account before the day of a time, and notes it, so that their sums are not made again
 * from what is left. Returns how many there were.
 */
export async function deleteEventsBefore(db: Kysely<DB>, customerNumber: string, before: Date): Promise<number> {
  const limit = before.toISOString().slice(0, 10)
  const { rows } = await sql<{ removed: string }>`
    with checkouts as (
      delete from license_checkout where customer_number = ${customerNumber} and out_at < ${limit}::timestamp
         and in_at < ${limit}::timestamp returning 1),
    denials as (delete from license_denial where customer_number = ${customerNumber} and at < ${limit}::timestamp returning 1),
    samples as (delete from license_sample where customer_number = ${customerNumber} and hour < ${limit}::timestamp returning 1),
    seen as (
      delete from license_seen_checkout where customer_number = ${customerNumber} and last_seen_at < ${limit}::timestamp returning 1),
    lifecycle as (delete from license_lifecycle where customer_number = ${customerNumber} and at < ${limit}::timestamp returning 1),
    noted as (
      update license_report set removed_before = ${limit}::timestamp
       where customer_number = ${customerNumber} and coalesce(removed_before, '-infinity') < ${limit}::timestamp returning 1)
    select (select count(*) from checkouts) + (select count(*) from denials) as removed`.execute(db)
  return Number(rows[0]?.removed ?? 0)
}

/** Parts that arrived long ago: nobody sends them again, nor those before them. */
export async function deletePartsBefore(db: Kysely<DB>, customerNumber: string, before: Date): Promise<void> {
  await sql`
    delete from license_log_part where customer_number = ${customerNumber} and arrived_at < ${before}`.execute(db)
}

/** Accounts that have reports or uploads, each with the days that it keeps single events. */
export async function listReportingAccounts(db: Kysely<DB>): Promise<{ customerNumber: string; keptDays: number }[]> {
  const { rows } = await sql<{ customerNumber: string; keptDays: number }>`
    select r.customer_number as "customerNumber", coalesce(s.kept_days, 400) as "keptDays"
      from (select customer_number from license_report union select customer_number from license_upload_part) r left join license_use_settings s using (customer_number)`.execute(
    db,
  )
  return rows
}
