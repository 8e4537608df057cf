import { Paper } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { drawnColumns } from '#web/ui/collapsible/arrange-columns.ts'
import { TableBody } from '#web/ui/collapsible/table-body.tsx'
import { TableHead } from '#web/ui/collapsible/table-head.tsx'
import { type ColumnWidths, useColumnWidths } from '#web/ui/collapsible/use-column-widths.ts'
import { useSideways } from '#web/ui/collapsible/use-sideways.ts'
import { FailureNotice } from '#web/ui/failure/failure-notice.tsx'
import { FilterRowContext } from '#web/ui/grid/filter-row/filter-row.ts'
import { useFilterRowOf } from '#web/ui/grid/filter-row/use-filter-row-of.ts'
import { NoRows } from '#web/ui/grid/frame/no-rows.tsx'
import { PageBar } from '#web/ui/grid/frame/page-bar.tsx'
import { TableBar } from '#web/ui/grid/frame/table-bar.tsx'
import type { ListState } from '#web/ui/grid/list/list-state.ts'
import type { Asked } from '#web/ui/grid/list/use-request.ts'
import type { Column } from '#web/ui/grid/model/column.ts'
import { stickyColumns } from '#web/ui/grid/model/column-widths.ts'
import { hasFilters } from '#web/ui/grid/model/table-view.ts'
import type { SavedView } from '#web/ui/saved-views/use-saved-view.ts'
import classes from './collapsible-table.module.css'

type Props<Row> = {
  /** What the table is called, for those who cannot see it. */
  label: string
  /** What is listed, in the plural: 'entitlements'. */
  what: string
  columns: readonly Column<Row>[]
  rowKey(row: Row): string
  /** Names a row to those who cannot see it. */
  rowName(row: Row): string
  /** What unfolds below a row. */
  detail(row: Row): ReactNode
  saved: SavedView
  asked: Asked
  list: ListState<Row>
  actions?: ReactNode
  /** Why there may be nothing, although nothing is filtered. */
  noRows: ReactNode
}

const TOGGLE_WIDTH = 40

/** A table whose rows unfold; around the rows everything is as on every other table. */
export function CollapsibleTable<Row>(props: Props<Row>) {
  const { label, what, columns, rowKey, rowName, detail, saved, asked, list, actions, noRows } = props
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const failure = saved.failure ?? list.failure
  const { ref: place, available, onScroll, isMoreOnLeft, isMoreOnRight } = useSideways()
  const sticky = stickyColumns(columns, available)
  const visible = drawnColumns(columns, saved.view, sticky)
  const widths = useColumnWidths(visible, saved, available - TOGGLE_WIDTH)
  const width = visible.reduce((sum, column) => sum + widths.widthOf(column), TOGGLE_WIDTH)
  const stickyAt = stickyPlaces(visible, sticky, widths)
  const stickyEnd = Math.max(0, ...visible.map((one) => (stickyAt.get(one.id) ?? -Infinity) + widths.widthOf(one)))
  const filterRow = useFilterRowOf(columns, saved, asked, list)
  return (
    <Paper className={classes.card}>
      <TableBar
        columns={columns}
        view={saved.view}
        setView={saved.setView}
        onClearFilters={saved.clearFilters}
        isDefault={saved.isDefault}
        onReset={saved.reset}
        actions={actions}
      />
      <div className={classes.frame} data-more={isMoreOnRight(width) || undefined}>
        <div
          className={classes.scroll}
          ref={place}
          style={{ scrollPaddingLeft: stickyEnd }}
          onScroll={onScroll}
          data-scrolled={isMoreOnLeft || undefined}
        >
          <table
            className={classes.table}
            style={{ width }}
            aria-label={label}
            aria-busy={list.rows === undefined && !failure}
          >
            <colgroup>
              <col style={{ width: TOGGLE_WIDTH }} />
              {visible.map((column) => (
                <col key={column.id} style={{ width: widths.widthOf(column) }} />
              ))}
            </colgroup>
            <FilterRowContext value={filterRow}>
              <TableHead
                columns={visible}
                stickyAt={stickyAt}
                widths={widths}
                view={saved.view}
                setView={saved.setView}
              />
            </FilterRowContext>
            <TableBody
              columns={visible}
              stickyAt={stickyAt}
              rows={failure ? [] : list.rows}
              rowKey={rowKey}
              rowName={rowName}
              detail={detail}
              open={open}
              onToggle={(key) => setOpen((now) => toggled(now, key))}
            />
          </table>
          <div className={classes.notice}>
            {failure ? (
              <FailureNotice failure={failure} onRetry={saved.failure ? saved.retry : list.retry} />
            ) : list.rows?.length === 0 ? (
              <NoRows what={what} onClearFilters={hasFilters(saved.view) ? saved.clearFilters : undefined}>
                {noRows}
              </NoRows>
            ) : undefined}
          </div>
        </div>
      </div>
      <PageBar paging={asked.paging} total={failure ? undefined : list.total} what={what} />
    </Paper>
  )
}

/** How far from the left each column stays that stays in sight; the button that unfolds stays before them. */
function stickyPlaces<C extends { id: string; width: number }>(
  visible: readonly C[],
  sticky: readonly string[],
  widths: ColumnWidths,
): ReadonlyMap<string, number> {
  let left = TOGGLE_WIDTH
  const places = new Map<string, number>()
  for (const column of visible.filter(({ id }) => sticky.includes(id))) {
    places.set(column.id, left)
    left += widths.widthOf(column)
  }
  return places
}

function toggled(open: ReadonlySet<string>, key: string): ReadonlySet<string> {
  return open.has(key) ? new Set([...open].filter((one) => one !== key)) : new Set([...open, key])
}
