import { useMemo, useState } from 'react'
import type { FilterInput, SortInput } from '#domain/filter/filter.ts'
import type { ListRequest } from '#web/ui/grid/list/list-state.ts'
import { type Column, fieldOf } from '#web/ui/grid/model/column.ts'
import { criteriaOf, type FilterElement } from '#web/ui/grid/model/filter-criteria.ts'
import type { TableView } from '#web/ui/grid/model/table-view.ts'

export const PAGE_SIZES = [20, 25, 50, 100, 500] as const
const DEFAULT_PAGE_SIZE = 20

export type Paging = {
  page: number
  pageSize: number
  goTo(page: number): void
  resize(pageSize: number): void
}

export type Asked = {
  request: ListRequest
  paging: Paging
  /** What every other column lets through. */
  filterWithout(column: string): FilterInput
}

/** What the view and the page together ask of the list. Another filter or sorting starts again on the first page. */
export function useRequest(
  columns: readonly Column<never>[],
  view: TableView,
  /** What the screen demands of every row, whatever the columns are filtered by. */
  demands: readonly FilterElement[] = [],
): Asked {
  const [pageSize, setPageSize] = useState(DEFAULT_PAGE_SIZE)
  const [place, setPlace] = useState({ page: 0, question: '' })

  const filterBy = (among: readonly Column<never>[]): FilterInput => ({
    condition: 'ALL',
    criteria: [...demands, ...criteriaOf(among, view.filters)],
  })
  const sorting = sortingOf(columns, view)
  const question = JSON.stringify([filterBy(columns), sorting, pageSize])
  const page = place.question === question ? place.page : 0

  // Equal questions keep their identity, so that a new drawing is not a new request.
  const same = useMemo(() => parsed(question), [question])
  const request = useMemo(() => ({ ...same, offset: page * pageSize, limit: pageSize }), [same, page, pageSize])
  return {
    request,
    paging: { page, pageSize, goTo: (to) => setPlace({ page: to, question }), resize: setPageSize },
    filterWithout: (id) => filterBy(columns.filter((column) => column.id !== id)),
  }
}

function parsed(question: string): { filter: FilterInput; sorting: SortInput[] } {
  const [filter, sorting] = JSON.parse(question) as [FilterInput, SortInput[]]
  return { filter, sorting }
}

function sortingOf(columns: readonly Column<never>[], view: TableView): SortInput[] {
  return view.sorting.flatMap(({ column: id, direction }) => {
    const column = columns.find((one) => one.id === id)
    return column ? [{ name: fieldOf(column), direction }] : []
  })
}
