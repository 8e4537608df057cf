import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useLocation } from 'react-router'
import type { TablePreference } from '#contract/settings/preferences.ts'
import type { TableName } from '#contract/settings/table-names.ts'
import type { NamedView } from '#contract/settings/table-views.ts'
import { replaceSearch } from '#web/lib/address/replace-search.ts'
import { ask } from '#web/lib/api/api-client.ts'
import { failureText } from '#web/lib/api/api-error.ts'
import type { Column } from '#web/table/columns/column.ts'
import { type NamedViews, viewsQuery } from '#web/table/view/named-views.api.ts'
import { preferencesQuery } from '#web/table/view/preferences.api.ts'
import type { ExtraFields } from '#web/table/view/table-address.ts'
import {
  type ColumnSort,
  defaultView,
  hasFilters,
  isDefaultView,
  type SavedColumns,
  savedColumnsOf,
  type TableView,
  viewOf,
} from '#web/table/view/table-view.ts'
import {
  linkToView,
  OWN_VIEW,
  readUrlView,
  shownViewId,
  type ViewAndExtra,
  withChanges,
  withoutUrlColumns,
  writeUrlView,
  writeUrlViewId,
} from '#web/table/view/url-view.ts'

export type TableViewState = ViewAndExtra & {
  /** Whether the saved view is known. Before that, no rows are requested. */
  isReady: boolean
  failure: Error | undefined
  retry(): void
  setView(change: (view: TableView) => TableView): void
  change(change: (now: ViewAndExtra) => ViewAndExtra): void
  isDefault: boolean
  /** Whether its filters were set on an earlier visit, so that the person may not expect them. */
  isFilteredBefore: boolean
  clearFilters(): void
  reset(): void
  /** How often all filters were cleared at once: text that is not applied yet goes with them. */
  clearings: number
  /** Views with names; undefined for tables without a name. */
  named: NamedViews | undefined
}

type Options = {
  /** The selected customer. Without one, a view is not remembered beyond this visit. */
  customerNumber: string
  tableName: TableName
  columns: readonly Column<never>[]
  sorting: readonly ColumnSort[]
  /** Distinguishes the tables of one page in the address. */
  urlPrefix: string
}

/**
 * The view of one table: what the address says, else the person's default among the named views, else what this person
 * saved on this customer. A change is in the address at once and saved a moment later, never in a named view.
 */
