import { createContext, use } from 'react'
import type { FilterInput } from '#domain/filter/filter.ts'
import type { ColumnFilter, ColumnFilters } from '#web/table/filters/column-filter.ts'
import type { FilterWay } from '#web/table/filters/filter-ways.ts'
import type { ListState } from '#web/table/list/list-state.ts'

/** What the filters of the columns know of their table. */
export type FilterRow = {
  filters: ColumnFilters
  setFilter(column: string, filter: ColumnFilter | undefined): void
  /** The filter of the other columns. A value list offers only values of rows that match it. */
  filterWithout(column: string): FilterInput
  /** Changes when all filters are cleared at once. */
  clearings: number
  list: Pick<ListState<unknown>, 'distinct' | 'key'>
}

/** Opens the popover with the filter of a column below an element. The focus goes back to where the person came from. */
export type OpenFilter = (column: string, below: HTMLElement, options?: { way?: FilterWay; from?: HTMLElement }) => void

export const FilterRowContext = createContext<FilterRow | null>(null)
export const OpenFilterContext = createContext<OpenFilter>(() => {})

export function useFilterRow(): FilterRow {
  const row = use(FilterRowContext)
  if (!row) throw new Error('Filters stand in a table')
  return row
}
