import type { PlannerProduct } from '#contract/planner/planner.ts'
import type { Fields } from '#domain/filter/fields.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { lineCostOf, MAX_SEATS, seatsToRenew } from '#domain/planner/proposals.ts'
import { countOf, countText } from '#web/lib/format.ts'
import type { Column } from '#web/table/columns/column.ts'
import { countColumn, dayColumn, textColumn } from '#web/table/columns/column-kinds.ts'
import classes from './planner.module.css'

/** A product with the seats that are planned. */
export type PlannedRow = PlannerProduct & {
  readonly seats: number
  readonly toRenew: number
  readonly peak: number | null
  readonly percentile95: number | null
  readonly realDenials: number | null
  readonly cost: number | null
  readonly difference: number | null
}

export function toPlannedRow(product: PlannerProduct, seats: number): PlannedRow {
  const { measured } = product
  const { cost, difference } = lineCostOf({ ...product, seats })
  return {
    ...product,
    seats,
    toRenew: seatsToRenew({ ...product, seats }),
    peak: measured?.peak ?? null,
    percentile95: measured?.percentile95 ?? null,
    realDenials: measured?.realDenials ?? null,
    cost: cost === null ? null : Number(cost),
    difference: difference === null ? null : Number(difference),
  }
}

export const PLANNED_FIELDS = {
  product: { type: 'text' },
  bought: { type: 'number' },
  ending: { type: 'number' },
  activated: { type: 'number' },
  firstEnd: { type: 'day' },
  peak: { type: 'number' },
  percentile95: { type: 'number' },
  realDenials: { type: 'number' },
  elasticUnits: { type: 'text' },
  webSeats: { type: 'number' },
  webPeak: { type: 'number' },
  seats: { type: 'number' },
  toRenew: { type: 'number' },
  cost: { type: 'number' },
  difference: { type: 'number' },
  currency: { type: 'text' },
  duration: { type: 'text' },
} as const satisfies Fields

const known = (value: number | null) => (value === null ? '' : countText(value))
const peakCell = ({ peak }: PlannedRow) => peak ?? <span className={classes.note}>not reported</span>
const money = (value: number | null, sign = '') =>
  value === null ? '' : `${value > 0 ? sign : ''}${formatDecimal(String(value), 2)}`

/** `onSeats` takes a number that was typed. */
export function plannedColumns(onSeats: (product: string, seats: number) => void): readonly Column<PlannedRow>[] {
  return [
    textColumn('product', 'Product', 200, {
      flexible: { min: 166 },
      phone: 'first line',
      cell: ({ product, realDenials }) =>
        realDenials ? (
          <span className={classes.product}>
            <span className={classes.name}>{product}</span>
            <span className={classes.note}>{countOf(realDenials, 'real denial')}</span>
          </span>
        ) : (
          <span className={classes.long}>{product}</span>
        ),
    }),
    countColumn('bought', 'Bought', 74, { phone: 'second line' }),
    countColumn('activated', 'Activated', 80),
    countColumn('peak', 'Peak', 102, { text: ({ peak }) => known(peak), cell: peakCell }),
    countColumn('percentile95', '95th percentile', 92, { text: ({ percentile95 }) => known(percentile95) }),
    countColumn('realDenials', 'Real Denials', 76, { isHidden: true, text: ({ realDenials }) => known(realDenials) }),
    countColumn('seats', 'Planned', 92, {
      phone: 'second line',
      editor: {
        value: ({ seats }) => String(seats),
        errorOf: (_, value) =>
          Number(value) < 0 || Number(value) > MAX_SEATS ? `Enter 0 to ${countText(MAX_SEATS)}.` : undefined,
        onCommit: ({ product }, value) => {
          const seats = Number(value)
          if (Number.isInteger(seats) && seats >= 0 && seats <= MAX_SEATS) onSeats(product, seats)
        },
      },
    }),
    countColumn('toRenew', 'To Renew', 84, { phone: 'second line' }),
    countColumn('cost', 'Cost', 104, { text: ({ cost }) => money(cost), currency: 'currency' }),
    countColumn('difference', 'Difference', 104, { text: ({ difference }) => money(difference, '+') }),
    textColumn('currency', 'Currency', 84, { isHidden: true }),
    textColumn('duration', 'For', 90, { isHidden: true }),
    countColumn('ending', 'Ending', 74, { isHidden: true }),
    dayColumn('firstEnd', 'First End', 112, { isHidden: true }),
    textColumn('elasticUnits', 'Elastic Units', 130, { isHidden: true }),
    countColumn('webSeats', 'Web Seats', 90, { isHidden: true }),
    countColumn('webPeak', 'Web Peak', 90, { isHidden: true }),
  ]
}
