import { useEffect, useMemo, useRef } from 'react'
import type { FilterRow } from '#web/table/filters/filter-row.ts'
import type { Table } from '#web/table/use-table.ts'
import { withFilter } from '#web/table/view/table-view.ts'

/** The filter row is rendered again only when a filter changes, not with every page. */
export function useFilterRowOf<Row>(table: Table<Row>): FilterRow {
  const { view, setView, clearings } = table.state
  const { filters } = view
  const latest = useRef(table)
  useEffect(() => {
    latest.current = table
  })
  const { key } = table.list
  return useMemo(
    () => ({
      filters,
      setFilter: (id, filter) => setView((now) => withFilter(now, id, filter)),
      filterWithout: (id) => latest.current.filterWithout(id),
      clearings,
      list: { distinct: (question) => latest.current.list.distinct(question), key },
    }),
    [filters, setView, clearings, key],
  )
}
