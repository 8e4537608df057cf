import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { StatementKind } from '#domain/elastic/statements/mailed-statement.ts'
import type { DB } from '#server/db/schema.ts'
import { exportApproved } from '#server/modules/accounts/accounts.public.ts'

export type ScheduleRow = Pick<
  Selectable<DB['statement_schedule']>,
  'weekly_through' | 'monthly_through' | 'recipients'
>
export type ActiveSchedule = ScheduleRow & { readonly customerNumber: string; readonly timeZone: string }

export function findSchedule(db: Kysely<DB>, customerNumber: string): Promise<ScheduleRow | undefined> {
  return db
    .selectFrom('statement_schedule')
    .select(['weekly_through', 'monthly_through', 'recipients'])
    .where('customer_number', '=', customerNumber)
    .executeTakeFirst()
}

/** Schedules that are on, of accounts that are open and export-approved; of one account if it is named. */
export async function listActiveSchedules(db: Kysely<DB>, customerNumber?: string): Promise<ActiveSchedule[]> {
  const { rows } = await sql<ActiveSchedule>`
    select s.customer_number as "customerNumber", s.weekly_through, s.monthly_through, s.recipients,
           a.time_zone as "timeZone"
      from statement_schedule s join account a on a.customer_number = s.customer_number
     where (s.weekly_through is not null or s.monthly_through is not null) and ${exportApproved}
       and not a.is_access_disabled
       and ${customerNumber === undefined ? sql`true` : sql`s.customer_number = ${customerNumber}`}
     order by s.customer_number`.execute(db)
  return rows
}

export async function saveSchedule(
  tx: Transaction<DB>,
  customerNumber: string,
  schedule: ScheduleRow,
  { email, at }: { email: string; at: Date },
): Promise<void> {
  const row = { ...schedule, saved_by: email, saved_at: at }
  await tx
    .insertInto('statement_schedule')
    .values({ customer_number: customerNumber, ...row })
    .onConflict((conflict) => conflict.column('customer_number').doUpdateSet(row))
    .execute()
}

/** Marks the period that ends on this day as done, whether or not anything was mailed. */
export async function saveHandledThrough(
  tx: Transaction<DB>,
  customerNumber: string,
  kind: StatementKind,
  day: string,
): Promise<void> {
  await tx
    .updateTable('statement_schedule')
    .set(kind === 'weekly' ? { weekly_through: day } : { monthly_through: day })
    .where('customer_number', '=', customerNumber)
    .execute()
}