export function useTableView({ customerNumber, tableName, columns, sorting, urlPrefix }: Options): TableViewState {
  const queries = useQueryClient()
  const { data: preferences, error, refetch } = useQuery(preferencesQuery)
  const initial = useMemo(() => defaultView(columns, sorting), [columns, sorting])
  const location = useLocation().key
  const isThis = (one: TablePreference) => one.customerNumber === customerNumber && one.tableName === tableName
  // The cache reports a change a moment later, which is too late for a controlled input.
  const [changed, setChanged] = useState<{ preference: TablePreference; location: string }>()
  const known = changed && isThis(changed.preference) && changed.location === location ? changed.preference : undefined
  const [pins, setPins] = useState(() => readPins(tableName))
  const saved = known ?? preferences?.find(isThis)
  const ownDefault = defaultViewOf(customerNumber, tableName, saved)
  const shownId = shownViewId(window.location.search, urlPrefix, ownDefault)
  const views = useQuery({ ...viewsQuery(customerNumber, tableName), enabled: shownId !== undefined })
  const shown = views.data?.find(({ id }) => id === shownId)
  const now = useMemo(
    () => effective(shown?.view ?? saved, readUrlView(window.location.search, urlPrefix), columns, initial, pins),
    // The address changes with the location, and with every change that is made here.
    [shown, saved, location, changed, urlPrefix, columns, initial, pins],
  )
  const isFilteredBefore =
    !known && !shown && hasFilters(now.view) && readUrlView(window.location.search, urlPrefix) === undefined
  const [clearings, setClearings] = useState(0)
  useEffect(() => saveNow, [])

  const apply = useCallback(
    (update: (now: ViewAndExtra) => ViewAndExtra, isWhole: boolean) => {
      // The second of two changes in a row has to see the first, rendered or not.
      const all = queries.getQueryData(preferencesQuery.queryKey)
      if (!all) return
      const before = all.find((one) => one.customerNumber === customerNumber && one.tableName === tableName)
      const { search } = window.location
      const defaultView = defaultViewOf(customerNumber, tableName, before)
      const shownId = shownViewId(search, urlPrefix, defaultView)
      const shown = queries
        .getQueryData(viewsQuery(customerNumber, tableName).queryKey)
        ?.find((one) => one.id === shownId)
      const url = readUrlView(search, urlPrefix)
      const now = effective(shown?.view ?? before, url, columns, initial, readPins(tableName))
      const next = update(now)
      const own = effective(before, undefined, columns, initial, undefined)
      // A changed copy of a named view becomes the person's own view.
      const kept = isWhole || shown ? next : withChanges(own, now, next)
      const preference = {
        customerNumber,
        tableName,
        ...(defaultView && { defaultView }),
        ...savedColumnsOf(kept.view, initial),
        ...kept.extra,
      }
      replaceSearch((search) => {
        const start = isWhole ? withoutUrlColumns(search, urlPrefix) : search
        return writeUrlViewId(writeUrlView(start, urlPrefix, next, initial), urlPrefix, defaultView && OWN_VIEW)
      })
      savePins(tableName, next.view.pinned, initial.pinned)
      queries.setQueryData(preferencesQuery.queryKey, [...all.filter((one) => one !== before), preference])
      setChanged({ preference, location })
      setPins(readPins(tableName))
      if (customerNumber) saveLater(preference)
    },
    [queries, customerNumber, tableName, columns, initial, urlPrefix, location],
  )
  const change = useCallback<TableViewState['change']>((update) => apply(update, false), [apply])
  const setView = useCallback<TableViewState['setView']>(
    (update) => change(({ view, extra }) => ({ view: update(view), extra })),
    [change],
  )
  const named = useMemo<NamedViews>(() => {
    const ofView = (view: NamedView['view']) => effective(view, undefined, columns, initial, undefined)
    /** The address decides what is shown: what is kept in the cache is only renewed, so that every reader sees it. */
    const show = (preference: TablePreference, write: (search: string) => string) => {
      replaceSearch(write)
      queries.setQueryData(preferencesQuery.queryKey, (all = []) => [...all.filter((one) => !isThis(one)), preference])
      setChanged(undefined)
    }
    const own = { ...(saved ?? { customerNumber, tableName }), ...(ownDefault && { defaultView: ownDefault }) }
    return {
      customerNumber,
      tableName,
      shown,
      defaultView: own.defaultView,
      current: { ...savedColumnsOf(now.view, initial), ...now.extra },
      choose(view) {
        show({ ...own }, (search) => {
          const next = view ? ofView(view.view) : { view: initial, extra: {} }
          const id = view?.id ?? (own.defaultView && OWN_VIEW)
          const start = withoutUrlColumns(search, urlPrefix)
          return writeUrlViewId(writeUrlView(start, urlPrefix, next, initial), urlPrefix, id)
        })
        setClearings((count) => count + 1)
      },
      makeDefault(id) {
        const { defaultView: _, ...others } = own
        const preference = { ...others, ...(id && { defaultView: id }) }
        // What is on the screen stays there.
        show(preference, (search) => writeUrlViewId(search, urlPrefix, shown?.id ?? (id && OWN_VIEW)))
        if (customerNumber) saveLater(preference)
        else saveDefault(tableName, id)
      },
      linkTo: (view) => linkToView(window.location, urlPrefix, { ...ofView(view.view), named: view }, initial),
    }
  }, [queries, customerNumber, tableName, columns, initial, urlPrefix, saved, ownDefault, shown, now])
  const isReady = preferences !== undefined && !views.isLoading
  // Memoized, so that the buttons above the table are not drawn again with every render.
  return useMemo(
    () => ({
      ...now,
      isReady,
      failure: error ?? undefined,
      retry: () => void refetch(),
      setView,
      change,
      isFilteredBefore,
      isDefault: isDefaultView(now.view, initial) && Object.keys(now.extra).length === 0,
      clearFilters() {
        setView((view) => ({ ...view, filters: {} }))
        setClearings((count) => count + 1)
      },
      reset() {
        apply(() => ({ view: initial, extra: {} }), true)
        setClearings((count) => count + 1)
      },
      clearings,
      named,
    }),
    [now, isReady, error, refetch, setView, change, apply, initial, clearings, named, isFilteredBefore],
  )
}

