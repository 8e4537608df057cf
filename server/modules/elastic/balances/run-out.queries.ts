import { type Kysely, sql } from 'kysely'
import type { OrderedBalance } from '#contract/elastic/balances/run-out-forecast.ts'
import { addDays, type CalendarDay } from '#domain/calendar/calendar-day.ts'
import { MAX_WINDOW, type UseHistory } from '#domain/elastic/balances/run-out.ts'
import type { DB } from '#server/db/schema.ts'
import { isListedEntitlement } from '#server/identity/listed-entitlements.queries.ts'
import { bookedOn } from '#server/modules/entitlements/entitlements.public.ts'

/** Elastic entitlements whose term is not over, with what is left of each. */
export async function listCurrentBalances(
  db: Kysely<DB>,
  customerNumber: string,
  today: CalendarDay,
  limit: number,
): Promise<OrderedBalance[]> {
  const { rows } = await sql<OrderedBalance>`
    select e.activation_id as "activationId", e.po_number as "purchaseOrder", e.start_date as "startDate",
           e.end_date as "endDate", e.currency,
           (e.line_item_quantity * e.units_per_line - ${bookedOn(customerNumber)})::text as left
      from entitlement e
     where e.customer_number = ${customerNumber} and e.kind = 'ELASTIC' and ${isListedEntitlement}
       and coalesce(e.end_date, 'infinity') >= ${today}
     limit ${limit}`.execute(db)
  return rows
}

/**
 * What an account used per day and currency, today included, as far back as the longest window goes. Whether there was usage before that
 * is seen from the count over an entitlement's whole life, so that older days need not be read.
 */
export async function listUseHistories(
  db: Kysely<DB>,
  customerNumber: string,
  today: CalendarDay,
): Promise<UseHistory[]> {
  const from = addDays(today, -MAX_WINDOW)
  const { rows } = await sql<UseHistory>`
    with recent as materialized (
      select d.activation_id, d.day, sum(d.charge) as used, sum(d.transactions) as transactions
        from usage_day d
       where d.customer_number = ${customerNumber} and d.day >= ${from}
       group by 1, 2),
    daily as (
      select e.currency, r.day, sum(r.used) as used
        from recent r join entitlement e on e.customer_number = ${customerNumber} and e.activation_id = r.activation_id
       where r.day <= ${today}
       group by 1, 2)
    select e.currency,
           coalesce((select json_agg(json_build_object('day', d.day, 'used', d.used::text) order by d.day)
                       from daily d where d.currency = e.currency), '[]') as days,
           bool_or(t.transactions > coalesce((
             select sum(r.transactions) from recent r where r.activation_id = t.activation_id), 0)) as "isLonger"
      from usage_total t
      join entitlement e on e.customer_number = t.customer_number and e.activation_id = t.activation_id and e.kind = 'ELASTIC'
     where t.customer_number = ${customerNumber}
     group by 1 order by 1`.execute(db)
  return rows
}
