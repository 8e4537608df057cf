import { useCallback, useMemo, useState } from 'react'
import type { Column } from '#web/table/columns/column.ts'
import { type ColumnSort, defaultView, isDefaultView, type TableView } from '#web/table/view/table-view.ts'
import type { TableViewState } from '#web/table/view/use-table-view.ts'

type Options = { columns: readonly Column<never>[]; sorting: readonly ColumnSort[] }

/** The view of a table without a name, as in a dialog: neither saved nor in the address. */
export function useUnsavedView({ columns, sorting }: Options): TableViewState {
  const initial = useMemo(() => defaultView(columns, sorting), [columns, sorting])
  const [changed, setChanged] = useState<TableView>()
  const [clearings, setClearings] = useState(0)
  const view = changed ?? initial
  const setView = useCallback<TableViewState['setView']>(
    (update) => setChanged((now) => update(now ?? initial)),
    [initial],
  )
  const clear = (next: TableView) => {
    setChanged(next)
    setClearings((count) => count + 1)
  }
  return {
    view,
    extra: {},
    isReady: true,
    failure: undefined,
    retry() {},
    setView,
    change: (update) => setView((now) => update({ view: now, extra: {} }).view),
    isDefault: isDefaultView(view, initial),
    isFilteredBefore: false,
    clearFilters: () => clear({ ...view, filters: {} }),
    reset: () => clear(initial),
    clearings,
    named: undefined,
  }
}
