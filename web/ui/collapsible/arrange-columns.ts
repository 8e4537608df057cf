import type { ColumnSort, TableView } from '#web/ui/grid/model/table-view.ts'

/** A column takes the place of another, which moves aside. */
export function moveColumn(order: readonly string[], id: string, to: string): string[] {
  const place = order.indexOf(to)
  return order.filter((one) => one !== id).toSpliced(place, 0, id)
}

/** As they are drawn: those that stay in sight first, each kind in its order. */
export function drawnColumns<C extends { id: string }>(
  columns: readonly C[],
  { order, hidden }: Pick<TableView, 'order' | 'hidden'>,
  sticky: readonly string[],
): C[] {
  const visible = order.flatMap((id) => columns.filter((column) => column.id === id && !hidden.includes(id)))
  const isSticky = (column: C) => sticky.includes(column.id)
  return [...visible.filter(isSticky), ...visible.filter((column) => !isSticky(column))]
}

/** Ascending, then descending, then as it was; a further column comes after those that sort already. */
export function nextSorting(sorting: readonly ColumnSort[], column: string, isFurther: boolean): ColumnSort[] {
  const before = sorting.find((one) => one.column === column)
  const others = isFurther ? sorting.filter((one) => one !== before) : []
  if (!before) return [...others, { column, direction: 'asc' }]
  if (before.direction === 'desc') return others
  return isFurther
    ? sorting.map((one) => (one === before ? { column, direction: 'desc' } : one))
    : [{ column, direction: 'desc' }]
}
