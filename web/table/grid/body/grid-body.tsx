import { type CSSProperties, lazy, type RefObject, Suspense } from 'react'
import type { EngineRow } from '#web/table/engine.ts'
import { BodyRow } from '#web/table/grid/body/body-row.tsx'
import { PhoneRow } from '#web/table/grid/body/phone-row.tsx'
import type { RowBehavior } from '#web/table/grid/body/row-behavior.ts'
import { RowPanel } from '#web/table/grid/body/row-panel.tsx'
import type { RowScroller } from '#web/table/grid/body/row-scroller.ts'
import { PhoneTotalsRow, TotalsRow } from '#web/table/grid/body/totals-row.tsx'
import type { GridRows } from '#web/table/grid/body/use-grid-rows.ts'
import type { VirtualRows as VirtualRowsOf } from '#web/table/grid/body/virtual-rows.tsx'
import type { DrawnColumn } from '#web/table/grid/drawn-column.ts'
import classes from '#web/table/grid/grid.module.css'
import type { GridProps } from '#web/table/grid/grid-options.ts'
import { ANY_ROW, NOTHING_SELECTED } from '#web/table/rows/selection.ts'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

/** Only tables with more than 100 rows on a page need it. */
const VirtualRows = lazy(async () => ({
  default: (await import('#web/table/grid/body/virtual-rows.tsx')).VirtualRows,
})) as typeof VirtualRowsOf

const MAX_SKELETONS = 20

type Props<Row> = {
  props: GridProps<Row>
  data: GridRows<Row>
  drawn: readonly DrawnColumn<Row>[]
  /** The rows of the page and those that are unfolded below them. */
  shownRows: readonly EngineRow<Row>[]
  behavior: RowBehavior<Row>
  /** The number of header and filter rows, for `aria-rowindex`. */
  headRows: number
  rowHeight: number
  /** How many rows there is room for, so that the table keeps its height while it loads. */
  room: number
  isVirtual: boolean
  scroller: RefObject<RowScroller | null>
  focusedIndex(): number
}

/** The rows and their totals, or skeletons until the first rows have come. */
export function GridBody<Row>({ props, data, drawn, shownRows, ...options }: Props<Row>) {
  const { isPhone, sideways, childRows, detail, totals, canSelect = ANY_ROW } = props
  const { behavior, headRows, rowHeight, room, isVirtual, scroller, focusedIndex } = options
  const { selection = NOTHING_SELECTED } = props.selection ?? {}
  const RowComponent = isPhone ? PhoneRow : BodyRow
  const TotalsComponent = isPhone ? PhoneTotalsRow : TotalsRow
  const draw = (row: EngineRow<Row>, index: number) => {
    const isExpanded = data.expanded[row.id] === true
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
        {isExpanded && <LoadingChildren of={data.children.get(row.id)} colSpan={drawn.length} />}
      </RowComponent>
    )
  }
  return (
    <>
      <div
        role="rowgroup"
        className={classes.body}
        ref={sideways.body}
        style={isPhone || isVirtual ? undefined : ({ '--room': `${room * rowHeight}px` } as CSSProperties)}
      >
        {data.listed === undefined ? (
          <SkeletonRows drawn={drawn} count={Math.min(room, MAX_SKELETONS)} />
        ) : isVirtual ? (
          <Suspense fallback={<SkeletonRows drawn={drawn} count={MAX_SKELETONS} />}>
            <VirtualRows
              rows={shownRows}
              rowHeight={rowHeight}
              draw={draw}
              scroller={scroller}
              canUnfold={isPhone || detail !== undefined || childRows !== undefined}
              focusedIndex={focusedIndex}
            />
          </Suspense>
        ) : (
          shownRows.map(draw)
        )}
      </div>
      {totals && totals.length > 0 && data.rows.length > 0 && (
        <div role="rowgroup" className={classes.totals} ref={sideways.totals}>
          {totals.map((one, index) => (
            <TotalsComponent key={index} drawn={drawn} totals={one} />
          ))}
        </div>
      )}
    </>
  )
}

type Children<Row> = ReturnType<GridRows<Row>['children']['get']>

/** Below a row whose children are being loaded, or could not be. */
function LoadingChildren<Row>({ of: children, colSpan }: { of: Children<Row>; colSpan: number }) {
  if (!children || children.rows) return null
  return (
    <RowPanel colSpan={colSpan}>
      {children.failure ? <FailureNotice failure={children.failure} onRetry={children.retry} /> : <Spinner />}
    </RowPanel>
  )
}

/** Bars where the cells will be: one element per column, drawn by its background. */
function SkeletonRows({ drawn, count }: { drawn: readonly DrawnColumn<never>[]; count: number }) {
  return (
    <div aria-hidden className={classes.skeleton} style={{ height: `calc(${count} * var(--row-height))` }}>
      {drawn.map(({ id, column }) => (
        <div key={id} data-right={column?.kind === 'number' || undefined} data-empty={!column || undefined} />
      ))}
    </div>
  )
}
