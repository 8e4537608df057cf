import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Access } from '#domain/access-review/access.ts'
import { accessId, isUnused } from '#domain/access-review/access.ts'
import type { Decision, Progress } from '#domain/access-review/decision.ts'
import { DEFAULT_SETTINGS, type ReviewSettings } from '#domain/access-review/schedule.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import { isOpenToContacts } from '#server/modules/accounts/accounts.public.ts'

export type ReviewRow = Selectable<DB['access_review']>
export type EntryRow = Selectable<DB['access_review_entry']>
export type ReviewKey = { readonly customerNumber: string; readonly reviewId: string }

/** Opening, deciding and finishing on one account wait for each other. */
export async function lockReviews(tx: Transaction<DB>, customerNumber: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('access reviews'), hashtext(${customerNumber}))`.execute(tx)
}

export function findReview(db: Kysely<DB>, { customerNumber, reviewId }: ReviewKey): Promise<ReviewRow | undefined> {
  return db
    .selectFrom('access_review')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .where('review_id', '=', reviewId)
    .executeTakeFirst()
}

export function findOpenReview(db: Kysely<DB>, customerNumber: string): Promise<ReviewRow | undefined> {
  return db
    .selectFrom('access_review')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .where('finished_at', 'is', null)
    .executeTakeFirst()
}

/** The day on which the last review was finished. */
export async function findLastFinish(db: Kysely<DB>, customerNumber: string): Promise<CalendarDay | null> {
  const row = await db
    .selectFrom('access_review')
    .select('finished_on')
    .where('customer_number', '=', customerNumber)
    .where('finished_at', 'is not', null)
    .orderBy('finished_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.finished_on ?? null
}

export async function insertReview(tx: Transaction<DB>, row: Insertable<DB['access_review']>): Promise<void> {
  await tx.insertInto('access_review').values(row).execute()
}

export async function updateReview(
  tx: Transaction<DB>,
  { customerNumber, reviewId }: ReviewKey,
  change: Partial<Insertable<DB['access_review']>>,
): Promise<void> {
  await tx
    .updateTable('access_review')
    .set(change)
    .where('customer_number', '=', customerNumber)
    .where('review_id', '=', reviewId)
    .execute()
}

/** Accesses as rows of a list, as they go into one JSON parameter. */
export const toEntries = (accesses: readonly Access[], now: Date) =>
  accesses.map((access) => ({
    entry_id: accessId(access),
    kind: access.kind,
    key: access.key,
    name: access.name,
    holder: access.holder,
    role: access.role,
    source: access.source,
    last_used_at: access.lastUsed,
    since: access.since,
    given_by: access.givenBy,
    is_unused: isUnused(access, now),
  }))

/** The rows of `toEntries` as a relation. */
export const ENTRY_COLUMNS = sql.raw(
  ['entry_id', 'kind', 'key', 'name', 'holder', 'role', 'source']
    .map((column) => `${column} text collate "C"`)
    .concat('last_used_at timestamptz', 'since timestamptz', 'given_by text collate "C"', 'is_unused boolean')
    .join(', '),
)

export async function insertEntries(
  tx: Transaction<DB>,
  { customerNumber, reviewId }: ReviewKey,
  entries: ReturnType<typeof toEntries>,
): Promise<void> {
  await sql`
    insert into access_review_entry (customer_number, review_id, entry_id, kind, key, name, holder, role, source,
                                     last_used_at, since, given_by, is_unused)
    select ${customerNumber}::text, ${reviewId}::uuid, e.entry_id, e.kind, e.key, e.name, e.holder, e.role, e.source,
           e.last_used_at, e.since, e.given_by, e.is_unused
      from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e(${ENTRY_COLUMNS})`.execute(tx)
}

export async function listEntries(
  db: Kysely<DB>,
  { customerNumber, reviewId }: ReviewKey,
  ids: readonly string[],
): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select * from access_review_entry e
     where e.customer_number = ${customerNumber} and e.review_id = ${reviewId} and e.entry_id = any (${[...ids]})`.execute(
    db,
  )
  return rows
}

/** All entries in the order of the report: what nobody has used comes first, as on the screen. */
export function listAllEntries(db: Kysely<DB>, { customerNumber, reviewId }: ReviewKey): Promise<EntryRow[]> {
  return db
    .selectFrom('access_review_entry')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .where('review_id', '=', reviewId)
    .orderBy('is_unused', 'desc')
    .orderBy('last_used_at', (order) => order.asc().nullsLast())
    .orderBy('name')
    .orderBy('entry_id')
    .execute()
}

