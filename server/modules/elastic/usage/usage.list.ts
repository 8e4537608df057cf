import { sql } from 'kysely'
import { usageList } from '#contract/elastic/usage/usage-list.ts'
import { listSource } from '#server/lists/list-source.ts'

const START = 'u.started_at'
/** Stored as infinity while the session runs: one comparison then covers "after", and prunes partitions. */
const END = { column: 'u.ends_at', missingIsInfinity: true } as const
/** Every month has an index on this column (`index_usage_month`): its values are found by a loose index scan. */
const loose = (column: string) => ({ column, distinct: 'loose' }) as const

/** The usage of one account, or of one of its elastic servers. */
export const usageSource = listSource(usageList, {
  columns: {
    TransactionNumber: 'u.transaction_number',
    StartTime: START,
    EndTime: END,
    StartTime_ts: START,
    EndTime_ts: END,
    Product: loose('u.product'),
    ProductCount: 'u.product_count',
    Hours: 'u.hours',
    Charge: 'u.charge',
    Currency: loose('u.currency'),
    User: loose('u.user_name'),
    Host: loose('u.host'),
    Project: loose('u.project'),
    DeviceID: 'u.session_id',
    SessionStatus: loose('u.session_status'),
    REFERER_IP_ADDRESS: loose('u.external_ip'),
    productVersion: loose('u.product_version'),
    AnsysCloudJobId: loose('u.cloud_job_id'),
    Active: "u.ends_at = 'infinity'",
    Count: 'u.feature_count',
    Length: 'case when isfinite(u.ends_at) then extract(epoch from u.ends_at - u.started_at) end',
    ServerID: 'u.server_id',
    Feature: 'u.feature',
    FeatureFno: 'u.feature_number',
    IP_ADDRESS: 'u.internal_ip',
    ProductLine: 'u.product_line',
    RateFileVersion: 'u.rate_table_version',
    PID: 'u.process_id',
    Account: 'u.customer_number',
    Acquisition: 'u.acquisition',
    ConsumerID: 'u.consumer_id',
    ActivationID: 'u.activation_id',
    CorrectionOf: 'u.corrected_session_id',
    CorrectedNumber: 'u.corrects',
  },
  prepares: ['StartTime', 'EndTime', 'StartTime_ts', 'EndTime_ts', 'Active'],
  looseWithin: ['StartTime', 'EndTime', 'StartTime_ts', 'EndTime_ts', 'Active'],
  looseRows: { indexed: sql<boolean>`u.ends_at < 'infinity'`, others: sql<boolean>`u.ends_at = 'infinity'` },
  from: sql`usage_transaction u`,
  scope: ({ customerNumber, serverId }: UsageScope) =>
    serverId === null
      ? sql<boolean>`u.customer_number = ${customerNumber}`
      : sql<boolean>`u.customer_number = ${customerNumber} and u.server_id = ${serverId}`,
})

export type UsageScope = { readonly customerNumber: string; readonly serverId: string | null }
