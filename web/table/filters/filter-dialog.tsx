import { Popover } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Column, filterOf } from '#web/table/columns/column.ts'
import type { FilterCellProps } from '#web/table/filters/cell-props.ts'
import { FilterForm } from '#web/table/filters/filter-form.tsx'
import { useFilterRow } from '#web/table/filters/filter-row.ts'
import type { FilterWay } from '#web/table/filters/filter-ways.ts'
import classes from './filter-row.module.css'

type Props = { column: Column<never>; place: DOMRect; way: FilterWay | undefined; onClose(): void }

/** Everything by which a column can be filtered, over the page. It changes the filter at once, and Cancel takes that back. */

export function FilterDialog({ column, place, way, onClose }: Props) {
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
        <FilterForm
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
