import { type RawBuilder, sql } from 'kysely'
import type { OpenedDatabase } from '#bench/kit/database.ts'
import { debugLog } from '#bench/kit/debug-log.ts'
import { ensureCheckouts } from '#bench/usage/checkouts.ts'
import { LARGEST } from '#bench/usage/dataset.ts'
import { sendObservations } from '#contract/license-use/observations.ts'

export const ENTITLEMENTS = 5_000
/** Entries of the audit log and deliveries of webhooks, each. */
export const LOGGED = 100_000
export const REQUESTS = 20_000
const MEBIBYTE = 1024 * 1024
/** What the license server of the account has logged within a month. */
export const LOG_MEGABYTES = 32
export const LOGGED_MONTH = { from: '2026-10-01', to: '2026-10-31' }
export const SERVER = '02bec0000001'
/** The license server to which the hostile caller sends logs: what it has is removed before each run. */
export const ATTACKED_SERVER = '02bec0000002'

/** What an account has that uses everything: made once, apart from what a former run has sent. */
export async function ensureHostileData(database: OpenedDatabase): Promise<void> {
  const { db } = database
  await ensureCheckouts(db)
  const run = (...statements: RawBuilder<unknown>[]) =>
    db.transaction().execute(async (tx) => {
      for (const statement of statements) await statement.execute(tx)
    })
  const id = sql`'bench-net-' || n`
  const at = sql`timestamptz '2026-10-01' + n * interval '20 seconds'`
  await run(
    sql`insert into activation_owner (activation_id, customer_number)
      select ${id}, ${LARGEST} from generate_series(1, ${ENTITLEMENTS}::int) n on conflict do nothing`,
    sql`insert into product (part_number, name, item_number, daemon, feature_names)
      select 'P-' || n, 'Network product ' || n, 'bench-p-' || n, 'ansyslmd', array['feature_' || n % 40]
        from generate_series(0, 199) n on conflict do nothing`,
    sql`insert into entitlement (customer_number, activation_id, entitlement_id, part_number, product_name, license_model,
        line_item_quantity, start_date, end_date)
      select ${LARGEST}, ${id}, 'ENT-NET-' || n, 'P-' || n % 200, 'Network product ' || n % 200, 'Network', 5, '2024-01-01', '2027-12-31'
        from generate_series(1, ${ENTITLEMENTS}::int) n on conflict do nothing`,
    sql`insert into host (customer_number, host_id_type, host_id, host_name, added_at)
      select ${LARGEST}, 'ETHERNET', v.id, v.name, '2026-01-01'
        from (values (${SERVER}, 'lic-bench-1'), (${ATTACKED_SERVER}, 'lic-bench-2')) v(id, name) on conflict do nothing`,
    sql`select ensure_usage_partitions(now() - interval '1 day', now() + interval '1 day')`,
  )
  const logged =
    await sql`select from audit_log where customer_number = ${LARGEST} and request_id = 'bench' limit 1`.execute(db)
  if (logged.rows.length === 0)
    await run(
      sql`insert into audit_log (at, email, address, request_id, principal, action, text, customer_number, target, after, outcome)
        select ${at}, 'user' || n % 900 || '@bench.example', '198.51.100.7', 'bench', 'session', 'fulfillments/create',
               'Activated 3 seats of Network product ' || n % 200 || ' on lic-bench-1', ${LARGEST}, ${SERVER}, '{"count": 3}', 'done'
          from generate_series(1, ${LOGGED}::int) n`,
      sql`insert into webhook_endpoint (customer_number, id, url, events, is_on, off_reason, secret, created_by, created_at)
        select ${LARGEST}, md5('bench' || n)::uuid, 'https://hooks.example/' || n, array['seats.activated'], false, 'bench', '', 'bench', '2026-01-01'
          from generate_series(1, 10) n`,
      sql`insert into webhook_delivery (customer_number, endpoint_id, event_id, sequence, event, body, happened_at, state, attempts, status)
        select ${LARGEST}, md5('bench' || 1 + n % 10)::uuid, gen_random_uuid(), n, 'seats.activated', '{"type": "seats.activated"}', ${at},
               'delivered', 1, 200
          from generate_series(1, ${LOGGED}::int) n`,
      sql`insert into license_request (customer_number, request_id, kind, state, item, product, target, target_name, quantity, reason,
          requested_by, requested_at, expires_at, decided_by, decided_at)
        select ${LARGEST}, gen_random_uuid()::text, 'seats', 'declined', 'bench-net-' || n % 900, 'Network product ' || n % 200, ${SERVER},
               'lic-bench-1', 3, 'For the wing study', 'user' || n % 900 || '@bench.example', ${at}, ${at} + interval '30 days', 'bench', ${at}
          from generate_series(1, ${REQUESTS}::int) n`,
    )
  await deleteLogged(database, LARGEST, ATTACKED_SERVER)
  await sql`analyze`.execute(db)
}

/** Forgets everything that a license server has reported. */
export async function deleteLogged({ db }: OpenedDatabase, customerNumber: string, hostId: string): Promise<void> {
  const { rows } = await sql<{ table: string }>`
    select c.table_name as table from information_schema.columns c join pg_class p on p.oid = c.table_name::regclass and not p.relispartition
     where c.column_name = 'host_id' and c.table_name ~ '^license_(?!file)'`.execute(db)
  await db.transaction().execute(async (tx) => {
    for (const { table } of rows)
      await sql`delete from ${sql.table(table)} where customer_number = ${customerNumber} and host_id = ${hostId}`.execute(
        tx,
      )
  })
}

/** The log of a month, as a collector sends it. The portal knows what a former run has sent. */
export async function sendLog(send: (path: string, body: object) => Promise<void>): Promise<void> {
  let position = 0
  for (const part of debugLog(LOG_MEGABYTES * MEBIBYTE, { from: LOGGED_MONTH.from, days: 31, part: 4 * MEBIBYTE })) {
    const text = new TextDecoder().decode(part)
    const observations = [{ text, file: 'debug.log', position }]
    await send(sendObservations.path, { customerNumber: LARGEST, serverId: SERVER, observations })
    position += part.length
  }
}
