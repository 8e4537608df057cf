import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/api/api-client.ts'
import { query } from '#web/lib/api/api-query.ts'
import { persistently } from '#web/lib/api/query-client.ts'

export const featuresQuery = queryOptions({
  ...query('getFeatures'),
  staleTime: Number.POSITIVE_INFINITY,
  ...persistently,
})

export function chooseFeatures(names: string[], idempotencyKey: string) {
  return call('setFeatures', { body: { features: names }, idempotencyKey })
}

export const environmentQuery = queryOptions({
  ...query('environment'),
  staleTime: Number.POSITIVE_INFINITY,
  ...persistently,
})

export const buildInfoQuery = queryOptions({ ...query('getBuildInfo'), staleTime: Number.POSITIVE_INFINITY })
