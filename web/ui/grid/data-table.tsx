import { Box, Paper } from '@mantine/core'
import { useDisclosure, useElementSize, useMergedRef } from '@mantine/hooks'
import { type ReactNode, useMemo } from 'react'
import { FailureNotice } from '#web/ui/failure/failure-notice.tsx'
import { DataGrid } from '#web/ui/grid/data-grid.tsx'
import { FilterRowContext } from '#web/ui/grid/filter-row/filter-row.ts'
import { useFilterRowOf } from '#web/ui/grid/filter-row/use-filter-row-of.ts'
import { NoRows } from '#web/ui/grid/frame/no-rows.tsx'
import { PageBar } from '#web/ui/grid/frame/page-bar.tsx'
import { linesOfRoom } from '#web/ui/grid/frame/page-place.ts'
import { TableBar } from '#web/ui/grid/frame/table-bar.tsx'
import type { Line } from '#web/ui/grid/grid-columns.ts'
import { FILTER_HEIGHT, HEADER_HEIGHT, ROW_HEIGHT, TALL_ROW_HEIGHT } from '#web/ui/grid/library.ts'
import type { ListState } from '#web/ui/grid/list/list-state.ts'
import type { Asked } from '#web/ui/grid/list/use-request.ts'
import type { Column } from '#web/ui/grid/model/column.ts'
import { isWiderThan } from '#web/ui/grid/model/column-widths.ts'
import { hasFilters } from '#web/ui/grid/model/table-view.ts'
import { scrollbarWidth } from '#web/ui/grid/scrollbar-width.ts'
import { useDue } from '#web/ui/grid/use-due.ts'
import { useTop } from '#web/ui/grid/use-top.ts'
import type { SavedView } from '#web/ui/saved-views/use-saved-view.ts'
import { Spinner } from '#web/ui/spinner/spinner.tsx'
import classes from './data-table.module.css'

type Props<Row> = {
  /** What the table is called, for those who cannot see it. */
  label: string
  /** What is listed, in the plural: 'transactions'. */
  what: string
  columns: readonly Column<Row>[]
  /** Tells rows apart, where cells remember something that must not pass on to the row of the next page. */
  rowKey?(row: Row): string
  /** True where a cell has two lines. */
  isTall?: boolean
  saved: SavedView
  asked: Asked
  list: ListState<Row>
  controls?: ReactNode
  actions?: ReactNode
  /** Why there may be nothing, although nothing is filtered. */
  noRows: ReactNode
}

const NONE: readonly never[] = []
const BORDERS = 4

/** A table with everything that tables have: filters, sorting, columns to arrange, pages, and a view that is remembered. */
export function DataTable<Row>(props: Props<Row>) {
  const { label, what, columns, rowKey, isTall = false, saved, asked, list, controls, actions, noRows } = props
  const failure = saved.failure ?? list.failure
  const rows = failure ? NONE : list.rows
  const total = failure ? undefined : list.total
  const room = linesOfRoom(asked.paging.pageSize, failure ? 0 : total)
  const lines = useMemo(() => linesOf(rows ?? NONE, rowKey), [rows, rowKey])
  const isEmpty = rows?.length === 0 && (failure !== undefined || !list.isStale)
  const rowHeight = isTall ? TALL_ROW_HEIGHT : ROW_HEIGHT
  const { ref: top, top: tableTop } = useTop()
  const { ref: near, isDue } = useDue(rows !== undefined)
  const [isDrawn, drawn] = useDisclosure(false)
  const { ref: sized, width } = useElementSize()
  const available = width - scrollbarWidth()
  const place = useMergedRef(top, near, sized)
  const isWide = width > 0 && isWiderThan(available, columns, saved.view)

  const filterRow = useFilterRowOf(columns, saved, asked, list)
  return (
    <Paper className={classes.table}>
      <TableBar
        columns={columns}
        view={saved.view}
        setView={saved.setView}
        onClearFilters={saved.clearFilters}
        isDefault={saved.isDefault}
        onReset={saved.reset}
        controls={controls}
        actions={actions}
      />
      <Box
        className={classes.grid}
        data-stale={list.isStale || undefined}
        data-empty={isEmpty || undefined}
        ref={place}
        __vars={{
          '--table-top': `${tableTop}px`,
          '--table-height': `${heightOf(room, rowHeight, isWide)}px`,
          '--table-head': `${HEADER_HEIGHT + FILTER_HEIGHT}px`,
          '--table-row': `${rowHeight}px`,
        }}
      >
        {isDue && width > 0 && (
          <FilterRowContext value={filterRow}>
            <DataGrid
              label={label}
              columns={columns}
              lines={lines}
              isTall={isTall}
              isBusy={rows === undefined || list.isStale}
              available={available}
              page={asked.paging.page}
              onDrawn={drawn.open}
              isHidden={!isDrawn}
              view={saved.view}
              setView={saved.setView}
            />
          </FilterRowContext>
        )}
        {(rows === undefined || !isDrawn) && (
          <div className={classes.places} data-head={isDrawn || undefined}>
            <Spinner />
          </div>
        )}
        {isEmpty && (
          <div className={classes.notice}>
            {failure ? (
              <FailureNotice failure={failure} onRetry={saved.failure ? saved.retry : list.retry} />
            ) : (
              <NoRows what={what} onClearFilters={hasFilters(saved.view) ? saved.clearFilters : undefined}>
                {noRows}
              </NoRows>
            )}
          </div>
        )}
      </Box>
      <PageBar paging={asked.paging} total={total} what={what} />
    </Paper>
  )
}

/** Where scrollbars lie over the content, the grid library still draws its own over the last row. */
const DRAWN_SCROLLBAR = 16

function heightOf(lines: number, rowHeight: number, isWide: boolean): number {
  const scrollbar = isWide ? scrollbarWidth() || DRAWN_SCROLLBAR : 0
  return HEADER_HEIGHT + FILTER_HEIGHT + lines * rowHeight + BORDERS + scrollbar
}

function linesOf<Row>(rows: readonly Row[], rowKey: ((row: Row) => string) | undefined): Line<Row>[] {
  return rows.map((row, place) => ({ place, row, key: rowKey?.(row) ?? '' }))
}
