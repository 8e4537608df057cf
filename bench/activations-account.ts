import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import { entitlementRow, lease } from '#server/demo/entitlement-row.ts'
import { generateLeases, USUAL_MIX } from '#server/demo/generated-leases.ts'
import { insertRows } from '#server/demo/insert-rows.ts'
import { catalog } from '#server/demo/parts/catalog.demo.ts'
import { productNamed } from '#server/demo/products.ts'
import { systemClock } from '#server/doors/clock.ts'
import { claimActivationIds } from '#server/modules/entitlements/entitlements.public.ts'

/** An account with 2,000 hosts and 5,000 entitlements, and 500 more with seats to spare. Kept between runs. */
export const DATA_DIR = '.data-bench-activations'
export const CUSTOMER = '300002'
export const SAVED = 500
export const PRODUCT = 'Structural Mechanics Pro'
const HOSTS = 2000
const ENTITLEMENTS = 5000

export function hostId(n: number): string {
  return n.toString(16).padStart(12, '0')
}

export function savedId(at: number): string {
  return `saved-${at}`
}

export async function fillAccount(db: Kysely<DB>, pool: pg.Pool, today: CalendarDay): Promise<void> {
  const now = systemClock.now()
  const found = await db.selectFrom('account').select('name').where('customer_number', '=', CUSTOMER).executeTakeFirst()
  if (found) return
  await db.transaction().execute(async (tx) => {
    await catalog.load(tx, undefined as never)
    await tx.insertInto('account').values({ customer_number: CUSTOMER, name: 'Bench', org_type: 'Direct' }).execute()
    const leases = generateLeases({ customerNumber: CUSTOMER, today, count: ENTITLEMENTS, mix: USUAL_MIX })
    const product = productNamed(PRODUCT)
    const terms = { product, licenseModel: 'Network', term: lease(today, -10, 300), quantity: 1_000_000 }
    const saved = Array.from({ length: SAVED }, (_, at) =>
      entitlementRow({ customerNumber: CUSTOMER, purpose: `saved ${at}` }, terms, { activation_id: savedId(at) }),
    )
    await claimActivationIds(tx, [...leases, ...saved])
    await insertRows(tx, 'entitlement', [...leases, ...saved])
    const host = { customer_number: CUSTOMER, host_id_type: 'ETHERNET' as const }
    const hosts = Array.from({ length: HOSTS }, (_, at) => ({
      ...host,
      host_id: hostId(at + 1),
      host_name: `lic-${at}`,
      added_at: now,
    }))
    await insertRows(tx, 'host', hosts)
    const seats = leases.map(({ activation_id }, at) => ({
      ...host,
      host_id: hostId((at % HOSTS) + 1),
      activation_id,
      fulfill_count: 1,
      fulfilled_at: now,
    }))
    await insertRows(tx, 'fulfillment', seats)
  })
  await pool.query('analyze')
}
