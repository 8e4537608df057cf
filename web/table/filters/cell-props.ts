import type { Column } from '#web/table/columns/column.ts'
import type { ColumnFilter } from '#web/table/filters/column-filter.ts'

export type FilterCellProps = {
  column: Pick<Column<never>, 'id' | 'field' | 'header' | 'filter'>
  filter: ColumnFilter | undefined
  onChange(filter: ColumnFilter | undefined): void
}
