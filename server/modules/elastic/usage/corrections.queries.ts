import { type Kysely, sql, type Transaction } from 'kysely'
import { type DayRange, instantsOf } from '#domain/calendar/day-range.ts'
import type { StatedCorrections } from '#domain/elastic/statements/stated-corrections.ts'
import type { BookedPart } from '#domain/elastic/usage/take-back.ts'
import { namesCustomers } from '#server/db/named-customers.ts'
import type { DB } from '#server/db/schema.ts'
import type { UsageRow } from '#server/modules/elastic/usage/usage-booking.queries.ts'

type Reference = { readonly customerNumber: string; readonly id: string }

/** A booked part of an original, with what a correction takes over from it. */
export type OriginalPart = BookedPart & {
  readonly customerNumber: string
  readonly id: string
  readonly endedAt: Date
  readonly isCorrection: boolean
  readonly row: Pick<
    UsageRow,
    | 'product'
    | 'product_line'
    | 'product_version'
    | 'product_count'
    | 'feature'
    | 'feature_number'
    | 'feature_count'
    | 'user_name'
    | 'host'
    | 'project'
    | 'cloud_job_id'
    | 'rate_table_version'
    | 'currency'
  >
}

/** What was booked under ids, in the order of booking; corrections under the same ids among it. Lock the accounts first. */
export async function listOriginals(
  tx: Transaction<DB>,
  references: readonly Reference[],
): Promise<readonly OriginalPart[]> {
  const customers = references.map((one) => one.customerNumber)
  const { rows } = await sql<Omit<OriginalPart, 'endedAt'> & { endedAt: string }>`
    select u.customer_number as "customerNumber", u.session_id as id, u.transaction_number::text as "transactionNumber",
           u.activation_id as "activationId", u.ends_at as "endedAt", u.corrects is not null as "isCorrection",
           (u.charge + coalesce((select sum(c.charge) from usage_transaction c
              where c.customer_number = u.customer_number and ${namesCustomers('c', customers)} and c.corrects = u.transaction_number), 0))::text as left,
           json_build_object(
             'product', u.product, 'product_line', u.product_line, 'product_version', u.product_version,
             'product_count', u.product_count, 'feature', u.feature, 'feature_number', u.feature_number,
             'feature_count', u.feature_count, 'user_name', u.user_name, 'host', u.host, 'project', u.project,
             'cloud_job_id', u.cloud_job_id, 'rate_table_version', u.rate_table_version, 'currency', u.currency) as row
      from usage_transaction u
      join unnest(${customers}::text[], ${references.map((one) => one.id)}::text[])
           as r (customer_number, id)
        on u.customer_number = r.customer_number and u.session_id = r.id
     where u.ends_at < 'infinity' and ${namesCustomers('u', customers)}
     order by u.transaction_number`.execute(tx)
  return rows.map((row) => ({ ...row, endedAt: new Date(row.endedAt) }))
}

/**
 * What corrections took back on days of the account, for each currency: of one entitlement, or of all (empty activation
 * id). There are few, and they have an index; of archived ones there are sums.
 */
export async function listStatedCorrections(
  db: Kysely<DB>,
  { customerNumber, activationId }: { customerNumber: string; activationId: string },
  days: DayRange,
  timeZone: string,
): Promise<StatedCorrections[]> {
  const { from, to } = instantsOf(days, timeZone)
  const { rows } = await sql<StatedCorrections>`
    select c.currency, sum(c.charge)::text as total, sum(c.transactions)::int as transactions
      from (select u.activation_id, u.currency, u.charge, 1 as transactions
              from usage_transaction u
             where u.customer_number = ${customerNumber} and u.corrects is not null and u.ends_at between ${from} and ${to}
             union all
            select s.activation_id, s.currency, s.charge, s.transactions
              from archived_usage_sum s
             where s.customer_number = ${customerNumber} and s.sums = 'corrections'
               and s.day between ${days.from} and ${days.to}) c
     where ${activationId} = '' or c.activation_id = ${activationId}
     group by 1 order by 1`.execute(db)
  return rows
}
