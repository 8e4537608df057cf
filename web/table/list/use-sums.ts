import { useQuery } from '@tanstack/react-query'
import type { Sum } from '#contract/kit/list.ts'
import type { ListSource } from '#web/table/list/list-source.ts'
import type { Table } from '#web/table/use-table.ts'

/** What the rows on all pages add up to. Empty until it is known, and where nothing matches. */
export function useSums<Row>(source: ListSource<Row>, { list, request }: Table<Row>): readonly Sum[] {
  const { sum } = source
  const isAsked = sum !== undefined && !list.isStale && (list.total ?? 0) > 0
  const sums = useQuery({
    queryKey: [...source.key, 'sum', request.filter],
    queryFn: ({ signal }) => sum?.({ filter: request.filter, signal }) ?? [],
    enabled: isAsked,
    refetchOnWindowFocus: false,
  })
  return (isAsked && sums.data) || NONE
}

const NONE: readonly Sum[] = []
