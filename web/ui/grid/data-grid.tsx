import type { GridApi, GridOptions, GridReadyEvent } from 'ag-grid-community'
import { AgGridReact } from 'ag-grid-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { cspNonce } from '#web/lib/csp-nonce.ts'
import { initialColumns, showColumns, shownOrder, shownSorting } from '#web/ui/grid/column-state.ts'
import type { Line } from '#web/ui/grid/grid-columns.ts'
import { copyOnKey, out, pressInCell, toFiltersThenOut } from '#web/ui/grid/keyboard.ts'
import { FILTER_HEIGHT, gridTheme, HEADER_HEIGHT, tallGridTheme } from '#web/ui/grid/library.ts'
import type { Column } from '#web/ui/grid/model/column.ts'
import { type TableView, withOrder } from '#web/ui/grid/model/table-view.ts'

type Props<Row> = {
  label: string
  columns: readonly Column<Row>[]
  lines: Line<Row>[]
  isBusy: boolean
  isTall: boolean
  /** How much room the columns have. */
  available: number
  /** Counted from zero: another page begins at its top. */
  page: number
  /** Called once the head and the first rows stand where they belong. */
  onDrawn(): void
  isHidden: boolean
  view: TableView
  setView(change: (view: TableView) => TableView): void
}

/** Rows and columns, drawn by the grid library: the only component that knows it. */
export function DataGrid<Row>(props: Props<Row>) {
  const { label, columns, lines, isBusy, isTall, available, page, onDrawn, isHidden, view, setView } = props
  const [api, setApi] = useState<GridApi<Line<Row>>>()
  const shown = useRef({ columns, view, available })
  // What keeps its identity costs the library nothing when the rest is drawn anew.
  const [definitions, setDefinitions] = useState({ columns, list: initialColumns(columns, view, available) })
  if (definitions.columns !== columns) setDefinitions({ columns, list: initialColumns(columns, view, available) })
  const changes = useMemo(() => viewChanges(setView), [setView])

  useEffect(() => {
    const before = shown.current
    const isShown = before.columns === columns && before.view === view && before.available === available
    if (!api || isShown || api.isDestroyed()) return
    shown.current = { columns, view, available }
    showColumns(api, columns, view, available)
  }, [api, columns, view, available])
  useEffect(() => {
    api?.setGridAriaProperty('label', label)
    api?.setGridAriaProperty('busy', String(isBusy))
  }, [api, label, isBusy])
  useEffect(() => {
    if (api && page >= 0 && api.getDisplayedRowCount() > 0) api.ensureIndexVisible(0, 'top')
  }, [api, page])
  const onGridReady = useCallback(
    (event: GridReadyEvent<Line<Row>>) => {
      setApi(event.api)
      // Without rows nothing tells that they are drawn.
      if (event.api.getDisplayedRowCount() === 0) afterDrawing(onDrawn)
    },
    [onDrawn],
  )
  const onFirstDataRendered = useCallback(() => afterDrawing(onDrawn), [onDrawn])
  return (
    <AgGridReact<Line<Row>>
      {...OPTIONS}
      {...changes}
      styleNonce={cspNonce}
      columnDefs={definitions.list}
      theme={isTall ? tallGridTheme : gridTheme}
      rowData={lines}
      containerStyle={isHidden ? HIDDEN : SHOWN}
      onGridReady={onGridReady}
      onFirstDataRendered={onFirstDataRendered}
    />
  )
}

/** What a person does to the columns; what we do to them ourselves comes from the view already. */
function viewChanges(setView: Props<never>['setView']): GridOptions {
  return {
    onSortChanged({ api, source }) {
      if (source.startsWith('ui')) setView((now) => ({ ...now, sorting: shownSorting(api) }))
    },
    onColumnMoved({ api, finished, source }) {
      if (finished && source.startsWith('ui')) setView((now) => withOrder(now, shownOrder(api)))
    },
    onColumnResized({ column, finished, source }) {
      if (!finished || !column || !(source.startsWith('ui') || source === 'autosizeColumns')) return
      const width = column.getActualWidth()
      setView((now) => ({ ...now, widths: { ...now.widths, [column.getColId()]: width } }))
    },
  }
}

const SHOWN = {}
const HIDDEN = { visibility: 'hidden' } as const

/** The library's own parts come with the next frame, what our components draw in them with the one after. */
function afterDrawing(act: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(act))
}

const OPTIONS: GridOptions = {
  defaultColDef: {
    suppressHeaderMenuButton: true,
    suppressHeaderFilterButton: true,
    suppressFloatingFilterButton: true,
    suppressHeaderContextMenu: true,
    cellDataType: false,
    suppressKeyboardEvent: ({ event }) => pressInCell(event),
  },
  headerHeight: HEADER_HEIGHT,
  floatingFiltersHeight: FILTER_HEIGHT,
  // By place and not by row: turning a page then changes what stands in the lines instead of drawing new ones.
  getRowId: ({ data }) => String(data.place),
  suppressOverlays: ['loading', 'noRows', 'noMatchingRows'],
  suppressDragLeaveHidesColumns: true,
  maintainColumnOrder: true,
  enableFilterHandlers: true,
  enableCellTextSelection: true,
  ensureDomOrder: true,
  rowBuffer: 4,
  animateRows: false,
  tooltipShowMode: 'whenTruncated',
  tooltipShowDelay: 400,
  tabToNextHeader: toFiltersThenOut,
  tabToNextCell: out,
  onCellKeyDown: copyOnKey,
}
