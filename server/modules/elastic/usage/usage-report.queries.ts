import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import { containsText } from '#server/lists/like-pattern.ts'
import { selectionOf } from '#server/lists/list-query.ts'
import { type UsageScope, usageSource } from '#server/modules/elastic/usage/usage.list.ts'

/** What transactions add up to in one currency: all of them, or those of one product or user. Amounts are exact decimals. */
export type UsageSum = {
  readonly by: 'all' | 'product' | 'user'
  /** Empty for all. */
  readonly name: string
  readonly currency: string
  readonly charge: string
  readonly hours: string
  readonly transactions: number
  readonly firstStart: Date
}

/** The sums of the transactions that match: one statement, one moment. By currency, the largest first. */
export async function listUsageSums(
  db: QueryExecutorProvider,
  scope: UsageScope,
  filter: unknown,
  timeZone: string,
): Promise<UsageSum[]> {
  const { from, where } = selectionOf(usageSource, scope, filter, { timeZone })
  const { rows } = await sql<UsageSum>`
    select case grouping(u.product, u.user_name) when 3 then 'all' when 1 then 'product' else 'user' end as by,
           case grouping(u.product, u.user_name) when 3 then '' when 1 then u.product else u.user_name end as name,
           u.currency, coalesce(sum(u.charge), 0)::text as charge, coalesce(sum(u.hours), 0)::text as hours,
           count(*)::int as transactions, min(u.started_at) as "firstStart"
      from ${from} where ${where}
     group by grouping sets ((u.currency), (u.currency, u.product), (u.currency, u.user_name))
     order by u.currency, coalesce(sum(u.charge), 0) desc, 2`.execute(db)
  return rows
}

/** Projects with usage since a day whose name contains the text, the most used first. */
export async function searchProjects(
  db: Kysely<DB>,
  customerNumber: string,
  { text, since, limit }: { readonly text: string; readonly since: CalendarDay; readonly limit: number },
): Promise<{ project: string; transactions: number }[]> {
  const { rows } = await sql<{ project: string; transactions: number }>`
    select d.project, sum(d.transactions)::int as transactions from usage_project_day d
     where d.customer_number = ${customerNumber} and d.day >= ${since}::date and d.project <> ''
       and ${containsText(sql`d.project`, text)}
     group by 1 order by 2 desc, 1 limit ${limit}`.execute(db)
  return rows
}
