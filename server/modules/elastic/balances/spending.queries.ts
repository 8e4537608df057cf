import { type Kysely, sql } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { Spending } from '#domain/reminders/due-reminders.ts'
import type { DB } from '#server/db/schema.ts'

/** What these projects and users spent on the days of a range. Users are compared without case. */
export async function listSpending(
  db: Kysely<DB>,
  customerNumber: string,
  { from, to }: { readonly from: CalendarDay; readonly to: CalendarDay },
  { projects, users }: { readonly projects: readonly string[]; readonly users: readonly string[] },
): Promise<Spending[]> {
  const { rows } = await sql<Spending>`
    select 'project' as by, project as name, currency, trim_scale(sum(charge))::text as spent
      from usage_project_day
     where customer_number = ${customerNumber} and day between ${from} and ${to} and project = any (${projects}::text[])
     group by project, currency
    union all
    select 'user', lower(user_name), currency, trim_scale(sum(charge))::text
      from usage_user_day
     where customer_number = ${customerNumber} and day between ${from} and ${to}
       and lower(user_name) = any (${users.map((name) => name.toLowerCase())}::text[])
     group by lower(user_name), currency`.execute(db)
  return rows
}
