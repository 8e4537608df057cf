import { sql } from 'kysely'
import { USAGE_FIELDS } from '#domain/elastic/usage-fields.ts'
import { defineList } from '#server/lists/list-source.ts'

const FIELDS = USAGE_FIELDS
const START = { column: 'u.started_at', nullable: false } as const
/** Kept as infinity while the session runs: one comparison then answers "after", and picks the months to look at. */
const END = { column: 'u.ends_at', missingIsInfinity: true } as const
/** Has an index of its own (see the migration): its values are found by hopping along it. */
const loose = <const C extends string>(column: C) => ({ column, distinct: 'loose' }) as const

/** The usage of one account, or of one of its elastic servers. */
export const usageList = defineList({
  name: 'usage',
  fields: {
    TransactionNumber: { ...FIELDS.TransactionNumber, column: 'u.transaction_number', nullable: false },
    StartTime: { ...FIELDS.StartTime, ...START },
    EndTime: { ...FIELDS.EndTime, ...END },
    StartTime_ts: { ...FIELDS.StartTime_ts, ...START },
    EndTime_ts: { ...FIELDS.EndTime_ts, ...END },
    Product: { ...FIELDS.Product, ...loose('u.product'), nullable: false },
    ProductCount: { ...FIELDS.ProductCount, column: 'u.product_count', nullable: false },
    Hours: { ...FIELDS.Hours, column: 'u.hours' },
    Charge: { ...FIELDS.Charge, column: 'u.charge' },
    Currency: { ...FIELDS.Currency, ...loose('u.currency'), nullable: false },
    User: { ...FIELDS.User, ...loose('u.user_name'), nullable: false },
    Host: { ...FIELDS.Host, ...loose('u.host'), nullable: false },
    Project: { ...FIELDS.Project, ...loose('u.project') },
    DeviceID: { ...FIELDS.DeviceID, column: 'u.session_id', nullable: false },
    SessionStatus: { ...FIELDS.SessionStatus, ...loose('u.session_status'), nullable: false },
    REFERER_IP_ADDRESS: { ...FIELDS.REFERER_IP_ADDRESS, ...loose('u.external_ip') },
    productVersion: { ...FIELDS.productVersion, ...loose('u.product_version'), nullable: false },
    AnsysCloudJobId: { ...FIELDS.AnsysCloudJobId, ...loose('u.cloud_job_id') },
    Active: { ...FIELDS.Active, column: "u.ends_at = 'infinity'", nullable: false },
    Count: { ...FIELDS.Count, column: 'u.feature_count', nullable: false },
    Length: {
      ...FIELDS.Length,
      column: 'case when isfinite(u.ends_at) then extract(epoch from u.ends_at - u.started_at) end',
    },
    ServerID: { ...FIELDS.ServerID, column: 'u.server_id', nullable: false },
    Feature: { ...FIELDS.Feature, column: 'u.feature', nullable: false },
    FeatureFno: { ...FIELDS.FeatureFno, column: 'u.feature_number', nullable: false },
    IP_ADDRESS: { ...FIELDS.IP_ADDRESS, column: 'u.internal_ip' },
    ProductLine: { ...FIELDS.ProductLine, column: 'u.product_line', nullable: false },
    RateFileVersion: { ...FIELDS.RateFileVersion, column: 'u.rate_table_version', nullable: false },
    PID: { ...FIELDS.PID, column: 'u.process_id' },
    Account: { ...FIELDS.Account, column: 'u.customer_number', nullable: false },
    Acquisition: { ...FIELDS.Acquisition, column: 'u.acquisition', nullable: false },
    ConsumerID: { ...FIELDS.ConsumerID, column: 'u.consumer_id', nullable: false },
    ActivationID: { ...FIELDS.ActivationID, column: 'u.activation_id' },
  },
  key: ['StartTime', 'TransactionNumber'],
  defaultSort: [{ name: 'StartTime', direction: 'desc' }],
  prepares: ['StartTime', 'EndTime', 'StartTime_ts', 'EndTime_ts', 'Active'],
  looseWithin: ['StartTime', 'EndTime', 'StartTime_ts', 'EndTime_ts', 'Active'],
  from: sql`usage_transaction u`,
  scope: ({ customerNumber, serverId }: UsageScope) =>
    serverId === null
      ? sql<boolean>`u.customer_number = ${customerNumber}`
      : sql<boolean>`u.customer_number = ${customerNumber} and u.server_id = ${serverId}`,
})

export type UsageScope = { readonly customerNumber: string; readonly serverId: string | null }
