import { type RawBuilder, sql } from 'kysely'
import type { LimitUse } from '#domain/elastic/limits/decide-start.ts'
import type { Limit } from '#domain/elastic/limits/limit.ts'
import type { ProductRule } from '#domain/elastic/limits/product-rules.ts'
import { accruedCharge } from '#server/modules/elastic/sessions/sessions.queries.ts'

/** A limit that a start may have to pass, with what counts against it. */
export type StartLimit = Limit & LimitUse & { readonly id: string }

/**
 * What the running session `r` counts with against limits: what it has cost so far, and never less than its first 15 minutes. The SQL
 * side of `leastCharge`.
 */
export const countedCharge = (now: RawBuilder<unknown>) => sql<string>`
  greatest(${accruedCharge(now)}, round(r.product_count * r.units_per_hour / 4, 2))`

/** The first day whose use counts for limit `l`: the SQL side of `periodStart`. */
export const periodStartSql = (today: RawBuilder<unknown>) => sql`
  case l.period when 'day' then ${today} when 'month' then date_trunc('month', ${today}::timestamp)::date
                else coalesce(l.from_day, '-infinity') end`

const has = (part: 'user' | 'project' | 'product') => sql`l.subject like ${sql.lit(`%${part}%`)}`

/** The parts of a name that the subject of limit `l` has; the others are empty. */
export const partSql = (part: 'user' | 'project' | 'product', name: RawBuilder<unknown>) =>
  sql`case when ${has(part)} then ${name} else '' end`

export const limitJson = sql`
  'id', l.limit_id, 'subject', l.subject, 'user', l.user_name, 'project', l.project, 'product', l.product,
  'period', l.period, 'currency', l.currency, 'warnAt', l.warn_at::text, 'refuseAt', l.refuse_at::text,
  'from', l.from_day, 'to', l.to_day`

export const isInForceSql = (today: RawBuilder<unknown>) =>
  sql`${today} between coalesce(l.from_day, '-infinity') and coalesce(l.to_day, 'infinity')`

type Start = {
  readonly customer: RawBuilder<unknown>
  readonly userKey: RawBuilder<unknown>
  /** Empty without one. */
  readonly project: RawBuilder<unknown>
  readonly product: RawBuilder<unknown>
  readonly now: RawBuilder<unknown>
}

/** The limits in force that concern a start, for account `a`. Only rows of their own subjects are read. */
export function startLimitsJson({ customer, userKey, project, product, now }: Start): RawBuilder<StartLimit[]> {
  const today = sql`(${now}::timestamptz at time zone a.time_zone)::date`
  return sql<StartLimit[]>`coalesce((
    select json_agg(json_build_object(${limitJson},
             'booked', (
               select coalesce(sum(d.charge), 0) from usage_limited_day d
                where d.customer_number = ${customer} and d.subject = l.subject
                  and d.user_key = ${partSql('user', userKey)} and d.project = ${partSql('project', project)}
                  and d.product = ${partSql('product', product)} and d.currency = l.currency
                  and d.day >= ${periodStartSql(today)})::text,
             'running', (
               select coalesce(sum(${countedCharge(now)}), 0) from usage_transaction_running r
                where r.customer_number = ${customer} and r.units_per_hour is not null and r.currency = l.currency
                  and ${partSql('user', sql`lower(r.user_name)`)} = ${partSql('user', userKey)}
                  and ${partSql('project', sql`coalesce(r.project, '')`)} = ${partSql('project', project)}
                  and ${partSql('product', sql`r.product`)} = ${partSql('product', product)})::text))
      from elastic_limit l
     where l.customer_number = ${customer} and ${isInForceSql(today)}
       and (l.user_key is null or l.user_key = ${userKey}) and (l.project is null or l.project = ${project})
       and (l.product is null or l.product = ${product})), '[]')`
}

/** The product rules of a user and of everybody else. */
export const productRulesJson = (customer: RawBuilder<unknown>, userKey: RawBuilder<unknown>) => sql<ProductRule[]>`
  coalesce((
    select json_agg(json_build_object('user', nullif(p.user_name, ''), 'kind', p.kind, 'products', p.products))
      from elastic_product_rule p
     where p.customer_number = ${customer} and p.user_key in (${userKey}, '')), '[]')`
