import { keepPreviousData, type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { retried } from '#web/lib/api/query-client.ts'
import { inTime } from '#web/table/list/list-calls.ts'
import { countQuery } from '#web/table/list/list-queries.ts'
import type { ListSource, Page } from '#web/table/list/list-source.ts'
import type { ListRequest } from '#web/table/list/list-state.ts'

/** Rows are fetched in chunks of this size, or of a page if that is larger, so that most page turns need no call. */
const FETCH_SIZE = 100
/** Three times the largest page stays in memory around the page that is shown. */
const KEPT_ROWS = 1500

/** Rows must not change because the reader switched windows. */
const CALM = { refetchOnWindowFocus: false, refetchOnReconnect: false } as const

export function useServerRows<Row>(source: ListSource<Row>, request: ListRequest, enabled: boolean) {
  const queries = useQueryClient()
  const size = Math.max(FETCH_SIZE, request.limit)
  const block = Math.floor(request.offset / size)
  const current = blockQuery(queries, source, request, size, block)
  const common = { ...CALM, enabled, placeholderData: keepPreviousData } as const
  const counted = countQuery(source, request.filter)
  // Prefetched while the rest is still rendered, which takes longer than the call.
  if (enabled && !queries.getQueryState(current.queryKey)) void queries.prefetchQuery(current)
  if (enabled && !queries.getQueryState(counted.queryKey)) void queries.prefetchQuery(counted)
  const rows = useQuery({ ...current, ...common })
  const count = useQuery({ ...counted, ...common })

  const isLastOfBlock = request.offset + request.limit >= (block + 1) * size
  const hasNext = (count.data ?? 0) > (block + 1) * size
  const next = isLastOfBlock && hasNext && !rows.isPlaceholderData ? block + 1 : undefined
  const { queryKey } = current
  useEffect(() => {
    if (next !== undefined) void queries.prefetchQuery(blockQuery(queries, source, request, size, next))
    forgetFarBlocks(queries, queryKey, size)
  }, [queries, JSON.stringify(queryKey), next])

  const loaded = rows.data?.rows
  const start = request.offset - block * size
  const page = useMemo(() => loaded?.slice(start, start + request.limit), [loaded, start, request.limit])
  return { rows, count, page }
}

function blockQuery<Row>(
  queries: QueryClient,
  source: ListSource<Row>,
  { filter, sorting }: ListRequest,
  limit: number,
  block: number,
) {
  const keyOf = (offset: number) => [...source.key, 'rows', filter, sorting, limit, offset]
  return queryOptions({
    queryKey: keyOf(block),
    queryFn: ({ signal }) => {
      const token = queries.getQueryData<Page<Row>>(keyOf(block - 1))?.token
      const from = token ? { token } : { offset: block * limit }
      return inTime(signal, (one) => source.fetchPage({ filter, sorting, from, limit, signal: one }))
    },
    ...retried,
  })
}

function forgetFarBlocks(queries: QueryClient, queryKey: readonly unknown[], size: number): void {
  const list = queryKey.slice(0, -1)
  const here = Number(queryKey.at(-1))
  queries.removeQueries({
    queryKey: list,
    predicate: (query) => Math.abs(Number(query.queryKey.at(-1)) - here) * size > KEPT_ROWS / 2 + size,
  })
}
