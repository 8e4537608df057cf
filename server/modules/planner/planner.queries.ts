import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import { isListedEntitlement } from '#server/identity/listed-entitlements.queries.ts'
import { soldEntitlements } from '#server/modules/entitlements/entitlements.public.ts'

/** What ends in these days, both included, from today on if there is no first day; everything if both are absent. */
export type Ends = { readonly endsFrom?: CalendarDay | undefined; readonly endsBy?: CalendarDay | undefined }

export type PlanRow = Selectable<DB['renewal_plan']>

export type BoughtProduct = {
  product: string
  partNumber: string
  bought: number
  ending: number
  staying: number
  activated: number
  endingLeases: number
  endingWithSeats: number
  firstEnd: CalendarDay | null
}

/**
 * Seats for license servers by product: those that can be used on a day, and those that end in a period, also before that
 * day. If no period is given, all of them are to be renewed and none stays.
 */
export async function listBoughtProducts(
  db: Kysely<DB>,
  customerNumber: string,
  { today, endsFrom, endsBy }: { readonly today: CalendarDay } & Ends,
): Promise<BoughtProduct[]> {
  const isEnding = sql`(e.ends_on < 'infinity' and e.ends_on >= ${endsFrom ?? today} and e.ends_on <= coalesce(${endsBy ?? null}::date, 'infinity'))`
  const isStaying = endsFrom === undefined && endsBy === undefined ? sql`false` : sql`not ${isEnding}`
  const { rows } = await sql<BoughtProduct>`
    select e.product_name as product, max(e.part_number) as "partNumber", sum(e.line_item_quantity)::int as bought,
           coalesce(sum(e.line_item_quantity) filter (where ${isEnding}), 0)::int as ending,
           coalesce(sum(e.line_item_quantity) filter (where ${isStaying}), 0)::int as staying,
           sum(e.activated_count)::int as activated, min(e.end_date) filter (where ${isEnding}) as "firstEnd",
           count(*) filter (where ${isEnding})::int as "endingLeases",
           count(*) filter (where ${isEnding} and e.activated_count > 0)::int as "endingWithSeats"
      from ${soldEntitlements} e
     where e.customer_number = ${customerNumber} and ${isListedEntitlement} and e.kind = 'SSL'
       and e.start_date <= ${today} and (e.ends_on >= ${today} or ${isEnding})
     group by e.product_name order by e.product_name`.execute(db)
  return rows
}

/** The rate table of the elastic units that end last; undefined if the account has none. */
export async function findRateTable(db: Kysely<DB>, customerNumber: string): Promise<string | undefined> {
  const { rows } = await sql<{ version: string }>`
    select e.rate_table_version as version from entitlement e
     where e.customer_number = ${customerNumber} and e.kind = 'ELASTIC' and ${isListedEntitlement} and e.rate_table_version <> ''
     order by e.ends_on desc, e.activation_id limit 1`.execute(db)
  return rows[0]?.version
}

/** The last saved first. */
export async function listPlanRows(db: Kysely<DB>, customerNumber: string): Promise<PlanRow[]> {
  return db
    .selectFrom('renewal_plan')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .orderBy('saved_at', 'desc')
    .orderBy('plan_id')
    .execute()
}

export async function findPlan(db: Kysely<DB>, customerNumber: string, id: string): Promise<PlanRow | undefined> {
  return db
    .selectFrom('renewal_plan')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .where('plan_id', '=', id)
    .executeTakeFirst()
}

export async function insertPlan(tx: Transaction<DB>, plan: Insertable<DB['renewal_plan']>): Promise<PlanRow> {
  return tx.insertInto('renewal_plan').values(plan).returningAll().executeTakeFirstOrThrow()
}

type PlanContent = Omit<Insertable<DB['renewal_plan']>, 'customer_number' | 'plan_id' | 'revision'>

/** Saves the plan under the next revision; undefined if it has another revision than the one that was read, or is gone. */
export async function updatePlan(
  tx: Transaction<DB>,
  { customerNumber, id, revision }: { customerNumber: string; id: string; revision: number },
  content: PlanContent,
): Promise<PlanRow | undefined> {
  return tx
    .updateTable('renewal_plan')
    .set({ ...content, revision: revision + 1 })
    .where('customer_number', '=', customerNumber)
    .where('plan_id', '=', id)
    .where('revision', '=', revision)
    .returningAll()
    .executeTakeFirst()
}

export async function removePlan(tx: Transaction<DB>, customerNumber: string, id: string): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('renewal_plan')
    .where('customer_number', '=', customerNumber)
    .where('plan_id', '=', id)
    .returning('name')
    .executeTakeFirst()
  return row?.name
}
