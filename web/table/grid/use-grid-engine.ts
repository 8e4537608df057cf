import { useMemo } from 'react'
import { type Control, useEngine } from '#web/table/engine.ts'
import type { GridRows } from '#web/table/grid/body/use-grid-rows.ts'
import { drawnColumns } from '#web/table/grid/drawn-column.ts'
import type { GridProps } from '#web/table/grid/grid-options.ts'
import { useColumnWidths } from '#web/table/grid/head/use-column-widths.ts'
import { useContentWidths } from '#web/table/grid/head/use-content-widths.ts'
import { ANY_ROW, NOTHING_SELECTED } from '#web/table/rows/selection.ts'

/** Which rows and columns are drawn, where, and how wide. */
export function useGridEngine<Row>(
  props: GridProps<Row>,
  { listed, rows, children, expanded, setExpanded }: GridRows<Row>,
) {
  const { available, childRows, canSelect = ANY_ROW } = props
  const { columns, rowKey, state } = props.table
  const { selection = NOTHING_SELECTED, setSelection } = props.selection ?? {}
  const controls = useControls(props)
  const controlsWidth = controls.reduce((sum, { width }) => sum + width, 0)
  const content = useContentWidths(columns, listed, props)
  const { widths, sizes } = useColumnWidths(columns, state, available - controlsWidth, content)
  const engine = useEngine({
    columns,
    controls,
    rows,
    rowKey,
    childrenOf: childRows && ((row) => children.get(rowKey(row))?.rows),
    canExpand: (row) => props.detail !== undefined || (childRows?.has(row) ?? false),
    view: state.view,
    setView: state.setView,
    widths,
    available,
    expanded,
    setExpanded,
    canSelect,
    selected: selection.keys,
    setSelected: (change) => setSelection?.({ keys: change(selection.keys), isAllMatching: false }),
  })
  const start = engine.getStartVisibleLeafColumns()
  const center = engine.getCenterVisibleLeafColumns()
  const places = [...start.map((one) => `${one.id} ${one.getStart('start')}`), ...center.map((one) => one.id)].join()
  const drawn = useMemo(() => drawnColumns(start, center, columns), [places, columns])
  const widthOf = (id: string) => engine.getColumn(id)?.getSize() ?? 0
  const lastPinned = start.at(-1)
  return {
    engine,
    drawn,
    sizes,
    widthOf,
    totalWidth: drawn.reduce((sum, { id }) => sum + widthOf(id), 0),
    pinnedEnd: lastPinned ? lastPinned.getStart('start') + lastPinned.getSize() : 0,
  }
}

function useControls<Row>(props: GridProps<Row>): readonly Control[] {
  const { selection, detail, rowActions, actionsWidth = 96, isPhone } = props
  const hasSelection = selection !== undefined
  const hasDetail = detail !== undefined && !isPhone
  const hasActions = rowActions !== undefined
  return useMemo(
    () => [
      ...(hasSelection ? [{ id: '$select', width: 32 } as const] : []),
      ...(hasDetail ? [{ id: '$expand', width: 32 } as const] : []),
      ...(hasActions ? [{ id: '$actions', width: actionsWidth } as const] : []),
    ],
    [hasSelection, hasDetail, hasActions, actionsWidth],
  )
}
