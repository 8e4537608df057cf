import type { Kysely, Transaction } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { type Limit, partsOf, type StartNames, userKey, whoOf } from '#domain/elastic/limits/limit.ts'
import { periodStart } from '#domain/elastic/limits/limit-period.ts'
import type { DB } from '#server/db/schema.ts'

/** Use of all time has no first day. */
const EVER = '0001-01-01'

/** False if the same was told before about these names in this period. */
export async function markTold(
  tx: Transaction<DB>,
  customerNumber: string,
  told: 'warned' | 'reached',
  limit: Limit & { readonly id: string },
  names: StartNames,
  { now, today }: { readonly now: Date; readonly today: CalendarDay },
): Promise<boolean> {
  const parts = partsOf(limit.subject)
  const inserted = await tx
    .insertInto('elastic_limit_told')
    .values({
      customer_number: customerNumber,
      limit_id: limit.id,
      told,
      user_key: parts.includes('user') ? userKey(whoOf(limit.subject, names)) : '',
      project: parts.includes('project') ? names.project : '',
      product: parts.includes('product') ? names.product : '',
      period_from: periodStart(limit, today) ?? EVER,
      told_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('limit_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** A limit that was changed or removed: what it is now has not been told. */
export async function forgetTold(tx: Transaction<DB>, customerNumber: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx
    .deleteFrom('elastic_limit_told')
    .where('customer_number', '=', customerNumber)
    .where('limit_id', 'in', ids)
    .execute()
}

export async function deleteToldBefore(db: Kysely<DB>, instant: Date): Promise<void> {
  await db.deleteFrom('elastic_limit_told').where('told_at', '<', instant).execute()
}
