import type { Sum } from '#contract/kit/list.ts'
import type { Fields } from '#domain/filter/fields.ts'
import type { FilterInput, SortInput } from '#domain/filter/filter.ts'

export type Page<Row> = {
  rows: readonly Row[]
  /** Continues after the last row, at the same cost on every page; not every list has it. */
  token?: string | null | undefined
}

export type PageRequest = {
  filter: FilterInput
  sorting: readonly SortInput[]
  from: { offset: number } | { token: string }
  limit: number
  signal: AbortSignal
}

export type CountRequest = { filter: FilterInput; signal: AbortSignal }

export type DistinctRequest = { field: string; filter: FilterInput; signal: AbortSignal }

/** A list on the server, as a table asks for it. */
export type ListSource<Row> = {
  /** Names the list and whose it is; invalidating this key makes every table of it load again. */
  key: readonly unknown[]
  /** The fields of its rows, so that what is loaded can be filtered and sorted here as the server would do it. */
  fields: Fields
  /** The order when a request names none. */
  defaultSort: readonly SortInput[]
  fetchPage(request: PageRequest): Promise<Page<Row>>
  count(request: CountRequest): Promise<number>
  /** What number fields of the rows that match add up to, for lists that offer it. */
  sum?(request: CountRequest): Promise<readonly Sum[]>
  /** The values that occur in one field, null among them if it is missing somewhere; refused when there are too many. */
  distinct(request: DistinctRequest): Promise<readonly (string | null)[]>
}
