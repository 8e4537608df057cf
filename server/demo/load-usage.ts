import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { ELASTIC_PRODUCTS, STATUSES, type UsageBatch } from '#server/demo/usage-sessions.ts'
import { bookHistory } from '#server/modules/elastic/usage/usage-booking.queries.ts'

/** Books finished sessions in bulk. They are sent column by column, and the database looks up their texts. */
export function loadUsage(tx: Transaction<DB>, batches: Iterable<UsageBatch>): Promise<void> {
  return bookHistory(tx, async (history) => {
    for (const batch of batches) await insertBatch(tx, history, batch)
  })
}

const COLUMNS = sql.raw(
  `customer_number, server_id, session_id, session_status, started_at, ends_at, product, product_line, product_version,
   product_count, feature, feature_number, feature_count, user_name, host, process_id, project, cloud_job_id, internal_ip,
   external_ip, consumer_id, acquisition, rate_table_version, activation_id, charge, currency, arrived_at`,
)

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

async function insertBatch(tx: Transaction<DB>, history: RawBuilder<unknown>, batch: UsageBatch): Promise<void> {
  const { plan } = batch
  const { names } = plan
  const instant = (milliseconds: string) => sql.raw(`timestamptz 'epoch' + ${milliseconds} * interval '1 millisecond'`)
  const nth = (texts: readonly string[], index: string) => sql`(${texts}::text[])[${sql.raw(index)} + 1]`
  await sql`
    insert into ${history} (${COLUMNS})
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
