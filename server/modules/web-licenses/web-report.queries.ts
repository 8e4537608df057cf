import { type Kysely, type SqlBool, sql } from 'kysely'
import type { WebLicenseKind } from '#domain/web-licenses/web-license.ts'
import type { ReportedDenials, ReportedEntitlement } from '#domain/web-licenses/web-report.ts'
import { LISTED_ENTITLEMENT } from '#server/db/listed-entitlements.queries.ts'
import type { DB } from '#server/db/schema.ts'

type Period = { readonly from: Date; readonly to: Date }
export type CheckoutInPeriod = {
  readonly activationId: string
  readonly kind: WebLicenseKind
  readonly product: string
  readonly user: string
  readonly from: Date
  /** Null while it runs. */
  readonly to: Date | null
}

/** Checkouts that overlap a period, at most so many. */
export async function listCheckoutsIn(
  db: Kysely<DB>,
  customerNumber: string,
  { from, to }: Period,
  atMost: number,
): Promise<CheckoutInPeriod[]> {
  const { rows } = await sql<CheckoutInPeriod>`
    select c.activation_id as "activationId", c.kind, c.product,
           c.email as "user", c.started_at as "from", nullif(c.ends_at, 'infinity') as "to"
      from web_checkout c
     where c.customer_number = ${customerNumber} and c.ends_at > ${from} and c.started_at <= ${to}
     limit ${atMost}`.execute(db)
  return rows
}

export async function listReportedEntitlements(db: Kysely<DB>, customerNumber: string): Promise<ReportedEntitlement[]> {
  const { rows } = await sql<{ product: string; quantity: number; start_date: string; end_date: string | null }>`
    select e.product_name as product, e.line_item_quantity as quantity, e.start_date, e.end_date from entitlement e
     where e.customer_number = ${customerNumber} and e.kind in ('SUBSCRIPTION', 'CONCURRENT')
       and ${sql.raw<SqlBool>(LISTED_ENTITLEMENT)}`.execute(db)
  return rows.map(({ product, quantity, start_date, end_date }) => ({
    product,
    quantity,
    term: { startDate: start_date, endDate: end_date },
  }))
}

export async function listDenialsIn(
  db: Kysely<DB>,
  customerNumber: string,
  { from, to }: Period,
): Promise<ReportedDenials[]> {
  const { rows } = await sql<ReportedDenials>`
    select d.product, d.email as "user", d.reason, count(*)::int as count from web_denial d
     where d.customer_number = ${customerNumber} and d.denied_at between ${from} and ${to}
     group by 1, 2, 3`.execute(db)
  return rows
}
