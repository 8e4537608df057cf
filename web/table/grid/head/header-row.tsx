import {
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  IconDotsVertical,
  IconEyeOff,
  IconFilter,
  IconPin,
  IconPinnedOff,
  IconX,
} from '@tabler/icons-react'
import { type MouseEvent, memo, use, useRef, useState } from 'react'
import { READER_CITY } from '#web/lib/format.ts'
import { type Column, canFilter, isRightAligned } from '#web/table/columns/column.ts'
import { OpenFilterContext } from '#web/table/filters/filter-row.ts'
import { type DrawnColumn, isControl } from '#web/table/grid/drawn-column.ts'
import classes from '#web/table/grid/grid.module.css'
import { ResizeHandle } from '#web/table/grid/head/resize-handle.tsx'
import type { ColumnSizes } from '#web/table/grid/head/use-column-widths.ts'
import { LazyMenu } from '#web/table/lazy-menu.tsx'
import { type ColumnSort, hideColumn, moveColumn, pinColumn, type TableView } from '#web/table/view/table-view.ts'
import { Menu } from '#web/ui/overlays/menu.tsx'

type Props = {
  drawn: readonly DrawnColumn<never>[]
  sizes: ColumnSizes
  view: TableView
  setView(change: (view: TableView) => TableView): void
  /** Changes the sorting as a click does: ascending, descending, none. */
  onSort(column: string, isFurther: boolean): void
  /** The default order of the list. */
  naturalSorting: readonly ColumnSort[]
  selectAll: React.ReactNode
}

const SORT_TIP = 'Click to sort. Shift-click to sort by several columns.'

/** The names of the columns, by which they are sorted, moved, sized, pinned and hidden. */
export const HeaderRow = memo(function HeaderRow(props: Props) {
  const { drawn, view, setView, selectAll } = props
  const [dragged, setDragged] = useState<string>()
  const drop = (id: string) => {
    if (dragged && view.pinned.includes(dragged) === view.pinned.includes(id))
      setView((now) => moveColumn(now, dragged, id))
    setDragged(undefined)
  }
  return (
    <div role="row" className={classes.row} aria-rowindex={1}>
      {drawn.map((one, index) =>
        one.column ? (
          <HeaderCell
            key={one.id}
            {...props}
            one={one}
            column={one.column}
            before={neighbor(drawn, index, -1)}
            after={neighbor(drawn, index, 1)}
            onDrag={setDragged}
            onDrop={drop}
          />
        ) : (
          <div
            key={one.id}
            role="gridcell"
            tabIndex={-1}
            data-cell
            data-col={one.id}
            className={classes.controlCell}
            style={one.style}
            data-pinned={one.left !== undefined || undefined}
          >
            {one.id === '$select' && selectAll}
          </div>
        ),
      )}
    </div>
  )
})

/** The neighboring column, if the two may be swapped. */
function neighbor(drawn: readonly DrawnColumn<never>[], index: number, step: 1 | -1): string | undefined {
  const [here, there] = [drawn[index], drawn[index + step]]
  if (!here || !there || isControl(there.id)) return undefined
  return (here.left === undefined) === (there.left === undefined) ? there.id : undefined
}

type CellProps = Props & {
  one: DrawnColumn<never>
  column: Column<never>
  before: string | undefined
  after: string | undefined
  onDrag(id: string): void
  onDrop(id: string): void
}

