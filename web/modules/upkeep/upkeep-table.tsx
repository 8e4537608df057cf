import { Table } from '@mantine/core'
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
    <Table className={classes.table} verticalSpacing={6} aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) => (
            <Table.Th key={column.label} data-figure={column.isFigure || undefined}>
              {column.label}
            </Table.Th>
          ))}
          {act && <Table.Td />}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={keyOf(row)}>
            {columns.map((column) => (
              <Table.Td
                key={column.label}
                data-label={column.label}
                data-figure={column.isFigure || undefined}
                data-time={column.isTime || undefined}
              >
                {column.cell(row)}
              </Table.Td>
            ))}
            {act && <Table.Td className={classes.act}>{act(row)}</Table.Td>}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
