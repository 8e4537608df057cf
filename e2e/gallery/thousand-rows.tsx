import { useMemo } from 'react'
import type { Column } from '#web/table/columns/column.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { rowsSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'

type Row = { id: number }

const ROWS: readonly Row[] = Array.from({ length: 1000 }, (_, id) => ({ id }))
const COLUMNS: readonly Column<Row>[] = Array.from({ length: 15 }, (_, index) => ({
  id: `c${index}`,
  header: `Column ${index + 1}`,
  width: 130,
  isSticky: index === 0,
  ...(index % 3 === 1 ? { kind: 'number' as const } : {}),
  text: (row: Row) => (index % 3 === 1 ? String(row.id * (index + 1)) : `Row ${row.id + 1} of ${index + 1}`),
  ...(index === 4 ? { kind: 'id' as const } : {}),
}))

/** A page of 1,000 rows and 15 columns: only what is in view is drawn. */
export function ThousandRows() {
  const source = useMemo(() => rowsSource(['thousand'], {}, ROWS), [])
  const table = useTable({ tableName: 'fsaHistory', columns: COLUMNS, rowKey, source, pageSizes: [1000] })
  return <DataTable table={table} label="Thousand" what="rows" noRows="There are no rows." />
}

const rowKey = (row: Row) => String(row.id)
