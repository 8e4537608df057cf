import type { ReactNode } from 'react'
import { cellProps, type DrawnColumn } from '#web/table/grid/drawn-column.ts'
import classes from '#web/table/grid/grid.module.css'
import phone from './phone.module.css'

/** What columns add up to, by column. */
export type Totals = Readonly<Record<string, ReactNode>>

type Props<Row> = { drawn: readonly DrawnColumn<Row>[]; totals: Totals }

/** What the columns add up to, below the rows. */
export function TotalsRow<Row>({ drawn, totals }: Props<Row>) {
  const first = drawn.find((one) => one.column)?.id
  return (
    <div role="row" className={classes.row} data-totals>
      {drawn.map((one) => (
        <div key={one.id} {...cellProps(one)} className={classes.cell}>
          {totals[one.id] ?? (one.id === first ? 'Total' : '')}
        </div>
      ))}
    </div>
  )
}

/** Totals on a phone, where each total follows the name of its column. */
export function PhoneTotalsRow<Row>({ drawn, totals }: Props<Row>) {
  const isCurrency = (id: string) => drawn.some(({ column }) => column?.currency === id)
  return (
    <div role="row" className={phone.row} data-totals>
      <div role="gridcell" tabIndex={-1} data-cell className={phone.totals}>
        Total
        {drawn.map(
          ({ id, column }) =>
            totals[id] !== undefined &&
            !isCurrency(id) && (
              <span key={id}>
                {' · '}
                {column?.header} {totals[id]}
                {column?.currency && <> {totals[column.currency]}</>}
              </span>
            ),
        )}
      </div>
    </div>
  )
}
