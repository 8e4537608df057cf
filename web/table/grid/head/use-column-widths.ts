import { useMemo, useRef, useState } from 'react'
import type { Column } from '#web/table/columns/column.ts'
import { type ContentWidths, columnWidths, minWidthOf } from '#web/table/columns/column-widths.ts'
import type { TableView } from '#web/table/view/table-view.ts'

/** Memoized functions, so that nothing is drawn again because of them. */
export type ColumnSizes = {
  drag(column: Column<never>, width: number): void
  resize(column: Column<never>, width: number): void
  /** Back to its own width. */
  release(column: Column<never>): void
}

type State = { view: TableView; setView(change: (view: TableView) => TableView): void }

export function useColumnWidths(
  columns: readonly Column<never>[],
  { view, setView }: State,
  available: number,
  content: ContentWidths,
): { widths: Readonly<Record<string, number>>; sizes: ColumnSizes } {
  // While its edge is dragged, only this column changes, so that the edge stays under the pointer.
  const [dragged, setDragged] = useState<Record<string, number>>()
  const { hidden, widths: own } = view
  const settled = useMemo(
    () => columnWidths(columns, { hidden, widths: own }, available, content),
    [columns, hidden, own, available, content],
  )
  const widths = dragged ?? settled
  const latest = useRef({ widths, content, setView })
  latest.current = { widths, content, setView }
  const sizes = useMemo<ColumnSizes>(() => {
    const allowed = (column: Column<never>, width: number) =>
      Math.round(Math.max(minWidthOf(column, latest.current.content), width))
    return {
      drag: (column, width) => setDragged({ ...latest.current.widths, [column.id]: allowed(column, width) }),
      resize(column, width) {
        setDragged(undefined)
        latest.current.setView((now) => ({
          ...now,
          widths: { ...now.widths, [column.id]: allowed(column, width) },
        }))
      },
      release(column) {
        setDragged(undefined)
        latest.current.setView(({ widths: { [column.id]: _, ...others }, ...now }) => ({ ...now, widths: others }))
      },
    }
  }, [])
  return { widths, sizes }
}