/** The address decides about filters and sorting. Columns are the person's own, unless a link carries them. */
function effective(
  saved: (SavedColumns & ExtraFields) | undefined,
  url: ReturnType<typeof readUrlView>,
  columns: Options['columns'],
  initial: TableView,
  pins: readonly string[] | undefined,
): ViewAndExtra {
  const own = saved ? viewOf(saved, columns, initial) : initial
  const view = pins ? { ...own, pinned: pins } : own
  if (!url) return { view, extra: extraFieldsOf(saved) }
  const { filters, sorting, order, hidden, widths } = viewOf(url, columns, initial)
  const shown = url.columnOrder ? { ...view, order, hidden, widths } : view
  // An active filter must be visible, even if this person has hidden its column.
  const inSight = shown.hidden.filter((id) => !(id in filters))
  return { view: { ...shown, filters, sorting, hidden: inSight }, extra: extraFieldsOf(url) }
}

function extraFieldsOf(saved: ExtraFields | undefined): ExtraFields {
  const { startDate, endDate, dateRange, activeOnly } = saved ?? {}
  return {
    ...(startDate === undefined ? {} : { startDate }),
    ...(endDate === undefined ? {} : { endDate }),
    ...(dateRange === undefined ? {} : { dateRange }),
    ...(activeOnly === undefined ? {} : { activeOnly }),
  }
}

const keyOf = (tableName: TableName) => `table-pins-${tableName}`

/** Which columns are pinned on this table; undefined where nothing was changed. */
function readPins(tableName: TableName): readonly string[] | undefined {
  const text = localStorage.getItem(keyOf(tableName))
  return text === null ? undefined : text.split(',').filter((id) => id !== '')
}

function savePins(tableName: TableName, pinned: readonly string[], initial: readonly string[]): void {
  if (pinned.join() === initial.join()) localStorage.removeItem(keyOf(tableName))
  else localStorage.setItem(keyOf(tableName), pinned.join())
}

const defaultKeyOf = (tableName: TableName) => `table-default-${tableName}`

/** The named view with which a table opens. Without an account, the browser remembers it. */
function defaultViewOf(
  customerNumber: string,
  tableName: TableName,
  saved: TablePreference | undefined,
): string | undefined {
  return customerNumber ? saved?.defaultView : (localStorage.getItem(defaultKeyOf(tableName)) ?? undefined)
}

function saveDefault(tableName: TableName, id: string | undefined): void {
  if (id) localStorage.setItem(defaultKeyOf(tableName), id)
  else localStorage.removeItem(defaultKeyOf(tableName))
}

const DELAY = 2000

const unsaved = new Map<string, TablePreference>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Saves a view two seconds after its last change (debounced). */
function saveLater(preference: TablePreference): void {
  if (unsaved.size === 0) addEventListener('pagehide', saveNow)
  unsaved.set(`${preference.customerNumber} ${preference.tableName}`, preference)
  clearTimeout(timer)
  timer = setTimeout(saveNow, DELAY)
}

/** At the latest when the table unmounts. If a view cannot be saved, only the log says so. */
function saveNow(): void {
  clearTimeout(timer)
  removeEventListener('pagehide', saveNow)
  if (unsaved.size === 0) return
  const tables = [...unsaved.values()]
  unsaved.clear()
  ask('savePreferences', { body: { tables }, keepalive: true }).catch((error: unknown) => {
    console.warn(`A table view was not saved: ${failureText(error)}`)
  })
}
