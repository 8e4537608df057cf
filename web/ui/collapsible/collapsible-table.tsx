import { Paper } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { TableBody } from '#web/ui/collapsible/table-body.tsx'
import { TableHead } from '#web/ui/collapsible/table-head.tsx'
import { FailureNotice } from '#web/ui/failure/failure-notice.tsx'
import { FilterRowContext } from '#web/ui/grid/filter-row/filter-row.ts'
import { useFilterRowOf } from '#web/ui/grid/filter-row/use-filter-row-of.ts'
import { NoRows } from '#web/ui/grid/frame/no-rows.tsx'
import { PageBar } from '#web/ui/grid/frame/page-bar.tsx'
import { TableBar } from '#web/ui/grid/frame/table-bar.tsx'
import type { ListState } from '#web/ui/grid/list/list-state.ts'
import type { Asked } from '#web/ui/grid/list/use-request.ts'
import type { Column } from '#web/ui/grid/model/column.ts'
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

/** A table whose rows unfold; around the rows everything is as on every other table. */
export function CollapsibleTable<Row>(props: Props<Row>) {
  const { label, what, columns, rowKey, rowName, detail, saved, asked, list, actions, noRows } = props
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const failure = saved.failure ?? list.failure
  const clearFilters = () => saved.setView((now) => ({ ...now, filters: {} }))
  const visible = saved.view.order.flatMap((id) =>
    columns.filter((one) => one.id === id && !saved.view.hidden.includes(id)),
  )
  const filterRow = useFilterRowOf(columns, saved, asked, list)
  return (
    <Paper className={classes.card}>
      <TableBar
        columns={columns}
        view={saved.view}
        setView={saved.setView}
        onClearFilters={clearFilters}
        isDefault={saved.isDefault}
        onReset={saved.reset}
        actions={actions}
      />
      <div className={classes.scroll}>
        <table className={classes.table} aria-label={label} aria-busy={list.rows === undefined && !failure}>
          <colgroup>
            <col className={classes.toggleColumn} />
            {visible.map((column) => (
              <col key={column.id} style={{ width: column.width }} />
            ))}
          </colgroup>
          <FilterRowContext value={filterRow}>
            <TableHead columns={visible} view={saved.view} setView={saved.setView} />
          </FilterRowContext>
          <TableBody
            columns={visible}
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
            <NoRows what={what} onClearFilters={hasFilters(saved.view) ? clearFilters : undefined}>
              {noRows}
            </NoRows>
          ) : undefined}
        </div>
      </div>
      <PageBar paging={asked.paging} total={failure ? undefined : list.total} what={what} />
    </Paper>
  )
}

function toggled(open: ReadonlySet<string>, key: string): ReadonlySet<string> {
  return open.has(key) ? new Set([...open].filter((one) => one !== key)) : new Set([...open, key])
}
