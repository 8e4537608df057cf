import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import type { UsageTransaction } from '#contract/elastic/usage/usage-list.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import { containsText } from '#server/lists/like-pattern.ts'
import { filterOf, orderOf, selectionBy } from '#server/lists/list-query.ts'
import type { PageRequest } from '#server/lists/list-source.ts'
import { pageStatement } from '#server/lists/page-statement.ts'
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

export type ReportedUsage<Field extends keyof UsageTransaction> = {
  /** By currency, the largest first. */
  readonly sums: readonly UsageSum[]
  /** The first transactions in the order of the request. */
  readonly listed: readonly Pick<UsageTransaction, Field>[]
}

/** The sums of the transactions that match, and the first of them. One statement: usage that arrives meanwhile is in both or in neither. */
export async function listReportedUsage<Field extends keyof UsageTransaction & string>(
  db: QueryExecutorProvider,
  scope: UsageScope,
  request: Pick<PageRequest, 'filter' | 'sorting'>,
  { timeZone, fields, most }: { readonly timeZone: string; readonly fields: readonly Field[]; readonly most: number },
): Promise<ReportedUsage<Field>> {
  const filter = filterOf(usageSource, request.filter, { timeZone })
  const { from, where } = selectionBy(usageSource, scope, filter)
  const page = pageStatement(
    usageSource,
    { scope, filter },
    { order: orderOf(usageSource, request.sorting), limit: most, attributes: fields, offset: 0 },
  )
  const { rows } = await sql<{ sums: string; listed: string | null }>`
    select added.sums, page.text as listed
      from (select coalesce(json_agg(one order by one.currency, one.charge::numeric desc, one.name), '[]')::text as sums
              from (select case grouping(u.product, u.user_name) when 3 then 'all' when 1 then 'product' else 'user' end as by,
                           case grouping(u.product, u.user_name) when 3 then '' when 1 then u.product else u.user_name end as name,
                           u.currency, coalesce(sum(u.charge), 0)::text as charge, coalesce(sum(u.hours), 0)::text as hours,
                           count(*)::int as transactions, min(u.started_at) as "firstStart"
                      from ${from} where ${where}
                     group by grouping sets ((u.currency), (u.currency, u.product), (u.currency, u.user_name))) one) added
     cross join (${page}) page`.execute(db)
  const { sums = '[]', listed = null } = rows[0] ?? {}
  const parsed = JSON.parse(sums) as (Omit<UsageSum, 'firstStart'> & { firstStart: string })[]
  return {
    sums: parsed.map((one) => ({ ...one, firstStart: new Date(one.firstStart) })),
    listed: JSON.parse(`[${listed ?? ''}]`),
  }
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
