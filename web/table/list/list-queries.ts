import { queryOptions } from '@tanstack/react-query'
import type { FilterInput } from '#domain/filter/filter.ts'
import { retried } from '#web/lib/api/query-client.ts'
import { inTime } from '#web/table/list/list-calls.ts'
import type { ListSource } from '#web/table/list/list-source.ts'

/** A list, on the server or loaded, that answers questions about its rows. */
type Counted = Pick<ListSource<never>, 'key' | 'count'>
type WithValues = Pick<ListSource<never>, 'key' | 'distinct'>
type Summed = Pick<ListSource<never>, 'key' | 'sum'>

/** How many rows match a filter. */
export function countQuery(list: Counted, filter: FilterInput) {
  return queryOptions({
    queryKey: [...list.key, 'count', filter],
    queryFn: ({ signal }) => inTime(signal, (one) => list.count({ filter, signal: one })),
    ...retried,
  })
}

/** The values of a field in the rows that match a filter. */
export function distinctQuery(list: WithValues, field: string, filter: FilterInput) {
  return queryOptions({
    queryKey: [...list.key, 'distinct', field, filter],
    queryFn: ({ signal }) => inTime(signal, (one) => list.distinct({ field, filter, signal: one })),
    ...retried,
  })
}

/** The sums over the rows that match a filter. None for a list that declares no sums. */
export function sumQuery(list: Summed, filter: FilterInput) {
  return queryOptions({
    queryKey: [...list.key, 'sum', filter],
    queryFn: async ({ signal }) => (await list.sum?.({ filter, signal })) ?? [],
  })
}
