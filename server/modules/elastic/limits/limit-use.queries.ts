import { type Kysely, sql } from 'kysely'
import { addDays, type CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { LimitUse } from '#domain/elastic/limits/decide-start.ts'
import { EXHAUSTION_WINDOW, type RecentUse } from '#domain/elastic/limits/exhaustion.ts'
import type { StartNames } from '#domain/elastic/limits/limit.ts'
import type { DB } from '#server/db/schema.ts'
import {
  countedCharge,
  groupSql,
  isInForceSql,
  partSql,
  periodStartSql,
  summedSubject,
} from '#server/modules/elastic/limits/start-limits.queries.ts'
import { peopleByName } from '#server/modules/provisioning/provisioning.public.ts'

/** What one subject has used of a limit. The user is a key, and parts that the subject does not have are empty. */
export type SubjectUse = StartNames & LimitUse & RecentUse & { readonly limitId: string }

/** A bound: a limit for everybody else has one subject for each of them. */
const MAX_SUBJECTS = 20_000

/** What is used of the limits in force, of each by every subject that it concerns, exceptions included; the most first. */
export async function listLimitUse(
  db: Kysely<DB>,
  customerNumber: string,
  { today, now }: { readonly today: CalendarDay; readonly now: Date },
): Promise<SubjectUse[]> {
  const day = sql`${today}::date`
  const recentFrom = sql`${addDays(today, -EXHAUSTION_WINDOW)}::date`
  const isRecent = sql`d.day >= ${recentFrom} and d.day < ${day}`
  // Users whom the identity provider does not know belong to no department.
  const isOfLimit = sql`lower(w.who collate "C") = coalesce(l.user_key, lower(w.who collate "C")) and (l.summed = l.subject or w.who <> '')`
  const { rows } = await sql<SubjectUse>`
    with chosen as materialized (
      select l.*, ${periodStartSql(day)} as since, ${summedSubject} as summed from elastic_limit l
       where l.customer_number = ${customerNumber} and ${isInForceSql(day)}
    ), people as materialized (
      select p.* from ${peopleByName(sql`${customerNumber}`)} p
       where exists (select from chosen l where l.summed <> l.subject)
    ), used as (
      select l.limit_id, w.who, d.project, d.product,
             coalesce(sum(d.charge) filter (where d.day >= l.since), 0) as booked, 0 as running,
             sum(d.charge) filter (where ${isRecent}) as recent, min(d.day) filter (where ${isRecent}) as first_day
        from chosen l
        join usage_limited_day d on d.customer_number = ${customerNumber} and d.subject = l.summed and d.currency = l.currency
         and d.day >= least(l.since, ${recentFrom})
         and d.project = coalesce(l.project, d.project) and d.product = coalesce(l.product, d.product)
        left join people p on p.user_key = d.user_key
       cross join lateral (select case when l.summed = l.subject then d.user_key else ${groupSql} end as who) w
       where ${isOfLimit}
       group by 1, 2, 3, 4
      union all
      select l.limit_id, w.who, ${partSql('project', sql`coalesce(r.project, '')`)},
             ${partSql('product', sql`r.product`)}, 0, sum(${countedCharge(sql`${now}`)}), null, null
        from chosen l
        join usage_transaction_running r on r.customer_number = ${customerNumber} and r.units_per_hour is not null
         and r.currency = l.currency
         and (l.project is null or r.project = l.project) and (l.product is null or r.product = l.product)
        left join people p on p.user_key = lower(r.user_name)
       cross join lateral (select case when l.summed = l.subject then ${partSql('user', sql`lower(r.user_name)`)}
                                       else ${groupSql} end as who) w
       where ${isOfLimit}
       group by 1, 2, 3, 4
    )
    select limit_id as "limitId", min(who) as user, project, product, sum(booked)::text as booked, sum(running)::text as running,
           coalesce(sum(recent), 0)::text as recent, min(first_day) as since
      from used group by 1, lower(who collate "C"), 3, 4
     order by sum(booked + running) desc, 1, 2, 3, 4 limit ${MAX_SUBJECTS}`.execute(db)
  // Of people who have something in common, its name stands at the user; limits look for it at the department or cost center.
  return rows.map((row) => ({ ...row, department: row.user, costCenter: row.user }))
}

export type RefusedByLimit = { readonly limitId: string; readonly user: string; readonly count: number }

/** Starts that limits refused since an instant, by user, the most first. */
export async function listRefusedByLimits(
  db: Kysely<DB>,
  customerNumber: string,
  since: Date,
): Promise<RefusedByLimit[]> {
  const { rows } = await sql<RefusedByLimit>`
    select d.limit_id as "limitId", min(d.user_name) as user, count(*)::int as count
      from elastic_denial d
     where d.customer_number = ${customerNumber} and d.denied_at >= ${since} and d.limit_id is not null
     group by 1, lower(d.user_name) order by 3 desc, 1, 2`.execute(db)
  return rows
}

export async function countNotAllowed(db: Kysely<DB>, customerNumber: string, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from elastic_denial d
     where d.customer_number = ${customerNumber} and d.denied_at >= ${since} and d.reason = 'PRODUCT_NOT_ALLOWED'`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** The currencies of an account's elastic entitlements, the most used first, and the products that have a rate. */
export async function findLimitChoices(
  db: Kysely<DB>,
  customerNumber: string,
): Promise<{ currencies: string[]; products: string[] }> {
  const { rows } = await sql<{ currencies: string[]; products: string[] }>`
    select coalesce((select json_agg(c.currency order by c.transactions desc, c.currency)
                       from (select e.currency, sum(coalesce(t.transactions, 0)) as transactions from entitlement e
                               left join usage_total t on t.customer_number = ${customerNumber} and t.activation_id = e.activation_id
                              where e.customer_number = ${customerNumber} and e.kind = 'ELASTIC' group by 1) c), '[]') as currencies,
           coalesce((select json_agg(distinct p.name) from product p
                       join elastic_rate r on r.part_number = p.part_number), '[]') as products`.execute(db)
  return rows[0] ?? { currencies: [], products: [] }
}
