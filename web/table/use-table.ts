import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { TableName } from '#contract/settings/table-names.ts'
import type { FilterInput, SortInput } from '#domain/filter/filter.ts'
import { useCustomer } from '#web/lib/customer.tsx'
import { type Column, fieldOf } from '#web/table/columns/column.ts'
import { criteriaOf, type FilterElement } from '#web/table/filters/filter-criteria.ts'
import { countQuery } from '#web/table/list/list-queries.ts'
import type { ListSource } from '#web/table/list/list-source.ts'
import type { ListRequest, ListState } from '#web/table/list/list-state.ts'
import { type LoadedList, useLoadedList } from '#web/table/list/use-loaded-list.ts'
import { PAGE_SIZES, type Paging, type Question, useRequest } from '#web/table/list/use-request.ts'
import { useServerList } from '#web/table/list/use-server-list.ts'
import type { ExtraFields } from '#web/table/view/table-address.ts'
import { type ColumnSort, hasFilters, type TableView, withFilter } from '#web/table/view/table-view.ts'
import { type TableViewState, useTableView } from '#web/table/view/use-table-view.ts'
import { useUnsavedView } from '#web/table/view/use-unsaved-view.ts'

export type Table<Row> = {
  /** The offered columns; the view may know more. */
  columns: readonly Column<Row>[]
  rowKey(row: Row): string
  state: TableViewState
  request: ListRequest
  paging: Paging
  list: ListState<Row>
  /** The filter of all other columns. A value list offers only values of rows that match it. */
  filterWithout(column: string): FilterInput
  /** The order of the rows where nobody sorts them, the strongest rule first. */
  naturalSorting: readonly ColumnSort[]
  /** How many rows there are without the filters; only known when the filters hide everything. */
  unfilteredTotal: number | undefined
}

type FiltersAndExtra = { view: TableView; extra: ExtraFields }

export type TableOptions<Row, Wire> = {
  /**
   * Views are saved under this name, and the address holds the view. A table in a dialog has none, and its view is not
   * saved.
   */
  tableName?: TableName
  columns: readonly Column<Row>[]
  rowKey(row: Row): string
  source: TableSource<Wire>
  /** The order until the person chooses another. */
  sorting?: readonly ColumnSort[]
  /** The order in which a loaded list comes, or one whose fields are not the columns. Other lists know it themselves. */
  naturalSorting?: readonly ColumnSort[]
  /** Criteria of the screen in addition to the column filters: a date range, active rows only. */
  demands?(state: FiltersAndExtra): readonly FilterElement[]
  /** For lists whose fields are not the columns of the screen. */
  toQuestion?(view: Pick<TableView, 'filters' | 'sorting'>): Question
  /** A hook that makes the rows to show of what the source answers. */
  useRows?(list: ListState<Wire>): ListState<Row>
  /** False while something is missing that the request needs. */
  isReady?(view: TableView): boolean
  /** Distinguishes the tables of one page in the address. */
  urlPrefix?: string
  pageSizes?: readonly number[]
}

const NO_SORTING: readonly ColumnSort[] = []
const NO_DEMANDS = () => []
const AS_THEY_ARE = (list: ListState<unknown>) => list

