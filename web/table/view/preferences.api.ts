import { queryOptions } from '@tanstack/react-query'
import { query } from '#web/lib/api/api-query.ts'
import { persistently } from '#web/lib/api/query-client.ts'

/** Every view that the person has saved. Read once: from then on this is where changes are made first. */
export const preferencesQuery = queryOptions({
  ...query('getPreferences'),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  ...persistently,
})
