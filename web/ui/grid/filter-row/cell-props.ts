import type { Column } from '#web/ui/grid/model/column.ts'
import type { ColumnFilter } from '#web/ui/grid/model/column-filter.ts'

export type FilterCellProps = {
  column: Pick<Column<never>, 'id' | 'field' | 'header'>
  filter: ColumnFilter | undefined
  onChange(filter: ColumnFilter | undefined): void
}
