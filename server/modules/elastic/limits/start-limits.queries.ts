import { type RawBuilder, sql } from 'kysely'
import type { LimitUse } from '#domain/elastic/limits/decide-start.ts'
import type { Limit } from '#domain/elastic/limits/limit.ts'
import type { ProductRule } from '#domain/elastic/limits/product-rules.ts'
import type { PersonFacts } from '#domain/provisioning/person-facts.ts'
import { accruedCharge } from '#server/modules/elastic/sessions/sessions.queries.ts'
import { peopleByName } from '#server/modules/provisioning/provisioning.public.ts'

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

const ofPeople = sql`l.subject in ('department', 'cost-center')`

/** The subject by which the use of limit `l` is summed: that of people is the sum of their users. */
export const summedSubject = sql`case when ${ofPeople} then 'user' else l.subject end`

/** The department or cost center of the person `p` for limit `l`; null for other subjects. */
export const groupSql = sql`case l.subject when 'department' then p.department when 'cost-center' then p.cost_center end`
const groupKey = sql`lower(${groupSql} collate "C")`

/** The department and the cost center of the user of a start, if the account has a limit of such. */
export const startPersonJson = (
  customer: RawBuilder<unknown>,
  userKey: RawBuilder<unknown>,
) => sql<PersonFacts | null>`(
  select json_build_object('department', p.department, 'costCenter', p.cost_center) from ${peopleByName(customer)} p
   where p.user_key = ${userKey}
     and exists (select from elastic_limit l where l.customer_number = ${customer} and ${ofPeople}))`

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
  const people = peopleByName(customer)
  const usersOfGroup = sql`(select p.user_key from ${people} p where ${groupKey} = w.who)`
  return sql<StartLimit[]>`coalesce((
    select json_agg(json_build_object(${limitJson},
             'booked', case when ${ofPeople} then (
               select coalesce(sum(d.charge), 0) from usage_limited_day d
                where d.customer_number = ${customer} and d.subject = 'user' and d.user_key in ${usersOfGroup}
                  and d.currency = l.currency and d.day >= ${periodStartSql(today)})
             else (
               select coalesce(sum(d.charge), 0) from usage_limited_day d
                where d.customer_number = ${customer} and d.subject = l.subject
                  and d.user_key = ${partSql('user', userKey)} and d.project = ${partSql('project', project)}
                  and d.product = ${partSql('product', product)} and d.currency = l.currency
                  and d.day >= ${periodStartSql(today)}) end::text,
             'running', case when ${ofPeople} then (
               select coalesce(sum(${countedCharge(now)}), 0) from usage_transaction_running r
                where r.customer_number = ${customer} and r.units_per_hour is not null and r.currency = l.currency
                  and lower(r.user_name) in ${usersOfGroup})
             else (
               select coalesce(sum(${countedCharge(now)}), 0) from usage_transaction_running r
                where r.customer_number = ${customer} and r.units_per_hour is not null and r.currency = l.currency
                  and ${partSql('user', sql`lower(r.user_name)`)} = ${partSql('user', userKey)}
                  and ${partSql('project', sql`coalesce(r.project, '')`)} = ${partSql('project', project)}
                  and ${partSql('product', sql`r.product`)} = ${partSql('product', product)}) end::text))
      from elastic_limit l
     cross join lateral (select case when ${ofPeople} then (select ${groupKey} from ${people} p where p.user_key = ${userKey})
                                     else ${userKey} end as who) w
     where l.customer_number = ${customer} and ${isInForceSql(today)}
       and (l.user_key is null or l.user_key = w.who) and (l.project is null or l.project = ${project})
       and (l.product is null or l.product = ${product})), '[]')`
}

/** The product rules of a user and of everybody else. */
export const productRulesJson = (customer: RawBuilder<unknown>, userKey: RawBuilder<unknown>) => sql<ProductRule[]>`
  coalesce((
    select json_agg(json_build_object('user', nullif(p.user_name, ''), 'kind', p.kind, 'products', p.products))
      from elastic_product_rule p
     where p.customer_number = ${customer} and p.user_key in (${userKey}, '')), '[]')`
