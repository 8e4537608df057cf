import { type CSSProperties, memo, type RefObject, use, useCallback, useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { canFilter } from '#web/table/columns/column.ts'
import { canPin } from '#web/table/columns/column-widths.ts'
import { FilterCell } from '#web/table/filters/filter-cell.tsx'
import { OpenFilterContext } from '#web/table/filters/filter-row.ts'
import { linesOfRoom } from '#web/table/frame/page-place.ts'
import { CellTooltip } from '#web/table/grid/body/cell-tooltip.tsx'
import { GridBody } from '#web/table/grid/body/grid-body.tsx'
import { GridNotice } from '#web/table/grid/body/grid-notice.tsx'
import type { RowScroller } from '#web/table/grid/body/row-scroller.ts'
import { useGridRows } from '#web/table/grid/body/use-grid-rows.ts'
import { useRowBehavior } from '#web/table/grid/body/use-row-behavior.ts'
import type { DrawnColumn } from '#web/table/grid/drawn-column.ts'
import type { GridProps } from '#web/table/grid/grid-options.ts'
import { HeaderRow } from '#web/table/grid/head/header-row.tsx'
import { useGridFocus } from '#web/table/grid/keyboard/use-grid-focus.ts'
import { printColumns } from '#web/table/grid/print-columns.ts'
import { useGridEngine } from '#web/table/grid/use-grid-engine.ts'
import { usePrinting } from '#web/table/grid/use-printing.ts'
import {
  ANY_ROW,
  NOTHING_SELECTED,
  type SelectionState,
  selectPage,
  useSelectionOfFilter,
} from '#web/table/rows/selection.ts'
import { rowHeightOf, useDensity } from '#web/table/view/density.ts'
import { type ColumnSort, moveColumn } from '#web/table/view/table-view.ts'
import classes from './grid.module.css'

/** From this many rows on, only those in view are drawn. */
const VIRTUAL_FROM = 100
const KEYBOARD_STEP = 10

/** The rows and columns of a table, with their keyboard. */
export function DataGrid<Row>(props: GridProps<Row>) {
  const { table, isTwoLine = false, isPhone, hasFilterRow, sideways } = props
  const { list, paging } = table
  const [density] = useDensity()
  const rowHeight = rowHeightOf(density, isTwoLine)
  useSelectionOfFilter(props.selection, table.request.filter)

  const data = useGridRows(props)
  const grid = useGridEngine(props, data)
  const { engine, drawn, totalWidth } = grid
  const shownRows = engine.getRowModel().rows
  const isPrinting = usePrinting()
  const isVirtual = shownRows.length > VIRTUAL_FROM && !isPrinting
  const headRows = isPhone ? 0 : hasFilterRow ? 2 : 1

  const root = useRef<HTMLDivElement>(null)
  const scroller = useRef<RowScroller>(null)
  const { focusedIndex } = useGridKeys(root, scroller, props, grid)
  const selectable = selectableRows(props, grid)
  const behavior = useRowBehavior(props, data.setExpanded, (key, { shiftKey }) => {
    const { selection = NOTHING_SELECTED, setSelection } = props.selection ?? {}
    if (selection.isAllMatching) {
      // Unticking one row of all that match leaves the rest of the visible page selected.
      const others = selectable.filter((one) => one !== key)
      return setSelection?.(selectPage(NOTHING_SELECTED, others, true))
    }
    engine.getRow(key).getToggleSelectedHandler()({ shiftKey, target: { checked: !selection.keys[key] } })
  })
  return (
    <>
      <div
        ref={root}
        role={props.childRows ? 'treegrid' : 'grid'}
        aria-label={props.label}
        aria-busy={data.listed === undefined || list.isStale}
        aria-multiselectable={props.selection ? true : undefined}
        aria-rowcount={isVirtual ? shownRows.length + headRows : undefined}
        className={classes.grid}
        data-stale={list.isStale || undefined}
        data-scrolled={props.isScrolled || undefined}
        data-wide={(canPin(props.available) && totalWidth > props.available) || undefined}
        style={gridStyle(grid, rowHeight, props.available)}
      >
        {!isPhone && <GridHead props={props} grid={grid} selectable={selectable} />}
        <GridBody
          props={props}
          data={data}
          drawn={drawn}
          shownRows={shownRows}
          behavior={behavior}
          headRows={headRows}
          rowHeight={rowHeight}
          room={linesOfRoom(paging.pageSize, data.failure || data.isEmpty ? 0 : list.total)}
          isVirtual={isVirtual}
          scroller={scroller}
          focusedIndex={focusedIndex}
        />
        <CellTooltip grid={root} />
      </div>
      <GridNotice props={props} data={data} />
      <div className={classes.foot}>
        {!isPhone && (
          <div className={classes.scrollbar} ref={sideways.bar} aria-hidden>
            <div className={classes.thumb} style={{ width: totalWidth }} />
          </div>
        )}
        {props.children}
      </div>
    </>
  )
}

type Grid<Row> = ReturnType<typeof useGridEngine<Row>>

type HeadProps<Row> = {
  props: GridProps<Row>
  grid: Grid<Row>
  selectable: readonly string[]
}

/** The names of the columns and, where a person wants them there, their filters. */
function GridHead<Row>({ props, grid, selectable }: HeadProps<Row>) {
  const { naturalSorting } = props.table
  const { view, setView } = props.table.state
  const latest = useRef({ engine: grid.engine, sorting: view.sorting, naturalSorting })
  latest.current = { engine: grid.engine, sorting: view.sorting, naturalSorting }
  const sort = useCallback((id: string, isFurther: boolean) => {
    const { engine, sorting, naturalSorting } = latest.current
    const column = engine.getColumn(id)
    // A click after "descending" removes the order. If the list then kept the same order, the click would seem to do nothing.
    const isDescending = (rule: ColumnSort | undefined) => rule?.column === id && rule.direction === 'desc'
    if (sorting.length === 1 && isDescending(sorting[0]) && isDescending(naturalSorting[0]))
      column?.toggleSorting(false)
    else column?.toggleSorting(undefined, isFurther)
  }, [])
  return (
    <div role="rowgroup" className={classes.head} ref={props.sideways.head}>
      <HeaderRow
        drawn={grid.drawn}
        sizes={grid.sizes}
        view={view}
        setView={setView}
        onSort={sort}
        naturalSorting={naturalSorting}
        selectAll={props.selection && <SelectAll {...props.selection} page={selectable} what={props.what} />}
      />
      {props.hasFilterRow && <FilterRow drawn={grid.drawn} />}
    </div>
  )
}

function useGridKeys<Row>(
  root: RefObject<HTMLDivElement | null>,
  scroller: RefObject<RowScroller | null>,
  { table }: GridProps<Row>,
  { engine, drawn, sizes, widthOf }: Grid<Row>,
) {
  const openFilter = use(OpenFilterContext)
  return useGridFocus(root, {
    rowCount: engine.getRowModel().rows.length,
    scrollToRow: (index) => scroller.current?.scrollToRow(index),
    moveColumn(id, step) {
      const index = drawn.findIndex((one) => one.id === id)
      const to = drawn[index + step]
      const isSameKind = to?.column && (to.left === undefined) === (drawn[index]?.left === undefined)
      if (isSameKind) flushSync(() => table.state.setView((now) => moveColumn(now, id, to.id)))
    },
    resizeColumn(id, step) {
      const column = table.columns.find((one) => one.id === id)
      if (column) sizes.resize(column, widthOf(id) + step * KEYBOARD_STEP)
    },
    openFilter(id, cell) {
      const column = table.columns.find((one) => one.id === id)
      if (!column || !canFilter(column)) return false
      const head = root.current?.querySelector<HTMLElement>(`[role=columnheader][data-col="${CSS.escape(id)}"]`)
      openFilter(id, head ?? cell, { from: cell })
      return true
    },
  })
}

/** The keys of the rows on the page that can be selected. */
function selectableRows<Row>({ canSelect = ANY_ROW }: GridProps<Row>, { engine }: Grid<Row>): string[] {
  const { rows } = engine.getRowModel()
  return rows.filter((row) => canSelect(row.original)).map((row) => row.id)
}

function gridStyle<Row>({ drawn, widthOf, ...grid }: Grid<Row>, rowHeight: number, available: number): CSSProperties {
  return {
    '--columns': drawn.map(({ id }) => `${widthOf(id)}px`).join(' '),
    '--print-columns': printColumns(drawn, widthOf),
    '--row-height': `${rowHeight}px`,
    '--available': `${available}px`,
    '--table-width': `${grid.totalWidth}px`,
    '--pinned-end': `${grid.pinnedEnd}px`,
    '--actions-width': `${drawn.at(-1)?.id === '$actions' ? widthOf('$actions') : 0}px`,
  } as CSSProperties
}

/** The filters below the names of the columns. */
const FilterRow = memo(function FilterRow({ drawn }: { drawn: readonly DrawnColumn<never>[] }) {
  return (
    <div role="row" className={classes.row} data-filters aria-rowindex={2}>
      {drawn.map(({ id, column, left, style, isLastPinned }) => (
        <div
          key={id}
          role="gridcell"
          tabIndex={-1}
          data-cell
          data-filter-cell
          data-col={id}
          data-pinned={left !== undefined || undefined}
          data-last-pinned={isLastPinned || undefined}
          className={classes.filterCell}
          style={style}
        >
          {column && <FilterCell column={column} />}
        </div>
      ))}
    </div>
  )
})

type Props = SelectionState & { page: readonly string[]; what: string }

/** Ticks every row of the page. */
function SelectAll({ selection, setSelection, page, what }: Props) {
  const box = useRef<HTMLInputElement>(null)
  const count = selection.isAllMatching ? page.length : page.filter((key) => selection.keys[key]).length
  const isAll = page.length > 0 && count === page.length
  const isSome = count > 0 && !isAll
  useEffect(() => {
    if (box.current) box.current.indeterminate = isSome
  }, [isSome])
  return (
    <input
      ref={box}
      type="checkbox"
      className={classes.checkbox}
      aria-label={`Select all ${what} on this page`}
      checked={isAll}
      onChange={() => setSelection(selection.isAllMatching ? NOTHING_SELECTED : selectPage(selection, page, !isAll))}
    />
  )
}
