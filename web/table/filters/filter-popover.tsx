import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Column } from '#web/table/columns/column.ts'
import type { FilterDialog } from '#web/table/filters/filter-dialog.tsx'
import { type FilterRow, FilterRowContext, type OpenFilter, OpenFilterContext } from '#web/table/filters/filter-row.ts'
import type { FilterWay } from '#web/table/filters/filter-ways.ts'
import type { Table } from '#web/table/use-table.ts'
import { withFilter } from '#web/table/view/table-view.ts'

type Opened = { id: string; place: DOMRect; from: HTMLElement; way: FilterWay | undefined; Opened: typeof FilterDialog }

/** The filters of a table for everything in it that shows or changes them. */
export function TableFilters<Row>({ table, children }: { table: Table<Row>; children: ReactNode }) {
  return (
    <FilterRowContext value={useFilterRowOf(table)}>
      <FilterPopovers columns={table.columns}>{children}</FilterPopovers>
    </FilterRowContext>
  )
}

/** Changes only when a filter changes, not with every page. */
function useFilterRowOf<Row>(table: Table<Row>): FilterRow {
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

type Columns = readonly Column<never>[]

/** Opens the filter of a column for everything inside of it. A dialog has its own one: what is outside cannot be scrolled. */
export function FilterPopovers({ columns, children }: { columns: Columns; children: ReactNode }) {
  const [opened, setOpened] = useState<Opened>()
  const inner = useRef<HTMLSpanElement>(null)
  const open = useCallback<OpenFilter>((id, below, { way, from = below } = {}) => {
    // The code is loaded first, so that the focus can move into it.
    void import('#web/table/filters/filter-dialog.tsx').then(({ FilterDialog: Opened }) =>
      setOpened({ id, place: below.getBoundingClientRect(), from, way, Opened }),
    )
  }, [])
  const column = columns.find(({ id }) => id === opened?.id)
  const close = () => {
    flushSync(() => setOpened(undefined))
    if (opened) focusAgain(opened.from, inner.current)
  }
  return (
    <OpenFilterContext value={open}>
      {children}
      <span ref={inner} hidden />
      {opened && column && (
        <opened.Opened key={opened.id} column={column} place={opened.place} way={opened.way} onClose={close} />
      )}
    </OpenFilterContext>
  )
}

/** A field of the row has the focus inside; a chip that is gone leaves it to the button that adds filters. */
function focusAgain(from: HTMLElement, within: HTMLElement | null): void {
  const place = from.isConnected ? from : within?.parentElement?.querySelector<HTMLElement>('[data-add-filter] button')
  const target = place?.matches('button, [tabindex]') ? place : place?.querySelector<HTMLElement>('input, button')
  target?.focus()
}
