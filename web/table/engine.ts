import {
  type ColumnDef,
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createExpandedRowModel,
  type Row as EngineRowOf,
  type RowData,
  rowExpandingFeature,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable as useTanStackTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import type { Column } from '#web/table/columns/column.ts'
import { canPin } from '#web/table/columns/column-widths.ts'
import type { ColumnSort, TableView } from '#web/table/view/table-view.ts'

/** Only these features of the library are in the bundle. */
const features = tableFeatures({
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowExpandingFeature,
  rowSelectionFeature,
  rowSortingFeature,
  expandedRowModel: createExpandedRowModel(),
})

export type EngineRow<Row> = EngineRowOf<typeof features, Row & RowData>
export type Marks = Readonly<Record<string, true>>

/** Columns that belong to the table itself. */
export type ControlColumn = '$select' | '$expand' | '$actions'
export type Control = { readonly id: ControlColumn; readonly width: number }

type Options<Row> = {
  columns: readonly Column<Row>[]
  controls: readonly Control[]
  rows: readonly Row[]
  rowKey(row: Row): string
  childrenOf?: ((row: Row) => readonly Row[] | undefined) | undefined
  canExpand?: ((row: Row) => boolean) | undefined
  view: TableView
  setView(change: (view: TableView) => TableView): void
  widths: Readonly<Record<string, number>>
  available: number
  expanded: Marks
  setExpanded(change: (now: Marks) => Marks): void
  canSelect(row: Row): boolean
  selected: Marks
  setSelected(change: (now: Marks) => Marks): void
}

/** The table library, driven by our view: it knows which columns and rows are shown, in which order and where. */
export function useEngine<Row>(options: Options<Row>) {
  const { columns, controls, rows, rowKey, childrenOf, canExpand, view, setView, widths, available } = options
  const { expanded, setExpanded, canSelect, selected, setSelected } = options
  const definitions = useMemo(() => definitionsOf(columns, controls), [columns, controls])
  const state = useMemo(() => {
    const ids = controls.map(({ id }) => id)
    const leading = ids.filter((id) => id !== '$actions')
    const trailing = ids.filter((id) => id === '$actions')
    const known = view.order.filter((id) => columns.some((column) => column.id === id))
    const start = canPin(available) ? [...leading, ...known.filter((id) => view.pinned.includes(id))] : []
    return {
      columnOrder: [...leading, ...known, ...trailing],
      columnPinning: { start, end: [] },
      columnVisibility: Object.fromEntries(view.hidden.map((id) => [id, false])),
      columnSizing: { ...Object.fromEntries(controls.map(({ id, width }) => [id, width])), ...widths },
      sorting: view.sorting.map(({ column, direction }) => ({ id: column, desc: direction === 'desc' })),
    }
  }, [columns, controls, view, widths, available])
  return useTanStackTable<typeof features, Row & RowData>({
    features,
    columns: definitions,
    data: rows as readonly (Row & RowData)[],
    getRowId: rowKey,
    getSubRows: childrenOf && ((row) => (childrenOf(row) ?? []) as (Row & RowData)[]),
    getRowCanExpand: canExpand && ((row) => canExpand(row.original)),
    // The list source sorts, not this library.
    manualSorting: true,
    sortDescFirst: false,
    enableRowSelection: (row) => canSelect(row.original),
    enableSubRowSelection: false,
    enableRowRangeSelection: true,
    autoResetExpanded: false,
    state: { ...state, expanded, rowSelection: selected },
    onSortingChange: (update) =>
      setView((now) => {
        const before = now.sorting.map(({ column, direction }) => ({ id: column, desc: direction === 'desc' }))
        const after = typeof update === 'function' ? update(before) : update
        return { ...now, sorting: after.map(sortOf) }
      }),
    onExpandedChange: (update) => setExpanded((now) => (typeof update === 'function' ? update(now) : update) as Marks),
    onRowSelectionChange: (update) => setSelected((now) => (typeof update === 'function' ? update(now) : update)),
  })
}

function sortOf({ id, desc }: { id: string; desc: boolean }): ColumnSort {
  return { column: id, direction: desc ? 'desc' : 'asc' }
}

function definitionsOf<Row>(
  columns: readonly Column<Row>[],
  controls: readonly Control[],
): ColumnDef<typeof features, Row & RowData, unknown>[] {
  return [
    ...controls.map(({ id, width }) => ({ id, size: width, enableSorting: false })),
    ...columns.map((column) => ({
      id: column.id,
      accessorFn: (row: Row) => column.text(row),
      size: column.width,
      minSize: 0,
      maxSize: Number.MAX_SAFE_INTEGER,
      enableSorting: column.isSortable !== false,
    })),
  ]
}
