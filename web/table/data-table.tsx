import { Paper, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import dayjs from 'dayjs'
import { type ReactNode, useCallback, useDeferredValue, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { useCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import { canFilter } from '#web/table/columns/column.ts'
import type { ColumnFilter } from '#web/table/filters/column-filter.ts'
import { TableFilters } from '#web/table/filters/filter-popover.tsx'
import { filterWords } from '#web/table/filters/filter-words.ts'
import frame from '#web/table/frame/frame.module.css'
import { PageBar } from '#web/table/frame/page-bar.tsx'
import { TableBar } from '#web/table/frame/table-bar.tsx'
import { useSideways } from '#web/table/grid/body/use-sideways.ts'
import { DataGrid } from '#web/table/grid/data-grid.tsx'
import type { GridOptions } from '#web/table/grid/grid-options.ts'
import { usePageTop } from '#web/table/grid/use-page-top.ts'
import type { Table } from '#web/table/use-table.ts'
import { usePinnedFilterRow } from '#web/table/view/filter-row-pin.ts'
import { useFold } from '#web/table/view/fold.ts'
import { hasFilters } from '#web/table/view/table-view.ts'
import classes from './data-table.module.css'

const PHONE = '(max-width: 37.49em)'

type Props<Row> = Omit<GridOptions<Row>, 'label'> & {
  /** What the table is called, for screen readers; its title unless said otherwise. */
  label?: string
  /** Head and rows only, for dialogs: nothing to arrange, and a page bar only if there are several pages. */
  isPlain?: boolean
  /** A heading under which the table can be folded away. The table is then a section of its page. */
  title?: string
  /** Under a title: closed until the person opens it, which the browser remembers. Filters in the address open it too. */
  isFoldedAtFirst?: boolean
  /** At the left above the table: what it is about. */
  controls?: ReactNode
  /** Filters that a control shows as pressed: they have no chip of their own. */
  isPreset?: (column: string, filter: ColumnFilter) => boolean
  /** What the controls narrow the rows to, in words for print. */
  scope?: string | undefined
  /** At the right above the table: what can be done with it. */
  actions?: ReactNode
  /** Between the controls and the table: what they have done. */
  notice?: ReactNode
}

/** A table with all features: filters, sorting, columns to arrange, pages, and a saved view. */
export function DataTable<Row>(props: Props<Row>) {
  const { table, title, label = title ?? '', controls, actions, what, selection, isPlain = false } = props
  const { isFoldedAtFirst = false } = props
  const contentId = useId()
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false }) ?? false
  const [isFilterRowPinned] = usePinnedFilterRow()
  const { ref: card, width } = useWidth()
  const { refs, isScrolled } = useSideways()
  const top = usePageTop(table.paging.page)
  const failure = table.state.failure ?? table.list.failure
  const total = failure ? undefined : table.list.total
  // The first rows are drawn as a transition.
  const isWaiting = useDeferredValue(table.list.rows === undefined) && !failure
  const [isFolded, toggle] = useFold(table.state, isFoldedAtFirst)
  // What has lost its last row stays as it is: the focus may be in it.
  const [hasHadRows, setHasHadRows] = useState(false)
  if (total && !hasHadRows) setHasHadRows(true)
  // What has no rows at all says so beside its title, instead of a head and a footer around nothing.
  const isOneLine =
    title !== undefined &&
    !controls &&
    total === 0 &&
    !hasHadRows &&
    !table.list.isStale &&
    !hasFilters(table.state.view)
  const isOpen = !isFolded && !isOneLine
  const isOnePage = (total ?? 0) <= table.paging.pageSize
  const content = (
    <Paper className={classes.card} ref={card}>
      {!isPlain && <PrintHead label={title ?? label} table={table} scope={props.scope} />}
      <TableFilters table={table}>
        {!isPlain && (
          <TableBar
            table={table}
            isPhone={isPhone}
            isFolded={!isOpen}
            note={isOneLine && props.noRows}
            title={
              title && (
                <TableTitle
                  title={title}
                  total={total}
                  isOpen={isOpen}
                  onToggle={isOneLine ? undefined : toggle}
                  contentId={contentId}
                />
              )
            }
            controls={controls}
            isPreset={props.isPreset}
            actions={actions}
          />
        )}
        {isOpen && props.notice}
        {isOpen && (
          <div id={contentId} ref={top} className={classes.content}>
            <div className={classes.top} />
            <DataGrid
              {...props}
              label={label}
              isPhone={isPhone}
              hasFilterRow={!isPhone && (isPlain || isFilterRowPinned) && table.columns.some(canFilter)}
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
      </TableFilters>
    </Paper>
  )
  return title ? (
    <section className={classes.section} aria-label={title} data-table data-waiting={isWaiting || undefined}>
      {content}
    </section>
  ) : (
    content
  )
}

type PrintHeadProps = { label: string; table: Pick<Table<never>, 'columns' | 'state'>; scope: string | undefined }

/** Only in print: the account, the date, and what the rows are narrowed by. */
function PrintHead({ label, table: { columns, state }, scope }: PrintHeadProps) {
  const customer = useCustomer()
  const narrowed = [...(scope ? [scope] : []), ...filterWords(columns, state.view.filters).map(({ text }) => text)]
  return (
    <p className={frame.printHead}>
      <strong>{label}</strong>
      {customer.state === 'known' && ` · ${customer.name} (${customer.number})`} · {dayjs().format('YYYY-MM-DD')}
      {narrowed.length > 0 && (
        <>
          <br />
          Only: {narrowed.join(' · ')}
        </>
      )}
    </p>
  )
}

type TitleProps = {
  title: string
  total: number | undefined
  isOpen: boolean
  /** Missing where there is nothing to fold. */
  onToggle: (() => void) | undefined
  contentId: string
}

/** The heading of a table, which folds it away. The number of rows stays visible. */
function TableTitle({ title, total, isOpen, onToggle, contentId }: TitleProps) {
  if (!onToggle)
    return (
      <Title order={2} className={frame.title}>
        {title}
      </Title>
    )
  return (
    <Title order={2} className={frame.title}>
      <button
        type="button"
        className={frame.titleButton}
        aria-expanded={isOpen}
        aria-controls={isOpen ? contentId : undefined}
        onClick={onToggle}
      >
        <IconChevronDown className={frame.chevron} size={18} aria-hidden />
        {title}
      </button>
      <span className={frame.total}>{total !== undefined && countText(total)}</span>
    </Title>
  )
}

/** In pixels. */
const BORDER_OF_CARD = 1

/** How wide an element is. Known before the first paint, so that nothing jumps. */
function useWidth(): { ref: (element: HTMLElement | null) => (() => void) | undefined; width: number } {
  // Most tables fill the page. Then this is right, and nothing has to be drawn again.
  const [width, setWidth] = useState(widthOfPage)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    // The observer is called after the layout and before the paint. Asking earlier would lay out the page once more.
    const observer = new ResizeObserver(() => flushSync(() => setWidth(element.clientWidth)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}

function widthOfPage(): number {
  const page = document.querySelector('main')
  if (!page) return 0
  const { paddingLeft, paddingRight } = getComputedStyle(page)
  return page.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - 2 * BORDER_OF_CARD
}
