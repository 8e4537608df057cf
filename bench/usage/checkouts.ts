import { type Kysely, sql } from 'kysely'
import { LARGEST } from '#bench/usage/dataset.ts'
import type { DB } from '#server/db/schema.ts'

export const CHECKOUTS = 180_000

/** 40 products with 50 shared seats each, and about as many checkouts of two hours as a report may have. */
export async function ensureCheckouts(db: Kysely<DB>): Promise<void> {
  const found = await db
    .selectFrom('web_checkout')
    .select('checkout_id')
    .where('customer_number', '=', LARGEST)
    .limit(1)
    .executeTakeFirst()
  if (found) return
  await db.transaction().execute(async (tx) => {
    const id = sql`'bench-web-' || n`
    await sql`insert into activation_owner (activation_id, customer_number)
      select ${id}, ${LARGEST} from generate_series(0, 39) n`.execute(tx)
    await sql`insert into entitlement (customer_number, activation_id, entitlement_id, part_number, product_name, license_model,
        line_item_quantity, start_date, end_date)
      select ${LARGEST}, ${id}, 'ENT-WEB-' || n, 'P', 'Web product ' || n, 'Shared Web', 50, '2024-01-01', '2027-12-31'
        from generate_series(0, 39) n`.execute(tx)
    await sql`insert into web_checkout (customer_number, checkout_id, activation_id, product, kind, email, host, status,
        started_at, last_heartbeat_at, ends_at)
      select ${LARGEST}, ${LARGEST} || '.bench-' || n, 'bench-web-' || n % 40, 'Web product ' || n % 40, 'CONCURRENT',
             'user' || n % 900 || '@bench.example', 'ws', 'Completed', at, at, at + interval '2 hours'
        from (select n, timestamptz '2024-11-01' + n * interval '5.8 minutes' as at
                from generate_series(1, ${CHECKOUTS}::int) n) made`.execute(tx)
  })
  await sql`analyze`.execute(db)
}
