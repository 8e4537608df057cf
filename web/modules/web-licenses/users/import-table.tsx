import { IconBan, IconCheck, IconMinus, IconPencil } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { Fields } from '#domain/filter/fields.ts'
import { countText } from '#web/lib/format.ts'
import { type ImportPhase, type ImportRow, resultsOf } from '#web/modules/web-licenses/users/user-import.ts'
import classes from '#web/modules/web-licenses/web-licenses.module.css'
import type { Column } from '#web/table/columns/column.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { rowsSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'

const FIELDS = {
  line: { type: 'number' },
  email: { type: 'text' },
  name: { type: 'text' },
  result: { type: 'text' },
  detail: { type: 'text' },
} as const satisfies Fields

const ICONS = { add: IconCheck, update: IconPencil, none: IconMinus, refused: IconBan } as const

const columnsOf = (phase: ImportPhase): readonly Column<ImportRow>[] => [
  { id: 'line', header: 'Line', width: 56, kind: 'number', phone: 'second line', text: (row) => countText(row.line) },
  { id: 'email', header: 'User', width: 236, phone: 'first line', text: (row) => row.email },
  { id: 'name', header: 'Name', width: 118, text: (row) => row.name },
  {
    id: 'result',
    header: 'Result',
    width: 128,
    filter: { kind: 'text', hasValues: resultsOf(phase) },
    phone: 'first line',
    text: (row) => row.result,
    cell: (row) => <Result row={row} />,
  },
  {
    id: 'detail',
    header: 'Reason or Change',
    width: 280,
    flexible: { min: 240 },
    phone: 'second line',
    text: (row) => row.detail,
    cell: ({ detail }) => <span className={classes.reason}>{detail}</span>,
  },
]
const COLUMNS = { preview: columnsOf('preview'), report: columnsOf('report') }
const PAGE_SIZES = [10, 25, 50, 100] as const

function Result({ row: { outcome, result } }: { row: ImportRow }) {
  const Icon = ICONS[outcome]
  return (
    <span className={classes.result} data-outcome={outcome}>
      <Icon size={15} aria-hidden />
      {result}
    </span>
  )
}

/** What the import will do with every line of the file, or what it did. */
export function ImportTable({ rows, phase }: { rows: readonly ImportRow[]; phase: ImportPhase }) {
  const source = useMemo(() => rowsSource(['import-users', phase, rows.length], FIELDS, rows), [rows, phase])
  const table = useTable({ columns: COLUMNS[phase], rowKey: lineKey, source, pageSizes: PAGE_SIZES })
  return (
    <div className={classes.import}>
      <DataTable
        table={table}
        isPlain
        isTwoLine
        label={phase === 'report' ? 'Import report' : 'Import preview'}
        what="lines"
        noRows="The file has no users."
      />
    </div>
  )
}

const lineKey = (row: ImportRow) => String(row.line)