/** Everything that a table knows and can do; `<DataTable>` renders it. */
export function useTable<Row, Wire = Row>(options: TableOptions<Row, Wire>): Table<Row> {
  const { tableName, columns, rowKey, source, sorting = NO_SORTING, demands = NO_DEMANDS, urlPrefix = '' } = options
  const customer = useCustomer()
  const customerNumber = customer.state === 'known' ? customer.number : ''
  const state = useView({ customerNumber, tableName, columns, sorting, urlPrefix })
  const { view, extra } = state
  const offered = useMemo(() => columns.filter((column) => !column.isAbsent), [columns])

  const question = (of: TableView): Question => {
    const { filter, sorting: rules } = options.toQuestion?.(of) ?? questionOf(offered, of)
    return { filter: { ...filter, criteria: [...demands({ view: of, extra }), ...filter.criteria] }, sorting: rules }
  }
  const isReady = state.isReady && (options.isReady?.(view) ?? true)
  const { request, paging } = useRequest(question(view), {
    isReady: state.isReady,
    urlPrefix: tableName && urlPrefix,
    pageSizes: options.pageSizes ?? PAGE_SIZES,
  })
  const answer = useList(source, request, isReady)
  const useRows = (options.useRows ?? AS_THEY_ARE) as (list: ListState<Wire>) => ListState<Row>
  const list = useRows(answer)

  const isAllHidden = list.total === 0 && hasFilters(view) && !list.isStale
  const all = question({ ...view, filters: {} }).filter
  const unfiltered = useQuery({ ...countQuery(list, all), enabled: isAllHidden })
  useLastPage(paging, list)
  const defaultSort = 'defaultSort' in source ? source.defaultSort : undefined
  const naturalSorting = useMemo(
    () => options.naturalSorting ?? naturalSortingOf(defaultSort, offered),
    [options.naturalSorting, defaultSort, offered],
  )
  return {
    columns: offered,
    rowKey,
    state,
    request,
    paging,
    list,
    naturalSorting,
    filterWithout: (id) => question(withFilter(view, id, undefined)).filter,
    unfilteredTotal: isAllHidden ? unfiltered.data : undefined,
  }
}

type ViewOptions = Omit<Parameters<typeof useTableView>[0], 'tableName'> & { tableName: TableName | undefined }

/** The condition never changes for a table, so the hooks are always called in the same order. */
function useView({ tableName, ...options }: ViewOptions): TableViewState {
  const useOne = tableName === undefined ? useUnsavedView : useTableView
  return useOne({ ...options, tableName: tableName as TableName })
}

function questionOf(columns: readonly Column<never>[], view: Pick<TableView, 'filters' | 'sorting'>): Question {
  const filtered = columns.filter((column) => !column.isFilteredAbove)
  return {
    filter: { condition: 'ALL', criteria: criteriaOf(filtered, view.filters) },
    sorting: view.sorting.flatMap(({ column: id, direction }) => {
      const column = columns.find((one) => one.id === id)
      return column ? [{ name: fieldOf(column), direction }] : []
    }),
  }
}

/** Rules for fields that are no columns of the table cannot be shown. */
function naturalSortingOf(rules: readonly SortInput[] = [], columns: readonly Column<never>[]): readonly ColumnSort[] {
  return rules.flatMap(({ name, direction }) => {
    const column = columns.find((one) => fieldOf(one) === name)
    return column ? [{ column: column.id, direction: direction.toLowerCase() === 'desc' ? 'desc' : 'asc' }] : []
  })
}

/** A list that got shorter, or an address that somebody typed, may name a page that is not there. */
function useLastPage({ page, pageSize, goTo }: Paging, { total, isStale }: ListState<unknown>): void {
  const last = total === undefined || isStale ? page : Math.max(0, Math.ceil(total / pageSize) - 1)
  useEffect(() => {
    if (page > last) goTo(last)
  })
}

/** A list that the server pages, or one of which all rows come at once. */
type TableSource<Row> = ListSource<Row> | LoadedList<Row>

const NO_LIST: LoadedList<never> = { key: ['no-list'], fields: {}, rows: undefined, failure: undefined, retry() {} }
const NO_SOURCE: ListSource<never> = {
  key: ['no-list'],
  fields: {},
  defaultSort: [],
  fetchPage: () => Promise.reject(new Error('There is no list')),
  count: () => Promise.reject(new Error('There is no list')),
  distinct: () => Promise.reject(new Error('There is no list')),
}

function useList<Row>(source: TableSource<Row>, request: ListRequest, isReady: boolean): ListState<Row> {
  const isServer = 'fetchPage' in source
  const served = useServerList<Row>(isServer ? source : NO_SOURCE, request, isServer && isReady)
  const loaded = useLoadedList<Row>(isServer ? NO_LIST : source, request)
  if (isServer) return served
  // Wait for the saved view: rows in another order would jump when it arrives.
  return isReady ? loaded : { ...loaded, rows: undefined, total: undefined }
}
