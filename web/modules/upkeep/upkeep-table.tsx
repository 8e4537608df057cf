import type { ReactNode } from 'react'
import classes from './upkeep.module.css'

export type Column<Row> = {
  readonly label: string
  readonly isFigure?: boolean
  /** Kept on one line. */
  readonly isTime?: boolean
  cell(row: Row): ReactNode
}

type Props<Row> = {
  label: string
  rows: readonly Row[]
  keyOf(row: Row): string
  columns: readonly Column<Row>[]
  /** A button at the end of the row. */
  act?(row: Row): ReactNode
}

/** A short table without filters. On phones each row is a list of its values. */
export function UpkeepTable<Row>({ label, rows, keyOf, columns, act }: Props<Row>) {
  return (
    <table className={`plain-table ${classes.table}`} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.label} data-figure={column.isFigure || undefined}>
              {column.label}
            </th>
          ))}
          {act && <td />}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => (
              <td
                key={column.label}
                data-label={column.label}
                data-figure={column.isFigure || undefined}
                data-time={column.isTime || undefined}
              >
                {column.cell(row)}
              </td>
            ))}
            {act && <td className={classes.act}>{act(row)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
