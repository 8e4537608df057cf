import { IconPlus, IconX } from '@tabler/icons-react'
import { use, useRef } from 'react'
import { flushSync } from 'react-dom'
import { canFilter } from '#web/table/columns/column.ts'
import type { ColumnFilter } from '#web/table/filters/column-filter.ts'
import { OpenFilterContext } from '#web/table/filters/filter-row.ts'
import { filterWords } from '#web/table/filters/filter-words.ts'
import { LazyMenu } from '#web/table/lazy-menu.tsx'
import type { Table } from '#web/table/use-table.ts'
import { withFilter } from '#web/table/view/table-view.ts'
import { Menu } from '#web/ui/overlays/menu.tsx'
import classes from './frame.module.css'

type Props = {
  table: Pick<Table<never>, 'columns' | 'state'>
  /** Filters that another control shows already. */
  isPreset: ((column: string, filter: ColumnFilter) => boolean) | undefined
}

/** The filters in force, each with a way to change and to remove it, and a menu of the columns for one more. */
export function FilterChips({ table: { columns, state }, isPreset }: Props) {
  const openFilter = use(OpenFilterContext)
  const add = useRef<HTMLLIElement>(null)
  const { filters, hidden, order } = state.view
  const offered = order
    .flatMap((id) => columns.find((column) => column.id === id) ?? [])
    .filter((column) => canFilter(column) && !hidden.includes(column.id))
  if (offered.length === 0) return null
  const others = Object.entries(filters).filter(([column, filter]) => !isPreset?.(column, filter))
  const addButton = () => add.current?.querySelector('button') ?? null
  const remove = (id: string) => {
    flushSync(() => state.setView((view) => withFilter(view, id, undefined)))
    addButton()?.focus()
  }
  const open = (id: string) => {
    const button = addButton()
    if (button) openFilter(id, button)
  }
  return (
    <ul className={classes.filters} aria-label="Filters">
      {state.isFilteredBefore && <li className={classes.aside}>Filtered since your last visit</li>}
      {filterWords(offered, Object.fromEntries(others)).map(({ id, header, text }) => (
        <li key={id} className={classes.chip}>
          <button
            type="button"
            className={classes.chipText}
            title={text}
            onClick={({ currentTarget }) => openFilter(id, currentTarget)}
          >
            {text}
          </button>
          <button
            type="button"
            className={classes.chipRemove}
            aria-label={`Remove the filter of ${header}`}
            onClick={() => remove(id)}
          >
            <IconX size={14} aria-hidden />
          </button>
        </li>
      ))}
      <li ref={add} className={classes.add} data-add-filter>
        <LazyMenu
          label="Add filter"
          className={classes.addButton}
          icon={
            <>
              <IconPlus size={14} aria-hidden /> Filter
            </>
          }
        >
          {() =>
            offered.map(({ id, header }) => (
              <Menu.Item key={id} onClick={() => open(id)}>
                {header}
              </Menu.Item>
            ))
          }
        </LazyMenu>
      </li>
    </ul>
  )
}
