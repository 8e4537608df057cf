import type { UsageRecord } from '#contract/data/usage.ts'
import type { UsageRow } from '#server/modules/elastic/usage/usage-booking.queries.ts'

/** Details that need no conversion; missing ones get the defaults of the table. */
export function detailsOf(sent: UsageRecord): Details {
  const details: Details = {}
  for (const [field, column] of DETAILS)
    if (sent[field] !== undefined) Object.assign(details, { [column]: sent[field] })
  return details
}

const DETAILS = [
  ['productLine', 'product_line'],
  ['featureNumber', 'feature_number'],
  ['processId', 'process_id'],
  ['cloudJobId', 'cloud_job_id'],
  ['internalIp', 'internal_ip'],
  ['externalIp', 'external_ip'],
  ['consumerId', 'consumer_id'],
  ['acquisition', 'acquisition'],
] as const satisfies readonly (readonly [keyof UsageRecord, keyof UsageRow])[]

type Details = Partial<Pick<UsageRow, (typeof DETAILS)[number][1]>>
