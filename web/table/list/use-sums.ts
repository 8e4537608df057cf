import { useQuery } from '@tanstack/react-query'
import type { Sum } from '#contract/kit/list.ts'
import { sumQuery } from '#web/table/list/list-queries.ts'
import type { ListSource } from '#web/table/list/list-source.ts'
import type { Table } from '#web/table/use-table.ts'

/** What the rows on all pages add up to. Empty until it is known, and where nothing matches. */
export function useSums<Row>(source: ListSource<Row>, { list, request }: Table<Row>): readonly Sum[] {
  const isAsked = source.sum !== undefined && !list.isStale && (list.total ?? 0) > 0
  const sums = useQuery({
    ...sumQuery(source, request.filter),
    enabled: isAsked,
    refetchOnWindowFocus: false,
  })
  return (isAsked && sums.data) || NONE
}

const NONE: readonly Sum[] = []
