import { lazy, type ReactNode, Suspense, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from 'react-router'
import { usePortalAddress } from '#web/lib/portal-link.tsx'
import { type Control, type EngineRow, type Marks, useEngine } from '#web/table/engine.ts'
import { NoRows } from '#web/table/frame/no-rows.tsx'
import { linesOfRoom } from '#web/table/frame/page-place.ts'
import { BodyRow } from '#web/table/grid/body-row.tsx'
import { CellTooltip } from '#web/table/grid/cell-tooltip.tsx'
import { drawnColumns } from '#web/table/grid/drawn-column.ts'
import { FilterRow } from '#web/table/grid/filter-row.tsx'
import { HeaderRow } from '#web/table/grid/header-row.tsx'
import { PhoneRow } from '#web/table/grid/phone-row.tsx'
import type { RowBehavior, RowState } from '#web/table/grid/row-behavior.ts'
import { RowPanel } from '#web/table/grid/row-panel.tsx'
import type { RowScroller } from '#web/table/grid/row-scroller.ts'
import { SelectAll } from '#web/table/grid/select-all.tsx'
import { SkeletonRows } from '#web/table/grid/skeleton-rows.tsx'
import { PhoneTotalsRow, type Totals, TotalsRow } from '#web/table/grid/totals-row.tsx'
import { useColumnWidths } from '#web/table/grid/use-column-widths.ts'
import { useContentWidths } from '#web/table/grid/use-content-widths.ts'
import { useGridFocus } from '#web/table/grid/use-grid-focus.ts'
import { usePrinting } from '#web/table/grid/use-printing.ts'
import type { useSideways } from '#web/table/grid/use-sideways.ts'
import type { VirtualRows as VirtualRowsOf } from '#web/table/grid/virtual-rows.tsx'
import { type ChildRows, useChildRows } from '#web/table/rows/child-rows.ts'
import { NOTHING_SELECTED, type SelectionState, selectPage, useSelectionOfFilter } from '#web/table/rows/selection.ts'
import type { Table } from '#web/table/use-table.ts'
import { rowHeightOf, useDensity } from '#web/table/view/density.ts'
import { type ColumnSort, hasFilters, moveColumn } from '#web/table/view/table-view.ts'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './grid.module.css'

/** What a page says about its table, beside the table itself. */
export type GridOptions<Row> = {
  table: Table<Row>
  /** What the table is called, for screen readers. */
  label: string
  /** What is listed, in the plural: 'transactions'. */
  what: string
  /** Why there may be nothing although nothing is filtered, and what to do about it. */
  noRows: ReactNode
  waitingText?: string
  /** Names a row to screen readers; its key if nothing is said. */
  rowName?(row: Row): string
  /** True where a cell has two lines. */
  isTwoLine?: boolean
  /** The order of the list where nobody sorts it. */
  naturalSort?: ColumnSort
  /** The page of a row, without the customer: the row opens it. */
  rowHref?(row: Row): string
  /** What unfolds below a row. */
  detail?(row: Row): ReactNode
  childRows?: ChildRows<Row>
  selection?: SelectionState
  /** Rows that cannot be selected have no check box. */
  canSelect?(row: Row): boolean
  rowActions?(row: Row): ReactNode
  /** How wide the actions are, in pixels. */
  actionsWidth?: number
  rowState?(row: Row): RowState
  /** Rows that are not saved yet. They stand above the others. */
  localRows?: readonly Row[]
  /** What the last rows say below the columns: one row of totals, or one for each currency. */
  totals?: readonly Totals[]
}

type Props<Row> = GridOptions<Row> & {
  isPhone: boolean
  available: number
  sideways: ReturnType<typeof useSideways>['refs']
  isScrolled: boolean
  /** Below the rows, always in view. */
  children: ReactNode
}

/** Only who wants more than 100 rows on a page needs it. */
const VirtualRows = lazy(async () => ({
  default: (await import('#web/table/grid/virtual-rows.tsx')).VirtualRows,
})) as typeof VirtualRowsOf

/** From this many rows on, only those in view are drawn. */
const VIRTUAL_FROM = 100

const NONE: readonly never[] = []
const ANY = () => true
const KEYBOARD_STEP = 10
const MOST_SKELETONS = 20

/** The rows and columns of a table, with their keyboard. */
export function DataGrid<Row>(props: Props<Row>) {
  const { table, label, what, noRows, isTwoLine = false, isPhone, available, sideways, isScrolled } = props
  const { columns, rowKey, state, list, paging } = table
  const { view, setView } = state
  const failure = state.failure ?? list.failure
  const listed = useFirstRowsLater(failure ? NONE : list.rows)
  const { localRows = NONE } = props
  const rows = useMemo(() => [...localRows, ...(listed ?? NONE)], [localRows, listed])
  const isEmpty = listed?.length === 0 && localRows.length === 0 && (failure !== undefined || !list.isStale)
  const [density] = useDensity()
  const rowHeight = rowHeightOf(density, isTwoLine)

  const [expanded, setExpanded] = useState<Marks>({})
  const children = useChildRows(props.childRows, rows, rowKey, expanded)
  // The library looks for children again only when it is given other rows.
  const withChildren = useMemo(() => [...rows], [rows, children])
  const { selection = NOTHING_SELECTED, setSelection } = props.selection ?? {}
  const { canSelect = ANY } = props
  useSelectionOfFilter(props.selection, table.request.filter)
  const controls = useControls(props)
  const content = useContentWidths(columns, listed, props.totals)
  const controlsWidth = controls.reduce((sum, { width }) => sum + width, 0)
  const { widths, sizes } = useColumnWidths(columns, state, available - controlsWidth, content)
  const engine = useEngine({
    columns,
    controls,
    rows: withChildren,
    rowKey,
    childrenOf: props.childRows && ((row) => children.get(rowKey(row))?.rows),
    canExpand: (row) => props.detail !== undefined || (props.childRows?.has(row) ?? false),
    view,
    setView,
    widths,
    available,
    expanded,
    setExpanded,
    canSelect,
    selected: selection.keys,
    setSelected: (change) => setSelection?.({ keys: change(selection.keys), isAllMatching: false }),
  })
  const start = engine.getStartVisibleLeafColumns()
  const center = engine.getCenterVisibleLeafColumns()
  const places = [...start.map((one) => `${one.id} ${one.getStart('start')}`), ...center.map((one) => one.id)].join()
  const drawn = useMemo(() => drawnColumns(start, center, columns), [places, columns])
  const widthOf = (id: string) => engine.getColumn(id)?.getSize() ?? 0
  const totalWidth = drawn.reduce((sum, { id }) => sum + widthOf(id), 0)
  const lastPinned = start.at(-1)
  const pinnedEnd = lastPinned ? lastPinned.getStart('start') + lastPinned.getSize() : 0

  const root = useRef<HTMLDivElement>(null)
  const scroller = useRef<RowScroller>(null)
  const shownRows = engine.getRowModel().rows
  const { focusedIndex } = useGridFocus(root, {
    rowCount: shownRows.length,
    scrollToRow: (index) => scroller.current?.scrollToRow(index),
    moveColumn(id, step) {
      const index = drawn.findIndex((one) => one.id === id)
      const to = drawn[index + step]
      const isSameKind = to?.column && (to.left === undefined) === (drawn[index]?.left === undefined)
      if (isSameKind) flushSync(() => setView((now) => moveColumn(now, id, to.id)))
    },
    resizeColumn(id, step) {
      const column = columns.find((one) => one.id === id)
      if (column) sizes.resize(column, widthOf(id) + step * KEYBOARD_STEP)
    },
  })
  const selectable = shownRows.filter((row) => canSelect(row.original)).map((row) => row.id)
  const isPrinting = usePrinting()
  const isVirtual = shownRows.length > VIRTUAL_FROM && !isPrinting
  const behavior = useBehavior(props, setExpanded, (key, { shiftKey }) => {
    if (selection.isAllMatching) {
      // Whoever unticks one of all that match goes on with the page that is seen.
      const page = selectable.filter((one) => one !== key)
      return setSelection?.(selectPage(NOTHING_SELECTED, page, true))
    }
    engine.getRow(key).getToggleSelectedHandler()({ shiftKey, target: { checked: !selection.keys[key] } })
  })
  const hasFilterRow = columns.some((column) => column.filter && !column.isFilteredAbove)
  const headRows = isPhone ? 0 : hasFilterRow ? 2 : 1
  const RowComponent = isPhone ? PhoneRow : BodyRow
  const TotalsComponent = isPhone ? PhoneTotalsRow : TotalsRow
  const draw = (row: EngineRow<Row>, index: number) => {
    const loaded = children.get(row.id)
    const isExpanded = expanded[row.id] === true
    return (
      <RowComponent
        key={index}
        row={row.original}
        rowKey={row.id}
        index={index}
        headRows={headRows}
        drawn={drawn}
        behavior={behavior}
        isSelected={selection.isAllMatching ? canSelect(row.original) : selection.keys[row.id] === true}
        isExpanded={isExpanded}
        canExpand={row.getCanExpand()}
        depth={row.depth}
      >
        {isExpanded && loaded && !loaded.rows && (
          <RowPanel colSpan={drawn.length}>
            {loaded.failure ? <FailureNotice failure={loaded.failure} onRetry={loaded.retry} /> : <Spinner />}
          </RowPanel>
        )}
      </RowComponent>
    )
  }
  const latestEngine = useRef(engine)
  latestEngine.current = engine
  const sort = useCallback(
    (id: string, isFurther: boolean) => latestEngine.current.getColumn(id)?.toggleSorting(undefined, isFurther),
    [],
  )
  const room = linesOfRoom(paging.pageSize, failure || isEmpty ? 0 : list.total)
  return (
    <>
      <div
        ref={root}
        role={props.childRows ? 'treegrid' : 'grid'}
        aria-label={label}
        aria-busy={listed === undefined || list.isStale}
        aria-multiselectable={props.selection ? true : undefined}
        aria-rowcount={isVirtual ? shownRows.length + headRows : undefined}
        className={classes.grid}
        data-stale={list.isStale || undefined}
        data-scrolled={isScrolled || undefined}
        style={
          {
            '--columns': drawn.map(({ id }) => `${widthOf(id)}px`).join(' '),
            '--print-columns': drawn.map(({ id }) => `${widthOf(id)}fr`).join(' '),
            '--row-height': `${rowHeight}px`,
            '--available': `${available}px`,
            '--table-width': `${totalWidth}px`,
            '--pinned-end': `${pinnedEnd}px`,
          } as React.CSSProperties
        }
      >
        {!isPhone && (
          <div role="rowgroup" className={classes.head} ref={sideways.head}>
            <HeaderRow
              drawn={drawn}
              sizes={sizes}
              view={view}
              setView={setView}
              onSort={sort}
              naturalSort={props.naturalSort}
              selectAll={props.selection && <SelectAll {...props.selection} page={selectable} what={what} />}
            />
            {hasFilterRow && <FilterRow drawn={drawn} />}
          </div>
        )}
        <div
          role="rowgroup"
          className={classes.body}
          ref={sideways.body}
          style={{ minHeight: isPhone || isVirtual ? undefined : room * rowHeight }}
        >
          {listed === undefined ? (
            <SkeletonRows drawn={drawn} count={Math.min(room, MOST_SKELETONS)} />
          ) : isVirtual ? (
            <Suspense fallback={<SkeletonRows drawn={drawn} count={MOST_SKELETONS} />}>
              <VirtualRows
                rows={shownRows}
                rowHeight={rowHeight}
                draw={draw}
                scroller={scroller}
                canUnfold={isPhone || props.detail !== undefined || props.childRows !== undefined}
                focusedIndex={focusedIndex}
              />
            </Suspense>
          ) : (
            shownRows.map(draw)
          )}
          {rows.length > 0 &&
            props.totals?.map((totals, index) => <TotalsComponent key={index} drawn={drawn} totals={totals} />)}
        </div>
        <CellTooltip grid={root} />
      </div>
      {listed === undefined && (
        <div className={classes.waiting}>
          <Spinner {...(props.waitingText ? { text: props.waitingText } : {})} />
        </div>
      )}
      {isEmpty && (
        <div className={classes.notice}>
          {failure ? (
            <FailureNotice failure={failure} onRetry={state.failure ? state.retry : list.retry} />
          ) : (
            <NoRows what={what} onClearFilters={hasFilters(view) ? state.clearFilters : undefined}>
              {noRows}
            </NoRows>
          )}
        </div>
      )}
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

/** The first rows are drawn in short pieces, so that the page answers meanwhile. Later ones replace them at once. */
function useFirstRowsLater<Row>(rows: readonly Row[] | undefined): readonly Row[] | undefined {
  return useDeferredValue(rows !== undefined) ? rows : undefined
}

function useControls<Row>(props: Props<Row>): readonly Control[] {
  const { selection, detail, rowActions, actionsWidth = 96, isPhone } = props
  const hasSelection = selection !== undefined
  const hasDetail = detail !== undefined && !isPhone
  const hasActions = rowActions !== undefined
  return useMemo(
    () => [
      ...(hasSelection ? [{ id: '$select', width: 40 } as const] : []),
      ...(hasDetail ? [{ id: '$expand', width: 40 } as const] : []),
      ...(hasActions ? [{ id: '$actions', width: actionsWidth } as const] : []),
    ],
    [hasSelection, hasDetail, hasActions, actionsWidth],
  )
}

function useBehavior<Row>(
  { table, rowName, rowHref, detail, childRows, canSelect = ANY, rowActions, rowState }: Props<Row>,
  setExpanded: (change: (now: Marks) => Marks) => void,
  onSelect: RowBehavior<Row>['onSelect'],
): RowBehavior<Row> {
  const navigate = useNavigate()
  const addressOf = usePortalAddress()
  const latest = useRef({ addressOf, onSelect })
  latest.current = { addressOf, onSelect }
  const { rowKey } = table
  const isTree = childRows !== undefined
  return useMemo(
    () => ({
      rowName: rowName ?? rowKey,
      rowHref,
      onOpen(href, isNewTab) {
        const address = latest.current.addressOf(href)
        if (isNewTab) window.open(address, '_blank', 'noopener')
        else void navigate(address)
      },
      detail,
      onToggle: (key) =>
        setExpanded(({ [key]: isOpen, ...others }) => (isOpen ? others : { ...others, [key]: true as const })),
      canSelect,
      onSelect: (key, event) => latest.current.onSelect(key, event),
      rowActions,
      rowState,
      isTree,
    }),
    [rowName, rowKey, rowHref, detail, canSelect, rowActions, rowState, isTree, navigate, setExpanded],
  )
}
