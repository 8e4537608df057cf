import type { TableName } from '#contract/settings/table-names.ts'
import { type TableOptions, useTable } from '#web/table/use-table.ts'

export type Activity = 'active' | 'inactive'

type Texts = {
  /** In the plural: 'Servers', of 'license servers'. */
  title: string
  what: string
  active: { tableName: TableName; noRows: string }
  inactive: { tableName: TableName; noRows: string }
}

/** Props of `<DataTable>` for one of two tables: what is active, and what is not. */
export function useActivityTable<Row, Wire = Row>(
  activity: Activity,
  { title, what, [activity]: { tableName, noRows } }: Texts,
  options: Omit<TableOptions<Row, Wire>, 'tableName' | 'urlPrefix'>,
) {
  return {
    table: useTable({ ...options, tableName, urlPrefix: `${activity}.` }),
    title: `${activity === 'active' ? 'Active' : 'Inactive'} ${title}`,
    what: `${activity} ${what}`,
    noRows,
    isTwoLine: true,
  }
}