/** Decides on these entries and counts it. */
export async function saveDecisions(
  tx: Transaction<DB>,
  { customerNumber, reviewId }: ReviewKey,
  ids: readonly string[],
  made: { readonly decision: Decision; readonly by: string; readonly at: Date; readonly reason: string },
): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update access_review_entry set decision = ${made.decision}, decided_by = ${made.by}, decided_at = ${made.at},
           reason = ${made.reason}, revision = revision + 1
     where customer_number = ${customerNumber} and review_id = ${reviewId} and entry_id = any (${[...ids]})`.execute(tx)
}

export async function countDecisions(db: Kysely<DB>, { customerNumber, reviewId }: ReviewKey): Promise<Progress> {
  const { rows } = await sql<{ decision: Decision; count: number }>`
    select decision, count(*)::int as count from access_review_entry
     where customer_number = ${customerNumber} and review_id = ${reviewId} group by decision`.execute(db)
  const counts = new Map(rows.map(({ decision, count }) => [decision, count]))
  const of = (decision: Decision) => counts.get(decision) ?? 0
  return { open: of('open'), kept: of('kept'), 'taken-away': of('taken-away'), gone: of('gone') }
}

export type ChosenSettings = { readonly settings: ReviewSettings; readonly chosenOn: CalendarDay | null }

export async function loadSettings(db: Kysely<DB>, customerNumber: string): Promise<ChosenSettings> {
  const row = await db
    .selectFrom('access_review_settings')
    .select(['every', 'due_days', 'chosen_on'])
    .where('customer_number', '=', customerNumber)
    .executeTakeFirst()
  if (!row) return { settings: DEFAULT_SETTINGS, chosenOn: null }
  return { settings: { every: row.every, dueDays: row.due_days }, chosenOn: row.chosen_on }
}

export async function saveSettings(
  tx: Transaction<DB>,
  customerNumber: string,
  { every, dueDays }: ReviewSettings,
  { email, at, chosenOn }: { readonly email: string; readonly at: Date; readonly chosenOn: CalendarDay },
): Promise<void> {
  const saved = { every, due_days: dueDays, chosen_on: chosenOn, saved_by: email, saved_at: at }
  await tx
    .insertInto('access_review_settings')
    .values({ customer_number: customerNumber, ...saved })
    .onConflict((conflict) => conflict.column('customer_number').doUpdateSet(saved))
    .execute()
}

/** Accounts whose reviews may have to be opened or reminded of: those with a period or an open review. */
export async function listReviewedAccounts(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ customer_number: string }>`
    select a.customer_number from account a
     where ${isOpenToContacts} and (
           exists (select 1 from access_review_settings s where s.customer_number = a.customer_number and s.every > 0)
        or exists (select 1 from access_review r where r.customer_number = a.customer_number and r.finished_at is null))
     order by a.customer_number`.execute(db)
  return rows.map(({ customer_number }) => customer_number)
}

/** False if another process was faster. */
export async function insertFile(tx: Transaction<DB>, row: Insertable<DB['access_review_file']>): Promise<boolean> {
  const inserted = await tx
    .insertInto('access_review_file')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('review_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** The content of a file as it was signed; undefined until it is made. */
export async function findFile(
  db: Kysely<DB>,
  { customerNumber, reviewId }: ReviewKey,
  kind: 'csv' | 'pdf' | 'signature',
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ content: Buffer | string }>`
    select f.${sql.ref(kind)} as content from access_review_file f
     where f.customer_number = ${customerNumber} and f.review_id = ${reviewId}`.execute(db)
  return rows[0] && Buffer.from(rows[0].content as string)
}

export async function hasFile(db: Kysely<DB>, { customerNumber, reviewId }: ReviewKey): Promise<boolean> {
  const row = await db
    .selectFrom('access_review_file')
    .select('made_at')
    .where('customer_number', '=', customerNumber)
    .where('review_id', '=', reviewId)
    .executeTakeFirst()
  return row !== undefined
}

/** What is open on Home: how much is undecided, and until when. */
export async function findOpenWork(
  db: Kysely<DB>,
  customerNumber: string,
): Promise<{ undecided: number; dueOn: CalendarDay } | null> {
  const { rows } = await sql<{ undecided: number; dueOn: CalendarDay }>`
    select r.due_on as "dueOn",
           (select count(*)::int from access_review_entry e
             where e.customer_number = ${customerNumber} and e.review_id = r.review_id and e.decision = 'open') as undecided
      from access_review r where r.customer_number = ${customerNumber} and r.finished_at is null`.execute(db)
  return rows[0] ?? null
}
