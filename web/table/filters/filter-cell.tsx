import { IconCalendar, IconChevronDown } from '@tabler/icons-react'
import { use, useRef } from 'react'
import { flushSync } from 'react-dom'
import { type Column, canFilter, filterOf } from '#web/table/columns/column.ts'
import { ChosenField } from '#web/table/filters/chosen-field.tsx'
import type { ColumnFilter } from '#web/table/filters/column-filter.ts'
import { OpenFilterContext, useFilterRow } from '#web/table/filters/filter-row.ts'
import { type FilterWay, wayOf, waysOf } from '#web/table/filters/filter-ways.ts'
import { rangeText } from '#web/table/filters/filter-words.ts'
import { TypedFilter } from '#web/table/filters/typed-filter.tsx'
import { BLANK } from '#web/table/filters/value-choice.ts'
import classes from './filter-row.module.css'

/** The filter of a column in the row of filters. What needs more room than a field is in the popover of the column. */
export function FilterCell({ column }: { column: Column<never> }) {
  const { filters, setFilter } = useFilterRow()
  const openFilter = use(OpenFilterContext)
  const container = useRef<HTMLDivElement>(null)
  const kind = filterOf(column)
  if (!kind || !canFilter(column)) return null
  const { id, header } = column
  const filter = filters[id]
  const way = wayOf(kind, filter)
  const chosen = filter && chosenText(filter, kind.kind)
  const open = (to: FilterWay) => container.current && openFilter(id, container.current, { way: to })
  const clear = () => {
    flushSync(() => setFilter(id, undefined))
    container.current?.querySelector('input')?.focus()
  }
  return (
    <div className={classes.filter} ref={container}>
      {chosen ? (
        <ChosenField label={`${header} filter`} text={chosen} onOpen={() => open(way)} onClear={clear} />
      ) : (
        <TypedFilter column={column} kind={kind} way={way} filter={filter} onChange={(to) => setFilter(id, to)}>
          {waysOf(kind).length > 1 && (
            <button
              type="button"
              className={classes.tool}
              aria-label={kind.kind === 'text' ? `${header} filter options` : `Choose ${header} range`}
              onClick={() => open(kind.kind === 'text' ? way : 'range')}
            >
              {kind.kind === 'text' ? (
                <IconChevronDown size={14} aria-hidden />
              ) : (
                <IconCalendar size={15} aria-hidden />
              )}
            </button>
          )}
        </TypedFilter>
      )}
    </div>
  )
}

/** What was chosen instead of typed. */
function chosenText(filter: ColumnFilter, kind: string): string | undefined {
  if (filter.filterType === 'date' && filter.type === 'inRange')
    return rangeText(filter, kind === 'time' ? kind : 'day')
  if (filter.filterType !== 'set') return undefined
  const { type, values } = filter
  const text = values.length === 1 ? (values[0] ?? BLANK) : `${values.length} values`
  return type === 'except' ? `All but ${text}` : text
}
