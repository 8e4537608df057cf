import { Paper } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useId } from 'react'
import { FilterRowContext } from '#web/table/filters/filter-row.ts'
import { useFilterRowOf } from '#web/table/filters/use-filter-row-of.ts'
import { PageBar } from '#web/table/frame/page-bar.tsx'
import { PrintHead } from '#web/table/frame/print-head.tsx'
import { TableBar } from '#web/table/frame/table-bar.tsx'
import { TableTitle } from '#web/table/frame/table-title.tsx'
import { useSideways } from '#web/table/grid/body/use-sideways.ts'
import { DataGrid } from '#web/table/grid/data-grid.tsx'
import type { GridOptions } from '#web/table/grid/grid-options.ts'
import { useWidth } from '#web/table/grid/head/use-width.ts'
import { usePageTop } from '#web/table/grid/use-page-top.ts'
import classes from './data-table.module.css'

const PHONE = '(max-width: 37.49em)'

type Props<Row> = Omit<GridOptions<Row>, 'label'> & {
  /** What the table is called, for screen readers; its title unless said otherwise. */
  label?: string
  /** Head and rows alone, as in a dialog: nothing to arrange, and pages only where there are several. */
  isPlain?: boolean
  /** A heading under which the table can be folded away. The table is then a section of its page. */
  title?: string
  /** At the left above the table: what it is about. */
  controls?: ReactNode
  /** What the controls narrow the rows to, in words for print. */
  scope?: string | undefined
  /** At the right above the table: what can be done with it. */
  actions?: ReactNode
}

/** A table with everything that tables have: filters, sorting, columns to arrange, pages, and a view that is remembered. */
export function DataTable<Row>(props: Props<Row>) {
  const { table, title, label = title ?? '', controls, actions, what, selection, isPlain = false } = props
  const [isOpen, open] = useDisclosure(true)
  const contentId = useId()
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false }) ?? false
  const filterRow = useFilterRowOf(table)
  const { ref: card, width } = useWidth()
  const { refs, isScrolled } = useSideways()
  const top = usePageTop(table.paging.page)
  const failure = table.state.failure ?? table.list.failure
  const total = failure ? undefined : table.list.total
  const isOnePage = (total ?? 0) <= table.paging.pageSize
  const content = (
    <Paper className={classes.card} ref={card}>
      {!isPlain && <PrintHead label={title ?? label} table={table} scope={props.scope} />}
      <FilterRowContext value={filterRow}>
        {!isPlain && (
          <TableBar
            table={table}
            isPhone={isPhone}
            isFolded={!isOpen}
            title={
              title && (
                <TableTitle title={title} total={total} isOpen={isOpen} onToggle={open.toggle} contentId={contentId} />
              )
            }
            controls={controls}
            actions={actions}
          />
        )}
        {isOpen && (
          <div id={contentId} ref={top} className={classes.content}>
            <div className={classes.top} />
            <DataGrid
              {...props}
              label={label}
              isPhone={isPhone}
              available={width}
              sideways={refs}
              isScrolled={isScrolled}
            >
              {!(isPlain && isOnePage) && (
                <PageBar
                  paging={table.paging}
                  total={total}
                  unfilteredTotal={table.unfilteredTotal}
                  what={what}
                  selection={selection}
                />
              )}
            </DataGrid>
          </div>
        )}
      </FilterRowContext>
    </Paper>
  )
  return title ? (
    <section
      className={classes.section}
      aria-label={title}
      data-waiting={(table.list.rows === undefined && !failure) || undefined}
    >
      {content}
    </section>
  ) : (
    content
  )
}
