import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { ELASTIC_PRODUCTS, STATUSES, type UsageBatch } from '#server/demo/usage-sessions.ts'

/** What a row of usage holds beside the numbers that the database makes itself. */
const COLUMNS = sql.raw(
  `customer_number, server_id, session_id, session_status, started_at, ends_at, product, product_line, product_version,
   product_count, feature, feature_number, feature_count, user_name, host, process_id, project, cloud_job_id, internal_ip,
   external_ip, consumer_id, acquisition, rate_table_version, activation_id, charge, currency, arrived_at`,
)

/**
 * Loads finished sessions in bulk, in the order of their end, which is the order in which usage arrives. Months that do
 * not exist yet are filled before they become part of the table: their indexes are then built once instead of row by row.
 */
export async function loadUsage(tx: Transaction<DB>, batches: Iterable<UsageBatch>): Promise<void> {
  await sql`create temp table usage_loading as select ${COLUMNS} from usage_transaction with no data`.execute(tx)
  for (const batch of batches) await insertBatch(tx, batch)
  const { rows: months } = await sql<{ month: Date }>`
    select distinct date_trunc('month', ends_at, 'UTC') as month from usage_loading order by 1`.execute(tx)
  for (const { month } of months) await moveMonth(tx, month)
  await sql`drop table usage_loading`.execute(tx)
}

const LINES: Readonly<Record<string, string>> = {
  ansyslmd: 'Structures',
  fluentd: 'Fluids',
  ansoftd: 'Electronics',
  apacheda: 'Semiconductors',
  sequenced: 'Semiconductors',
}
const PRODUCT_NAMES = ELASTIC_PRODUCTS.map(({ name }) => name)
const PRODUCT_LINES = ELASTIC_PRODUCTS.map(({ daemon }) => LINES[daemon] ?? '')
const FEATURES = ELASTIC_PRODUCTS.map(({ featureNames }) => featureNames[0] ?? '')

async function insertBatch(tx: Transaction<DB>, batch: UsageBatch): Promise<void> {
  const { plan } = batch
  const { names } = plan
  const instant = (milliseconds: string) => sql.raw(`timestamptz 'epoch' + ${milliseconds} * interval '1 millisecond'`)
  const nth = (texts: readonly string[], place: string) => sql`(${texts}::text[])[${sql.raw(place)} + 1]`
  await sql`
    insert into usage_loading (${COLUMNS})
    select ${plan.customerNumber}::text, ${plan.serverId}::text,
      substr(md5(${`${plan.activationId} session `}::text || (${batch.first}::int + s.n)), 1, 20), ${nth(STATUSES, 's.status')},
      ${instant('s.started_at')}, ${instant('s.ended_at')},
      ${nth(PRODUCT_NAMES, 's.product')}, ${nth(PRODUCT_LINES, 's.product')},
      to_char(v.released, 'YYYY') || case when extract(month from v.released) > 6 then ' R2' else ' R1' end,
      s.product_count, ${nth(FEATURES, 's.product')}, (1000 + s.product)::text, s.product_count,
      ${nth(names.users, 's.person')}, ${nth(names.hosts, 's.host')}, 1000 + (s.started_at / 1000) % 60000,
      ${nth(names.projects, 's.project')}, 'job-' || to_hex(7340032 + s.cloud_job),
      ${nth(names.internalIps, 's.host')}, ${nth(names.externalIps, 's.external_ip')},
      'consumer-' || to_hex(65536 + s.person), case s.status when 3 then 'Offline' else 'Online' end,
      ${plan.rateTableVersion}::text, ${plan.activationId}::text, s.cents / 100.0, ${plan.currency}::text,
      ${instant('(s.ended_at + 300000)')}
    from unnest(${batch.startedAt}::int8[], ${batch.endedAt}::int8[], ${batch.cents}::int8[], ${batch.product}::int4[],
        ${batch.productCount}::int4[], ${batch.person}::int4[], ${batch.host}::int4[], ${batch.project}::int4[],
        ${batch.cloudJob}::int4[], ${batch.externalIp}::int4[], ${batch.status}::int4[]) with ordinality
      as s (started_at, ended_at, cents, product, product_count, person, host, project, cloud_job, external_ip, status, n)
    -- some are one or two releases behind
    cross join lateral (select ${instant('s.started_at')} - (6 + 6 * (s.person % 3)) * interval '1 month' as released) v
    `.execute(tx)
}

async function moveMonth(tx: Transaction<DB>, from: Date): Promise<void> {
  const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1))
  const name = `usage_transaction_${from.toISOString().slice(0, 7).replace('-', '_')}`
  const found = await sql<{ exists: boolean }>`select to_regclass(${name}) is not null as exists`.execute(tx)
  const month = sql`usage_loading where ends_at >= ${from} and ends_at < ${to}`
  if (found.rows[0]?.exists) return insertMonth(tx, sql.table('usage_transaction'), month)

  const partition = sql.table(name)
  await sql`create table ${partition}
    (like usage_transaction including defaults including generated including constraints)`.execute(tx)
  await insertMonth(tx, partition, month)
  await sql`alter table usage_transaction attach partition ${partition}
    for values from (${sql.lit(from.toISOString())}) to (${sql.lit(to.toISOString())})`.execute(tx)
  await bookMonth(tx, partition)
}

async function insertMonth(tx: Transaction<DB>, table: RawBuilder<unknown>, month: RawBuilder<unknown>): Promise<void> {
  await sql`insert into ${table} (${COLUMNS}) select ${COLUMNS} from ${month} order by ends_at, session_id`.execute(tx)
}

/** What the triggers of the table do for rows that are inserted into it. */
async function bookMonth(tx: Transaction<DB>, partition: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into usage_day as kept
    select u.customer_number, (u.ends_at at time zone a.time_zone)::date, u.activation_id, u.product, u.currency,
           sum(u.charge), sum(u.hours), count(*)
      from ${partition} u join account a on a.customer_number = u.customer_number group by 1, 2, 3, 4, 5
    on conflict (customer_number, day, activation_id, product, currency) do update
       set charge = kept.charge + excluded.charge, hours = kept.hours + excluded.hours,
           transactions = kept.transactions + excluded.transactions`.execute(tx)
  await sql`
    update elastic_server s set usage_arrived_at = greatest(s.usage_arrived_at, newest.arrived_at)
      from (select customer_number, server_id, max(arrived_at) as arrived_at from ${partition} group by 1, 2) newest
     where s.customer_number = newest.customer_number and s.device_id = newest.server_id`.execute(tx)
}
