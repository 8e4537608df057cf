import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import type {
  EntitlementToMail,
  FrozenEntitlement,
  MailedRecord,
  PreviousBalance,
  StatementKind,
} from '#domain/elastic/statements/mailed-statement.ts'
import type { DB } from '#server/db/schema.ts'
import { isListedEntitlement } from '#server/identity/listed-entitlements.queries.ts'

/**
 * The subject of a statement: an entitlement of an account, or all of them (empty activation id), over the period of a
 * series.
 */
export type StatementKey = {
  readonly customerNumber: string
  readonly kind: StatementKind
  readonly period: DayRange
  readonly activationId: string
}

/** Statements of an account are frozen one after the other, so that each knows those before it. */
export async function lockMailedStatements(tx: Transaction<DB>, customerNumber: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('mailed statements'), hashtext(${customerNumber}))`.execute(tx)
}

export type MailedFile = Pick<Selectable<DB['mailed_statement']>, 'id' | 'file_name' | 'pdf'>

export function findMailedStatement(
  db: Kysely<DB>,
  { customerNumber, kind, period, activationId }: StatementKey,
): Promise<MailedFile | undefined> {
  return db
    .selectFrom('mailed_statement')
    .select(['id', 'file_name', 'pdf'])
    .where('customer_number', '=', customerNumber)
    .where('kind', '=', kind)
    .where('period_to', '=', period.to)
    .where('activation_id', '=', activationId)
    .executeTakeFirst()
}

export function findMailedFile(db: Kysely<DB>, customerNumber: string, id: string): Promise<MailedFile | undefined> {
  return db
    .selectFrom('mailed_statement')
    .select(['id', 'file_name', 'pdf'])
    .where('customer_number', '=', customerNumber)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function insertMailedStatement(
  tx: Transaction<DB>,
  statement: Insertable<DB['mailed_statement']>,
): Promise<string> {
  const { id } = await tx.insertInto('mailed_statement').values(statement).returning('id').executeTakeFirstOrThrow()
  return id
}

/** What earlier mailings have frozen of this period, by activation id; null where they have no line. */
export async function listFrozenRecords(
  db: Kysely<DB>,
  { customerNumber, kind, period }: StatementKey,
): Promise<ReadonlyMap<string, MailedRecord | null>> {
  const rows = await db
    .selectFrom('mailed_record')
    .select(['activation_id', 'record'])
    .where('customer_number', '=', customerNumber)
    .where('kind', '=', kind)
    .where('period_to', '=', period.to)
    .execute()
  return new Map(rows.map(({ activation_id, record }) => [activation_id, record]))
}

export async function insertFrozenEntitlements(
  tx: Transaction<DB>,
  { customerNumber, kind, period }: StatementKey,
  frozen: readonly FrozenEntitlement[],
): Promise<void> {
  if (frozen.length === 0) return
  const rows = frozen.map(({ activationId, total, used, record }) => ({
    activation_id: activationId,
    total,
    used,
    record,
  }))
  await sql`
    insert into mailed_record (customer_number, activation_id, kind, period_to, total, used, record)
    select ${customerNumber}, r.activation_id, ${kind}, ${period.to}, r.total, r.used, nullif(r.record, 'null')
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r (activation_id text, total numeric, used numeric, record jsonb)`.execute(tx)
}

/**
 * Elastic entitlements with what was booked before the period and in it, and with what the latest statement of the series
 * before it knew about them: one statement, one moment. Entitlements that the period does not touch are among them.
 */
export async function listEntitlementsToMail(
  db: Kysely<DB>,
  { customerNumber, kind, period: { from, to }, activationId }: StatementKey,
  limit: number,
): Promise<EntitlementToMail[]> {
  const { rows } = await sql<Omit<EntitlementToMail, 'previous'> & PreviousColumns>`
    with stated as materialized (
      select e.activation_id, e.po_number, e.start_date, e.end_date, e.currency,
             e.units_per_line * e.line_item_quantity as total, ${isListedEntitlement} as is_listed,
             p.period_to as previous_to, p.total as previous_total, p.used as previous_used
        from entitlement e
        left join lateral (
          select r.period_to, r.total, r.used from mailed_record r
           where r.customer_number = ${customerNumber} and r.activation_id = e.activation_id and r.kind = ${kind}
             and r.period_to < ${from}
           order by r.period_to desc limit 1) p on true
       where e.customer_number = ${customerNumber} and e.kind = 'ELASTIC'
         and (${activationId} = '' or e.activation_id = ${activationId})),
    drawn as materialized (
      select s.activation_id, d.product,
             coalesce(sum(d.charge) filter (where d.day < ${from}), 0) as before,
             coalesce(sum(d.charge) filter (where d.day <= s.previous_to), 0) as until_previous,
             sum(d.charge) filter (where d.day >= ${from}) as used
        from usage_day d join stated s on s.activation_id = d.activation_id
       where d.customer_number = ${customerNumber} and d.day <= ${to}
       group by 1, 2),
    booked as (
      select w.activation_id, sum(w.before) as before, sum(w.until_previous) as until_previous,
             json_agg(json_build_object('product', w.product, 'used', w.used::text)) filter (where w.used is not null) as products
        from drawn w group by 1)
    select s.po_number as "purchaseOrder", s.activation_id as "activationId", s.start_date as "startDate",
           s.end_date as "endDate", s.currency, s.total::text, s.is_listed as "isListed",
           coalesce(b.before, 0)::text as "usedBefore", coalesce(b.products, '[]') as products,
           s.previous_to as "previousTo", s.previous_total::text as "previousTotal", s.previous_used::text as "previousUsed",
           coalesce(b.until_previous, 0)::text as "previousUsedNow"
      from stated s left join booked b on b.activation_id = s.activation_id
     limit ${limit}`.execute(db)
  return rows.map(({ previousTo, previousTotal, previousUsed, previousUsedNow, ...entitlement }) => ({
    ...entitlement,
    previous: toPrevious({ previousTo, previousTotal, previousUsed, previousUsedNow }),
  }))
}

type PreviousColumns = {
  readonly previousTo: CalendarDay | null
  readonly previousTotal: string | null
  readonly previousUsed: string | null
  readonly previousUsedNow: string
}

function toPrevious({
  previousTo,
  previousTotal,
  previousUsed,
  previousUsedNow,
}: PreviousColumns): PreviousBalance | null {
  if (previousTo === null || previousTotal === null || previousUsed === null) return null
  return { to: previousTo, total: previousTotal, used: previousUsed, usedNow: previousUsedNow }
}
