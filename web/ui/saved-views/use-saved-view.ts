import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { TablePreference } from '#contract/settings/preferences.ts'
import type { TableName } from '#domain/settings/table-names.ts'
import type { Column } from '#web/ui/grid/model/column.ts'
import {
  type ColumnSort,
  defaultView,
  isDefaultView,
  savedColumnsOf,
  type TableView,
  viewOf,
} from '#web/ui/grid/model/table-view.ts'
import { preferencesQuery } from '#web/ui/saved-views/preferences.api.ts'
import { saveLater, saveNow } from '#web/ui/saved-views/save-later.ts'

type Beside = Pick<TablePreference, 'startDate' | 'endDate' | 'dateRange' | 'activeOnly'>

type Kept = { view: TableView; beside: Beside }

export type SavedView = Kept & {
  /** Whether what was saved is known: before that, nothing should be asked for by it. */
  isReady: boolean
  failure: Error | undefined
  retry(): void
  setView(change: (view: TableView) => TableView): void
  /** `beside` is what some screens keep with the columns, such as a range of dates: empty until something is chosen. */
  change(change: (now: Kept) => Kept): void
  isDefault: boolean
  clearFilters(): void
  reset(): void
  /** How often all filters were taken away at once: what is half typed goes with them. */
  clearings: number
}

type Table = {
  /** The selected customer; a table that has none does not remember anything beyond this visit. */
  customerNumber: string
  tableName: TableName
  columns: readonly Column<never>[]
  sorting?: readonly ColumnSort[]
}

const NO_SORTING: readonly ColumnSort[] = []

/** The view of one table, as this person left it on this customer. Every change is saved a moment later. */
export function useSavedView({ customerNumber, tableName, columns, sorting = NO_SORTING }: Table): SavedView {
  const queries = useQueryClient()
  const { data: preferences, error, refetch } = useQuery(preferencesQuery)
  const initial = useMemo(() => defaultView(columns, sorting), [columns, sorting])
  const isThis = (one: TablePreference) => one.customerNumber === customerNumber && one.tableName === tableName
  // The cache tells of a change a moment later, which is too late for a box that was just ticked.
  const [changed, setChanged] = useState<TablePreference>()
  const saved = changed && isThis(changed) ? changed : preferences?.find(isThis)
  const kept = useMemo(() => keptIn(saved, columns, initial), [saved, columns, initial])
  const [clearings, setClearings] = useState(0)
  useEffect(() => saveNow, [])

  const change = useCallback<SavedView['change']>(
    (update) => {
      // Of two changes in a row the second has to see the first, drawn or not. What is not known cannot be changed.
      const all = queries.getQueryData(preferencesQuery.queryKey)
      if (!all) return
      const before = all.find((one) => one.customerNumber === customerNumber && one.tableName === tableName)
      const { view, beside } = update(keptIn(before, columns, initial))
      const preference = { customerNumber, tableName, ...savedColumnsOf(view, initial), ...beside }
      queries.setQueryData(preferencesQuery.queryKey, [...all.filter((one) => one !== before), preference])
      setChanged(preference)
      if (customerNumber) saveLater(preference)
    },
    [queries, customerNumber, tableName, columns, initial],
  )
  const setView = useCallback<SavedView['setView']>(
    (update) => change(({ view, beside }) => ({ view: update(view), beside })),
    [change],
  )
  return {
    ...kept,
    isReady: preferences !== undefined,
    failure: error ?? undefined,
    retry: () => void refetch(),
    setView,
    change,
    isDefault: isDefaultView(kept.view, initial) && Object.keys(kept.beside).length === 0,
    clearFilters() {
      setView((now) => ({ ...now, filters: {} }))
      setClearings((count) => count + 1)
    },
    reset() {
      change(() => ({ view: initial, beside: {} }))
      setClearings((count) => count + 1)
    },
    clearings,
  }
}

function keptIn(saved: TablePreference | undefined, columns: Table['columns'], initial: TableView): Kept {
  return saved ? { view: viewOf(saved, columns, initial), beside: besideOf(saved) } : { view: initial, beside: {} }
}

function besideOf({ startDate, endDate, dateRange, activeOnly }: TablePreference): Beside {
  return {
    ...(startDate === undefined ? {} : { startDate }),
    ...(endDate === undefined ? {} : { endDate }),
    ...(dateRange === undefined ? {} : { dateRange }),
    ...(activeOnly === undefined ? {} : { activeOnly }),
  }
}
