import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/api-client.ts'
import { persistently } from '#web/lib/query-client.ts'

export const featuresQuery = queryOptions({
  queryKey: ['features'],
  queryFn: ({ signal }) => call('getFeatures', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  ...persistently,
})

export function chooseFeatures(names: string[], idempotencyKey: string) {
  return call('setFeatures', { body: { features: names }, idempotencyKey })
}

export const environmentQuery = queryOptions({
  queryKey: ['environment'],
  queryFn: ({ signal }) => call('environment', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  ...persistently,
})

export const buildInfoQuery = queryOptions({
  queryKey: ['build-info'],
  queryFn: ({ signal }) => call('getBuildInfo', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
