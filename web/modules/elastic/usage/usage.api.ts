import { queryOptions } from '@tanstack/react-query'
import { USAGE_COLUMNS, type UsageTransaction, usageList } from '#contract/elastic/usage/usage-list.ts'
import { ask, call } from '#web/lib/api/api-client.ts'
import { query } from '#web/lib/api/api-query.ts'
import { sourceOf } from '#web/table/list/declared-list.ts'

/** Fields in addition to the columns: the row key, and fields that loaded rows are filtered by. */
const ATTRIBUTES = [
  'TransactionNumber',
  'Active',
  'StartTime_ts',
  'EndTime_ts',
  'ActivationID',
  'CorrectionOf',
  ...USAGE_COLUMNS.map(([field]) => field),
] as const

export type Usage = Pick<UsageTransaction, (typeof ATTRIBUTES)[number]>

/** What a choice of days compares. */
export const SESSION_FIELDS = { start: 'StartTime_ts', end: 'EndTime_ts', active: 'Active' }

export const usageSource = (customerNumber: string) =>
  sourceOf(usageList, { customerNumber }, { key: ['usage', customerNumber], attributes: ATTRIBUTES })

/** Whether the account has an elastic license server; a refusal says that it has none. */
export const elasticDeviceQuery = (customerNumber: string) => query('devices/elastic', { body: { customerNumber } })

/** Whether a field is filled anywhere in the account's usage: a single row is enough to know. Both fields have an index. */
export function hasUsageWithQuery(customerNumber: string, field: 'AnsysCloudJobId' | 'CorrectedNumber') {
  return queryOptions({
    queryKey: ['usage-has', field, customerNumber],
    queryFn: async ({ signal }) => {
      const isDefined = { name: field, method: 'ISDEFINED', value: true } as const
      const filter = { condition: 'ALL' as const, criteria: [isDefined] }
      const body = { customerNumber, filter, attributes: [field], limit: 1 }
      return (await call('fetchUsage', { body, signal })).length > 0
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** When usage last arrived, and before which day it is archived. */
export function lastReceivedQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['last-updated-on', customerNumber],
    queryFn: ({ signal }) => ask('lastupdatedon', { query: { customerNumber }, signal }),
  })
}
