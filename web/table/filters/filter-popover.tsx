import { Popover } from '@mantine/core'
import { type ReactNode, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Column, filterOf } from '#web/table/columns/column.ts'
import type { FilterCellProps } from '#web/table/filters/cell-props.ts'
import type { FilterForm } from '#web/table/filters/filter-form.tsx'
import {
  type FilterRow,
  FilterRowContext,
  type OpenFilter,
  OpenFilterContext,
  useFilterRow,
} from '#web/table/filters/filter-row.ts'
import type { FilterWay } from '#web/table/filters/filter-ways.ts'
import type { Table } from '#web/table/use-table.ts'
import { withFilter } from '#web/table/view/table-view.ts'
import classes from './filter-row.module.css'

type Opened = { id: string; place: DOMRect; from: HTMLElement; way: FilterWay | undefined; Form: typeof FilterForm }

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
    void import('#web/table/filters/filter-form.tsx').then(({ FilterForm: Form }) =>
      setOpened({ id, place: below.getBoundingClientRect(), from, way, Form }),
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
      {opened && column && <FilterPopover key={opened.id} column={column} opened={opened} onClose={close} />}
    </OpenFilterContext>
  )
}

/** A field of the row has the focus inside; a chip that is gone leaves it to the button that adds filters. */
function focusAgain(from: HTMLElement, within: HTMLElement | null): void {
  const place = from.isConnected ? from : within?.parentElement?.querySelector<HTMLElement>('[data-add-filter] button')
  const target = place?.matches('button, [tabindex]') ? place : place?.querySelector<HTMLElement>('input, button')
  target?.focus()
}

type Props = { column: Column<never>; opened: Opened; onClose(): void }

function FilterPopover({ column, opened: { place, way, Form }, onClose }: Props) {
  const { filters, setFilter } = useFilterRow()
  const [before] = useState(filters[column.id])
  const hasChanged = useRef(false)
  const isCanceled = useRef(false)
  const dropdown = useRef<HTMLDivElement>(null)
  const change: FilterCellProps['onChange'] = (filter) => {
    // Text that is not applied yet is applied when its field goes.
    if (isCanceled.current) return
    hasChanged.current = true
    setFilter(column.id, filter)
  }
  const cancel = () => {
    isCanceled.current = true
    if (hasChanged.current) setFilter(column.id, before)
    onClose()
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const around = (event.target as Element).closest('[role=dialog]')
    // A calendar inside of it closes first. The focus may not have come into the popover yet.
    const isInside = around !== dropdown.current && dropdown.current?.contains(around)
    if (event.key !== 'Escape' || isInside) return
    event.preventDefault()
    event.stopPropagation()
    cancel()
  })
  useEffect(() => {
    const keyed = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', keyed, true)
    return () => document.removeEventListener('keydown', keyed, true)
  }, [])
  const kind = filterOf(column)
  if (!kind) return null
  const { left, top, width, height } = place
  return (
    <Popover
      opened
      position="bottom-start"
      offset={4}
      trapFocus
      withRoles={false}
      closeOnEscape={false}
      hideDetached={false}
      floatingStrategy="fixed"
      onDismiss={onClose}
    >
      <Popover.Target>
        <span className={classes.place} style={{ left, top, width, height }} />
      </Popover.Target>
      <Popover.Dropdown
        ref={dropdown}
        role="dialog"
        aria-label={`Filter by ${column.header}`}
        className={classes.popover}
      >
        <p className={classes.name}>{column.header}</p>
        <Form
          column={column}
          kind={kind}
          way={way}
          filter={filters[column.id]}
          onChange={change}
          onCancel={cancel}
          onClose={onClose}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