function HeaderCell(props: CellProps) {
  const { one, column, sizes, view, onSort, naturalSorting, onDrag, onDrop } = props
  const { id, header } = column
  const canSort = column.isSortable !== false
  const isNatural = view.sorting.length === 0
  const rules = isNatural ? naturalSorting : view.sorting
  const index = rules.findIndex((rule) => rule.column === id)
  const direction = rules[index]?.direction
  const isFiltered = canFilter(column) && view.filters[id] !== undefined
  const cell = useRef<HTMLDivElement>(null)
  const openFilterHere = use(OpenFilterContext)
  const openFilter = canFilter(column) ? () => cell.current && openFilterHere(id, cell.current) : undefined
  return (
    <div
      ref={cell}
      role="columnheader"
      tabIndex={-1}
      aria-sort={direction && (direction === 'asc' ? 'ascending' : 'descending')}
      aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight Alt+ArrowLeft Alt+ArrowRight F2 F"
      aria-description={isFiltered ? 'Filtered' : undefined}
      data-cell
      data-col={id}
      data-tip={canSort ? SORT_TIP : undefined}
      data-sortable={canSort || undefined}
      data-right={isRightAligned(column) || undefined}
      data-quiet={column.isHeadHidden}
      data-pinned={one.left !== undefined || undefined}
      data-last-pinned={one.isLastPinned || undefined}
      className={classes.header}
      style={one.style}
      draggable
      onDragStart={() => onDrag(id)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={() => onDrop(id)}
      onClick={(event: MouseEvent) => canSort && onSort(id, event.shiftKey)}
    >
      <span className={classes.headerText}>
        {header}
        {/* Drawn, and no part of the name of the column. */}
        {column.kind === 'time' && <span className={classes.zone} data-zone={READER_CITY} aria-hidden />}
        {direction && (
          <span className={classes.arrow} data-natural={isNatural || undefined}>
            {direction === 'asc' ? <IconArrowUp size={14} aria-hidden /> : <IconArrowDown size={14} aria-hidden />}
            {rules.length > 1 && <sup>{index + 1}</sup>}
          </span>
        )}
      </span>
      {isFiltered && <span className={classes.dot} />}
      <span className={classes.tools}>
        <HeaderMenu {...props} onFilter={openFilter} />
        {openFilter && (
          <button
            type="button"
            className={classes.menuButton}
            aria-hidden
            title={`Filter by ${header}`}
            onClick={(event) => {
              event.stopPropagation()
              openFilter()
            }}
          >
            <IconFilter size={15} aria-hidden />
          </button>
        )}
      </span>
      <ResizeHandle
        onDrag={(to) => sizes.drag(column, to)}
        onDrop={(to) => sizes.resize(column, to)}
        onDoubleClick={() => sizes.release(column)}
      />
    </div>
  )
}

type MenuProps = CellProps & { onFilter: (() => void) | undefined }

function HeaderMenu(props: MenuProps) {
  const { header } = props.column
  return (
    <LazyMenu
      label={`${header} menu`}
      isUnnamed
      className={classes.menuButton}
      icon={<IconDotsVertical size={15} aria-hidden />}
      returnFocus={(button) => button.closest<HTMLElement>('[data-cell]')}
    >
      {() => <HeaderMenuItems {...props} />}
    </LazyMenu>
  )
}

function HeaderMenuItems({ column, view, setView, before, after, drawn, onFilter }: MenuProps) {
  const { id } = column
  const isPinned = view.pinned.includes(id)
  const isSorted = view.sorting.some((rule) => rule.column === id)
  const sort = (direction: 'asc' | 'desc') => setView((now) => ({ ...now, sorting: [{ column: id, direction }] }))
  const isOnly = drawn.filter((one) => one.column).length === 1
  return (
    <>
      {column.isSortable !== false && (
        <>
          <Menu.Item leftSection={<IconArrowUp size={15} />} onClick={() => sort('asc')}>
            Sort ascending
          </Menu.Item>
          <Menu.Item leftSection={<IconArrowDown size={15} />} onClick={() => sort('desc')}>
            Sort descending
          </Menu.Item>
          {isSorted && (
            <Menu.Item
              leftSection={<IconX size={15} />}
              onClick={() => setView((now) => ({ ...now, sorting: now.sorting.filter((rule) => rule.column !== id) }))}
            >
              Do not sort
            </Menu.Item>
          )}
          <Menu.Divider />
        </>
      )}
      {onFilter && (
        <Menu.Item leftSection={<IconFilter size={15} />} onClick={onFilter}>
          Filter
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={isPinned ? <IconPinnedOff size={15} /> : <IconPin size={15} />}
        onClick={() => setView((now) => pinColumn(now, id, !isPinned))}
      >
        {isPinned ? 'Unpin' : 'Pin to the left'}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconArrowLeft size={15} />}
        disabled={!before}
        onClick={() => before && setView((now) => moveColumn(now, id, before))}
      >
        Move left
      </Menu.Item>
      <Menu.Item
        leftSection={<IconArrowRight size={15} />}
        disabled={!after}
        onClick={() => after && setView((now) => moveColumn(now, id, after))}
      >
        Move right
      </Menu.Item>
      <Menu.Item
        leftSection={<IconEyeOff size={15} />}
        disabled={isOnly}
        onClick={() => setView((now) => hideColumn(now, id))}
      >
        Hide column
      </Menu.Item>
    </>
  )
}
