import type { FilterInput, SortInput } from '#domain/filter/filter.ts'
import type { CountRequest, DistinctRequest } from '#web/table/list/list-source.ts'

/** What a table wants to show. */
export type ListRequest = {
  filter: FilterInput
  sorting: readonly SortInput[]
  offset: number
  limit: number
}

/** How far the answer is. */
export type ListState<Row> = {
  /** The rows of the page; undefined as long as there has been none. */
  rows: readonly Row[] | undefined
  /** How many there are on all pages. */
  total: number | undefined
  /** Stale: the rows belong to the previous request. */
  isStale: boolean
  failure: Error | undefined
  retry(): void
  /** What the column filters' value lists ask. */
  distinct(request: DistinctRequest): Promise<readonly (string | null)[]>
  /** How many rows a filter lets through. */
  count(request: CountRequest): Promise<number>
  /** Begins the query keys of its counts and value lists. */
  key: readonly unknown[]
}
