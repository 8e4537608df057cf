import { queryOptions } from '@tanstack/react-query'
import { elasticDevice } from '#contract/elastic/elastic-servers.ts'
import { countUsage, distinctUsage, fetchUsage } from '#contract/elastic/fetch-usage.ts'
import { lastUpdatedOn } from '#contract/elastic/last-updated-on.ts'
import type { UsageTransaction } from '#contract/elastic/usage-transaction.ts'
import { MAX_DISTINCT } from '#contract/kit/list.ts'
import { USAGE_COLUMNS, USAGE_FIELDS } from '#domain/elastic/usage-fields.ts'
import { ask, call } from '#web/lib/api-client.ts'
import type { ListSource } from '#web/ui/grid/list/list-source.ts'

/** Beside the columns, what tells rows apart and what loaded rows are filtered by. */
const ATTRIBUTES = [
  'TransactionNumber',
  'Active',
  'StartTime_ts',
  'EndTime_ts',
  ...USAGE_COLUMNS.map(([field]) => field),
] as const

export type Usage = Pick<UsageTransaction, (typeof ATTRIBUTES)[number]>

export function usageSource(customerNumber: string): ListSource<Usage> {
  return {
    key: ['usage', customerNumber],
    fields: USAGE_FIELDS,
    async fetchPage({ filter, sorting, from, limit, signal }) {
      const body = { customerNumber, filter, sorting: [...sorting], attributes: [...ATTRIBUTES], limit, ...from }
      const { data, token } = await ask(fetchUsage, { body, signal })
      return { rows: data as Usage[], token }
    },
    count: ({ filter, signal }) => call(countUsage, { body: { customerNumber, filter }, signal }),
    async distinct({ field, filter, signal }) {
      const body = { customerNumber, filter, key: field, limit: MAX_DISTINCT }
      const values = await call(distinctUsage, { body, signal })
      return values.map((value) => (value === null ? null : String(value)))
    },
  }
}

/** Whether the account has an elastic license server; a refusal says that it has none. */
export function elasticDeviceQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['elastic-device', customerNumber],
    queryFn: ({ signal }) => call(elasticDevice, { body: { customerNumber }, signal }),
  })
}

const HAS_CLOUD_JOB = { name: 'AnsysCloudJobId', method: 'ISDEFINED', value: true } as const

/** A single row with a cloud job id is enough to know. */
export function hasCloudJobsQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['usage-has-cloud-jobs', customerNumber],
    queryFn: async ({ signal }) => {
      const filter = { condition: 'ALL' as const, criteria: [HAS_CLOUD_JOB] }
      const body = { customerNumber, filter, attributes: [HAS_CLOUD_JOB.name], limit: 1 }
      return (await call(fetchUsage, { body, signal })).length > 0
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function lastReceivedQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['last-updated-on', customerNumber],
    queryFn: async ({ signal }) =>
      (await ask(lastUpdatedOn, { query: { customerNumber }, signal })).lastUpdatedOn ?? null,
  })
}
