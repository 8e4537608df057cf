import { type Kysely, sql } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { type LimitSubject, partsOf, type SubjectPart } from '#domain/elastic/limits/limit.ts'
import type { PastCorrection, PastDenial, PastSession, UsedBefore } from '#domain/elastic/limits/replay-limits.ts'
import type { DB } from '#server/db/schema.ts'
import { accruedCharge } from '#server/modules/elastic/sessions/sessions.queries.ts'

type Month = { readonly from: Date; readonly to: Date; readonly now: Date; readonly limit: number }

const namesJson = (alias: string) => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`json_build_object('user', ${column('user_name')}, 'project', coalesce(${column('project')}, ''), 'product', ${column('product')})`
}
const milliseconds = (instant: ReturnType<typeof sql>) => sql<number>`(extract(epoch from ${instant}) * 1000)::float8`

/**
 * Sessions that ran in a month, with the parts of a split charge together. Of those that still run, what they have cost so far. The
 * first 15 minutes cost what the rate table says; without a rate, as much as the rest of the session.
 */
export async function listPastSessions(
  db: Kysely<DB>,
  customerNumber: string,
  { from, to, now, limit }: Month,
): Promise<PastSession[]> {
  const { rows } = await sql<PastSession>`
    select s.id, s.names, s.currency, ${milliseconds(sql`s.started_at`)} as "startedAt", ${milliseconds(sql`s.ended_at`)} as "endedAt",
           s.charge::text as charge,
           round(coalesce(s.product_count * rate.units_per_hour / 4,
                          s.charge * 900 / greatest(900, extract(epoch from s.ended_at - s.started_at))), 2)::text as least
      from (select r.session_id as id, ${namesJson('r')}::jsonb as names, r.currency, r.product, r.product_count,
                   r.rate_table_version, min(r.started_at) as started_at,
                   max(case when isfinite(r.ends_at) then r.ends_at else greatest(r.started_at, ${now}::timestamptz) end) as ended_at,
                   sum(coalesce(r.charge, ${accruedCharge(sql`${now}`)}, 0)) as charge
              from usage_transaction r
             where r.customer_number = ${customerNumber} and r.ends_at >= ${from} and r.started_at < ${to} and r.corrects is null
             group by 1, 2, 3, 4, 5, 6 limit ${limit}) s
      left join (select p.name, e.rate_table_version, e.units_per_hour from product p join elastic_rate e on e.part_number = p.part_number) rate
        on rate.name = s.product and rate.rate_table_version = s.rate_table_version`.execute(db)
  return rows
}

export async function listPastCorrections(
  db: Kysely<DB>,
  customerNumber: string,
  { from, to, limit }: Month,
): Promise<PastCorrection[]> {
  const { rows } = await sql<PastCorrection>`
    select u.corrected_session_id as of, ${namesJson('u')} as names, u.currency, ${milliseconds(sql`u.ends_at`)} as at,
           u.charge::text as charge
      from usage_transaction u
     where u.customer_number = ${customerNumber} and u.ends_at >= ${from} and u.ends_at < ${to} and u.corrects is not null
     limit ${limit}`.execute(db)
  return rows
}

/** Starts that a limit or a product rule refused, with the entitlement on which they would have begun. */
export async function listPastDenials(
  db: Kysely<DB>,
  customerNumber: string,
  { from, to, limit }: Month,
): Promise<PastDenial[]> {
  const { rows } = await sql<PastDenial>`
    select ${namesJson('d')} as names, e.currency, ${milliseconds(sql`d.denied_at`)} as at, d.host,
           round(d.product_count * e.units_per_hour / 4, 2)::text as least
      from (select d.*, (d.denied_at at time zone a.time_zone)::date as day from elastic_denial d
              join account a on a.customer_number = ${customerNumber}
             where d.customer_number = ${customerNumber} and d.denied_at >= ${from} and d.denied_at < ${to}
               and d.reason in ('LIMIT', 'PRODUCT_NOT_ALLOWED')
             order by d.denied_at limit ${limit}) d
     cross join lateral (
       select e.currency, r.units_per_hour from entitlement e
         join product p on p.name = d.product
         join elastic_rate r on r.part_number = p.part_number and r.rate_table_version = e.rate_table_version
        where e.customer_number = ${customerNumber} and e.kind = 'ELASTIC' and e.start_date <= d.day and e.ends_on >= d.day
        order by e.ends_on, e.start_date, e.activation_id limit 1) e`.execute(db)
  return rows
}

const COLUMNS = { user: 'lower(s.user_name)', project: "coalesce(s.project, '')", product: 's.product' } as const
const SUMS = { user: 'usage_user_day', project: 'usage_project_day', product: 'usage_day' } as const

type Before = {
  readonly subject: LimitSubject
  readonly currency: string
  readonly from: CalendarDay | null
  /** This day and later ones do not count. */
  readonly until: CalendarDay
}

/** What every subject of a kind had used before a day: of two parts from the transactions, of others from the sums per day. */
export async function listUsedBefore(
  db: Kysely<DB>,
  customerNumber: string,
  { subject, currency, from, until }: Before,
): Promise<Omit<UsedBefore, 'limit'>[]> {
  const parts = partsOf(subject)
  const name = (part: SubjectPart) => sql.raw(parts.includes(part) ? COLUMNS[part] : "''")
  const [only, ...others] = parts
  const source =
    others.length > 0
      ? sql`(select u.*, (u.ends_at at time zone a.time_zone)::date as day from usage_transaction u
               join account a on a.customer_number = ${customerNumber}
              where u.customer_number = ${customerNumber} and u.ends_at < 'infinity')`
      : sql.table(only ? SUMS[only] : 'usage_day')
  const { rows } = await sql<Omit<UsedBefore, 'limit'>>`
    select json_build_object('user', ${name('user')}, 'project', ${name('project')}, 'product', ${name('product')})::jsonb as names,
           ${currency}::text as currency, sum(s.charge)::text as charge
      from ${source} s
     where s.customer_number = ${customerNumber} and s.currency = ${currency} and s.day < ${until}
       and s.day >= coalesce(${from}::date, '-infinity')
     group by 1`.execute(db)
  return rows
}
