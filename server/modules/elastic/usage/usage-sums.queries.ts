import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'

/** A stored sum that differs from the sum of the rows. Null: only one of the two exists. */
export type UsageDrift = {
  readonly sums:
    | 'usage_day'
    | 'usage_user_day'
    | 'usage_project_day'
    | 'usage_host_day'
    | 'usage_limited_day'
    | 'usage_total'
  readonly day: string | null
  readonly activation_id: string
  /** Product, user, project or host; the subject of a limit with its names. */
  readonly name: string
  readonly currency: string
  readonly kept: string | null
  readonly summed: string | null
}

/**
 * Compares the kept sums of an account with its raw rows, and with what archived ones added up to: charges, hours and
 * counts. Nothing comes back if all is well.
 */
export async function listUsageDrift(db: Kysely<DB>, customerNumber: string): Promise<UsageDrift[]> {
  const { rows } = await sql<UsageDrift>`
    with raw as materialized (
      select (u.ends_at at time zone a.time_zone)::date as day, u.activation_id, u.currency, u.product, u.user_name,
             coalesce(u.project, '') as project, u.host, u.charge, u.hours
        from usage_transaction u join account a on a.customer_number = u.customer_number
       where u.customer_number = ${customerNumber} and u.ends_at < 'infinity'
    ), parts as (
      select 'usage_day' as sums, day, activation_id, product as name, currency, sum(charge) as charge, sum(hours) as hours,
             count(*) as transactions from raw group by 2, 3, 4, 5
      union all
      select 'usage_user_day', day, activation_id, user_name, currency, sum(charge), sum(hours), count(*) from raw group by 2, 3, 4, 5
      union all
      select 'usage_project_day', day, activation_id, project, currency, sum(charge), sum(hours), count(*) from raw group by 2, 3, 4, 5
      union all
      select 'usage_host_day', day, activation_id, host, currency, sum(charge), sum(hours), count(*) from raw group by 2, 3, 4, 5
      union all
      select 'usage_total', null, activation_id, '', '', sum(charge), sum(hours), count(*) from raw group by 3
      union all
      select 'usage_limited_day', r.day, '', concat_ws(' ', l.subject, case when l.subject like '%user%' then lower(r.user_name) end,
               case when l.subject like '%project%' then r.project end, case when l.subject like '%product%' then r.product end),
             r.currency, sum(r.charge), 0, 0
        from raw r join usage_limited l on l.customer_number = ${customerNumber} group by 2, 4, 5
      union all
      select 'usage_limited_day', s.day, '', concat_ws(' ', l.subject, case l.subject when 'user' then lower(s.name)
               when 'account' then null else s.name end), s.currency, s.charge, 0, 0
        from usage_limited l
        join archived_usage_sum s on s.customer_number = ${customerNumber}
         and s.sums = case l.subject when 'account' then 'usage_day' when 'product' then 'usage_day'
                                     when 'user' then 'usage_user_day' when 'project' then 'usage_project_day' end
       where l.customer_number = ${customerNumber}
      union all
      select sums, day, activation_id, name, currency, charge, hours, transactions
        from archived_usage_sum where customer_number = ${customerNumber} and sums <> 'corrections'
      union all
      select 'usage_total', null, activation_id, '', '', charge, hours, transactions
        from archived_usage_sum where customer_number = ${customerNumber} and sums = 'usage_day'
    ), summed as (
      select sums, day, activation_id, name, currency, sum(charge) as charge, sum(hours) as hours,
             sum(transactions) as transactions from parts group by 1, 2, 3, 4, 5
    ), kept as (
      select 'usage_day' as sums, day, activation_id, product as name, currency, charge, hours, transactions
        from usage_day where customer_number = ${customerNumber}
      union all
      select 'usage_user_day', day, activation_id, user_name, currency, charge, hours, transactions
        from usage_user_day where customer_number = ${customerNumber}
      union all
      select 'usage_project_day', day, activation_id, project, currency, charge, hours, transactions
        from usage_project_day where customer_number = ${customerNumber}
      union all
      select 'usage_host_day', day, activation_id, host, currency, charge, hours, transactions
        from usage_host_day where customer_number = ${customerNumber}
      union all
      select 'usage_limited_day', day, '', concat_ws(' ', subject, case when subject like '%user%' then user_key end,
               case when subject like '%project%' then project end, case when subject like '%product%' then product end),
             currency, charge, 0, 0
        from usage_limited_day d
       where d.customer_number = ${customerNumber}
         -- Archived transactions are of no sum of two parts.
         and (d.subject not like '%+%' or d.day >= coalesce((
           select (max(a.month) + interval '1 month')::date from usage_archive a where a.detached_at is not null), '-infinity'))
      union all
      select 'usage_total', null, activation_id, '', '', charge, hours, transactions
        from usage_total where customer_number = ${customerNumber}
    )
    select sums, coalesce(k.day, s.day)::text as day, activation_id, name, currency,
           k.charge || ' in ' || k.hours || ' h, ' || k.transactions as kept,
           s.charge || ' in ' || s.hours || ' h, ' || s.transactions as summed
      from (select *, coalesce(day, 'infinity') as at from kept) k
      full join (select *, coalesce(day, 'infinity') as at from summed) s using (sums, at, activation_id, name, currency)
     where (k.charge, k.hours, k.transactions) is distinct from (s.charge, s.hours, s.transactions)
     order by sums, at, activation_id, name, currency`.execute(db)
  return rows
}

/** Computes the sums of an account again from its rows and from archived sums. The database does it, in this statement. */
export async function rebuildUsageSums(db: Kysely<DB>, customerNumber: string, by: string, at: Date): Promise<void> {
  await db
    .insertInto('usage_rebuild')
    .values({ customer_number: customerNumber, rebuilt_at: at, rebuilt_by: by })
    .execute()
}

/** Accounts that have elastic servers: only those can have usage. */
export async function listMeteredAccounts(db: Kysely<DB>): Promise<string[]> {
  const rows = await db
    .selectFrom('elastic_server')
    .select('customer_number')
    .distinct()
    .orderBy('customer_number')
    .execute()
  return rows.map(({ customer_number }) => customer_number)
}
