import { useEffect, useMemo, useRef } from 'react'
import type { FilterRow } from '#web/ui/grid/filter-row/filter-row.ts'
import type { ListState } from '#web/ui/grid/list/list-state.ts'
import type { Asked } from '#web/ui/grid/list/use-request.ts'
import type { Column } from '#web/ui/grid/model/column.ts'
import { withFilter } from '#web/ui/grid/model/table-view.ts'
import type { SavedView } from '#web/ui/saved-views/use-saved-view.ts'

/** The filter row is drawn anew only when a filter changes, not with every page that is turned. */
export function useFilterRowOf<Row>(
  columns: readonly Column<Row>[],
  { view: { filters }, setView, clearings }: SavedView,
  asked: Asked,
  list: ListState<Row>,
): FilterRow {
  const latest = useRef({ asked, list })
  useEffect(() => {
    latest.current = { asked, list }
  })
  const { key } = list
  return useMemo(
    () => ({
      columns,
      filters,
      setFilter: (id, filter) => setView((now) => withFilter(now, id, filter)),
      filterWithout: (id) => latest.current.asked.filterWithout(id),
      clearings,
      list: { distinct: (question) => latest.current.list.distinct(question), key },
    }),
    [columns, filters, setView, clearings, key],
  )
}
