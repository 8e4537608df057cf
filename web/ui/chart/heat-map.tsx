import { VisuallyHidden } from '@mantine/core'
import type { CSSProperties } from 'react'
import classes from './heat-map.module.css'

export type HeatCell = {
  readonly row: number
  readonly column: number
  readonly value: number
  /** Marks the cell, and is read with it. */
  readonly mark?: string | undefined
}

type Props = {
  label: string
  rows: readonly string[]
  columns: readonly string[]
  cells: readonly HeatCell[]
  /** The value of the strongest color. */
  highest: number
  valueText(value: number): string
}

/** Rows and columns whose numbers are colored by their size. It is a table, so that it reads without color and on paper. */
export function HeatMap({ label, rows, columns, cells, highest, valueText }: Props) {
  const at = new Map(cells.map((cell) => [`${cell.row} ${cell.column}`, cell]))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable with the keyboard
    <section className={classes.box} aria-label={label} tabIndex={0}>
      <table className={classes.map} aria-label={label}>
        <thead>
          <tr>
            <td />
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, rowIndex) => (
            <tr key={row}>
              <th scope="row">{row}</th>
              {columns.map((column, columnIndex) => (
                <Cell
                  key={column}
                  cell={at.get(`${rowIndex} ${columnIndex}`)}
                  place={`${row} ${column}`}
                  highest={highest}
                  valueText={valueText}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

type CellProps = { cell: HeatCell | undefined; place: string } & Pick<Props, 'highest' | 'valueText'>

function Cell({ cell, place, highest, valueText }: CellProps) {
  if (!cell) return <td className={classes.cell} />
  const share = highest > 0 ? Math.min(1, cell.value / highest) : 0
  const style = { '--heat': `${Math.round(share * 60)}%` } as CSSProperties
  const text = valueText(cell.value)
  return (
    <td
      className={classes.cell}
      style={style}
      data-marked={cell.mark !== undefined || undefined}
      title={`${place}: ${text}${cell.mark ? `, ${cell.mark}` : ''}`}
    >
      {text}
      {cell.mark && <VisuallyHidden>{`, ${cell.mark}`}</VisuallyHidden>}
    </td>
  )
}
