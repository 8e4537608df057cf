import { type Kysely, sql, type Transaction } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { Ending } from '#domain/reminders/due-reminders.ts'
import { NO_REMINDERS, type Reminders } from '#domain/reminders/reminders.ts'
import type { DB } from '#server/db/schema.ts'
import { isListedEntitlement } from '#server/identity/listed-entitlements.queries.ts'
import { isOpenToContacts } from '#server/modules/accounts/accounts.public.ts'
import { soldEntitlements } from '#server/modules/entitlements/entitlements.public.ts'

/** Locks the reminders of an account, so that saves and checks are serialized. */
export async function lockReminders(tx: Transaction<DB>, customerNumber: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('reminders'), hashtext(${customerNumber}))`.execute(tx)
}

export async function loadReminders(db: Kysely<DB>, customerNumber: string): Promise<Reminders> {
  const row = await db
    .selectFrom('reminder_settings')
    .select('settings')
    .where('customer_number', '=', customerNumber)
    .executeTakeFirst()
  return row ? { ...NO_REMINDERS, ...row.settings } : NO_REMINDERS
}

export async function saveReminders(
  tx: Transaction<DB>,
  customerNumber: string,
  reminders: Reminders,
  by: { readonly email: string; readonly at: Date },
): Promise<void> {
  const saved = { settings: JSON.stringify(reminders), saved_by: by.email, saved_at: by.at }
  await tx
    .insertInto('reminder_settings')
    .values({ customer_number: customerNumber, ...saved })
    .onConflict((conflict) => conflict.column('customer_number').doUpdateSet(saved))
    .execute()
}

/** Accounts with a recipient. Those that export compliance has closed or whose access is disabled get no mail. */
export async function listRemindedAccounts(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ customer_number: string }>`
    select r.customer_number
      from reminder_settings r join account a on a.customer_number = r.customer_number
     where jsonb_array_length(r.settings -> 'recipients') > 0 and ${isOpenToContacts}
     order by r.customer_number`.execute(db)
  return rows.map(({ customer_number }) => customer_number)
}

/** What ends from one day to another, the first to end first. Without a last day, everything that has an end. */
export async function listEndings(
  db: Kysely<DB>,
  customerNumber: string,
  from: CalendarDay,
  to?: CalendarDay,
): Promise<Ending[]> {
  const { rows } = await sql<Ending>`
    select e.activation_id as "activationId", e.product_name as product, e.line_item_quantity as quantity,
           e.end_date as "endsOn"
      from ${soldEntitlements} e
     where e.customer_number = ${customerNumber} and ${isListedEntitlement} and not e.is_permanent
       and e.end_date >= ${from} and (${to ?? null}::date is null or e.end_date <= ${to ?? null}::date)
     order by e.end_date, e.activation_id`.execute(db)
  return rows
}

/** Marks thresholds as mailed, and returns those that were not mailed before. */
export async function markSent(
  tx: Transaction<DB>,
  customerNumber: string,
  entries: readonly { readonly key: string; readonly told: string | null }[],
  at: Date,
): Promise<Set<string>> {
  if (entries.length === 0) return new Set()
  const rows = await tx
    .insertInto('reminder_sent')
    .values(entries.map(({ key, told }) => ({ customer_number: customerNumber, key, told, sent_at: at })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .execute()
  return new Set(rows.map(({ key }) => key))
}

export async function listSent(db: Kysely<DB>, customerNumber: string): Promise<{ text: string; sentAt: string }[]> {
  const rows = await db
    .selectFrom('reminder_sent')
    .select(['told', 'sent_at'])
    .where('customer_number', '=', customerNumber)
    .where('told', 'is not', null)
    .orderBy('sent_at', 'desc')
    .orderBy('key')
    .limit(20)
    .execute()
  return rows.map(({ told, sent_at }) => ({ text: told ?? '', sentAt: sent_at.toISOString() }))
}
