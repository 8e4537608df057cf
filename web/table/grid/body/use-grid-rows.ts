import { useDeferredValue, useMemo, useState } from 'react'
import type { Marks } from '#web/table/engine.ts'
import type { GridOptions } from '#web/table/grid/grid-options.ts'
import { useChildRows } from '#web/table/rows/child-rows.ts'

const NONE: readonly never[] = []

/** The rows of the page, their children, and which of them are unfolded. */
export function useGridRows<Row>({ table, childRows }: GridOptions<Row>) {
  const { rowKey, state, list } = table
  const failure = state.failure ?? list.failure
  /** Undefined while the first rows are loading. */
  const listed = useFirstRowsLater(failure ? NONE : list.rows)
  const rows = listed ?? NONE
  const [expanded, setExpanded] = useState<Marks>({})
  const children = useChildRows(childRows, rows, rowKey, expanded)
  return {
    failure,
    listed,
    // The library looks for children again only when it is given other rows.
    rows: useMemo(() => [...rows], [rows, children]),
    isEmpty: listed?.length === 0 && (failure !== undefined || !list.isStale),
    children,
    expanded,
    setExpanded,
  }
}

export type GridRows<Row> = ReturnType<typeof useGridRows<Row>>

/** The first rows are rendered as a transition, so that the page stays responsive. Later ones replace them at once. */
function useFirstRowsLater<Row>(rows: readonly Row[] | undefined): readonly Row[] | undefined {
  return useDeferredValue(rows !== undefined) ? rows : undefined
}
