import type { GridApi, GridOptions, GridReadyEvent, GridSizeChangedEvent } from 'ag-grid-community'
import { AgGridReact } from 'ag-grid-react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { cspNonce } from '#web/lib/csp-nonce.ts'
import { showColumns, shownOrder, shownSorting } from '#web/ui/grid/column-state.ts'
import { gridColumn, type Line } from '#web/ui/grid/grid-columns.ts'
import { copyOnKey, out, toFiltersThenOut } from '#web/ui/grid/keyboard.ts'
import { FILTER_HEIGHT, gridTheme, HEADER_HEIGHT, tallGridTheme } from '#web/ui/grid/library.ts'
import type { Column } from '#web/ui/grid/model/column.ts'
import { isWiderThan } from '#web/ui/grid/model/column-widths.ts'
import type { TableView } from '#web/ui/grid/model/table-view.ts'
import { scrollbarWidth } from '#web/ui/grid/scrollbar-width.ts'
import classes from './data-grid.module.css'

type Props<Row> = {
  label: string
  columns: readonly Column<Row>[]
  lines: Line<Row>[]
  isBusy: boolean
  isTall: boolean
  view: TableView
  setView(change: (view: TableView) => TableView): void
  /** Whether the columns need more room than there is, so that they are scrolled sideways. */
  onWide(isWide: boolean): void
}

/** Rows and columns, drawn by the grid library: the only component that knows it. */
export function DataGrid<Row>({ label, columns, lines, isBusy, isTall, view, setView, onWide }: Props<Row>) {
  const [api, setApi] = useState<GridApi<Line<Row>>>()
  const [available, setAvailable] = useState(0)
  // Until the columns have their widths, nothing is shown: they would jump before the reader's eyes.
  const [isLaidOut, setIsLaidOut] = useState(false)
  // What keeps its identity costs the library nothing when the rest is drawn anew.
  const definitions = useMemo(() => columns.map(gridColumn), [columns])
  const changes = useMemo(() => viewChanges(setView), [setView])

  useEffect(() => {
    if (!api || available <= 0 || api.isDestroyed()) return
    showColumns(api, columns, view, available)
    setIsLaidOut(true)
  }, [api, columns, view, available])
  useEffect(() => {
    if (available > 0) onWide(isWiderThan(available, columns, view))
  }, [columns, view, available, onWide])
  useEffect(() => {
    api?.setGridAriaProperty('label', label)
    api?.setGridAriaProperty('busy', String(isBusy))
  }, [api, label, isBusy])
  const onGridReady = useCallback((event: GridReadyEvent<Line<Row>>) => setApi(event.api), [])
  const onGridSizeChanged = useCallback(
    (event: GridSizeChangedEvent<Line<Row>>) => setAvailable(event.clientWidth - scrollbarWidth()),
    [],
  )
  return (
    <AgGridReact<Line<Row>>
      {...OPTIONS}
      {...changes}
      styleNonce={cspNonce}
      containerStyle={isLaidOut ? SHOWN : HIDDEN}
      columnDefs={definitions}
      theme={isTall ? tallGridTheme : gridTheme}
      rowData={lines}
      onGridReady={onGridReady}
      onGridSizeChanged={onGridSizeChanged}
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
      if (finished && source.startsWith('ui')) setView((now) => ({ ...now, order: shownOrder(api) }))
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

const OPTIONS: GridOptions = {
  defaultColDef: {
    suppressHeaderMenuButton: true,
    suppressHeaderFilterButton: true,
    suppressFloatingFilterButton: true,
    suppressHeaderContextMenu: true,
    cellDataType: false,
  },
  headerHeight: HEADER_HEIGHT,
  floatingFiltersHeight: FILTER_HEIGHT,
  // By place and not by row: turning a page then changes what stands in the lines instead of drawing new ones.
  getRowId: ({ data }) => String(data.place),
  rowClassRules: { [classes.place ?? '']: ({ data }) => data?.row === undefined },
  suppressOverlays: ['loading', 'noRows', 'noMatchingRows'],
  suppressDragLeaveHidesColumns: true,
  maintainColumnOrder: true,
  enableFilterHandlers: true,
  enableCellTextSelection: true,
  ensureDomOrder: true,
  animateRows: false,
  tooltipShowMode: 'whenTruncated',
  tooltipShowDelay: 400,
  tabToNextHeader: toFiltersThenOut,
  tabToNextCell: out,
  onCellKeyDown: copyOnKey,
}
