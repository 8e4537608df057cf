import { type QueryExecutorProvider, sql } from 'kysely'
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
