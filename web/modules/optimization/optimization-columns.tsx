import type { WireProductBalance } from '#contract/optimization/optimization.ts'
import type { Fields } from '#domain/filter/fields.ts'
import { reasonsText } from '#domain/optimization/reasons-text.ts'
import { costText, NO_COST } from '#domain/optimization/seat-cost.ts'
import { countOf, countText } from '#web/lib/format.ts'
import { Ask, OrderOrAsk } from '#web/parts/order-or-ask.tsx'
import type { Column } from '#web/table/columns/column.ts'
import { amountColumn, countColumn, textColumn, valuesColumn } from '#web/table/columns/column-kinds.ts'
import { SignalDot } from '#web/ui/signal-dot.tsx'
import type { Signal } from '#web/ui/theme/tokens.ts'
import classes from './optimization.module.css'

/** The reasons and the cost as text, so that they can be searched. */
export type ProductRow = Omit<WireProductBalance, 'reasons' | 'cost'> & {
  order: WireProductBalance['cost']
  /** For sorting. Different currencies are compared by their figures. */
  cost: number | null
  costText: string
  reasonsText: string
}
export const toProductRow = ({ reasons, cost, ...one }: WireProductBalance): ProductRow => ({
  ...one,
  order: cost,
  cost: cost && Number(cost.cost),
  costText: cost ? costText(cost) : one.noCost ? NO_COST[one.noCost].short : '',
  reasonsText: reasonsText(reasons),
})

export const PRODUCT_FIELDS = {
  product: { type: 'text' },
  seats: { type: 'number' },
  peak: { type: 'number' },
  needed: { type: 'number' },
  daysAtLimit: { type: 'number' },
  units: { type: 'text' },
  denials: { type: 'number' },
  reasonsText: { type: 'text' },
  releasable: { type: 'number' },
  missing: { type: 'number' },
  cost: { type: 'number' },
  adviceText: { type: 'text' },
} as const satisfies Fields

/** Advice to act on now, and advice that can wait. */
const SIGNALS: Partial<Record<WireProductBalance['advice'], Signal>> = {
  MORE_SEATS: 'red',
  MORE_UNITS: 'red',
  DENIED_THOUGH_UNUSED: 'red',
  RELEASE: 'green',
}

const PRODUCT: Column<ProductRow> = textColumn('product', 'Product', 220, {
  flexible: { min: 152 },
  phone: 'first line',
  cell: (row) => <span className={classes.product}>{row.product}</span>,
})

const ADVICE: Column<ProductRow> = valuesColumn('adviceText', 'Advice', 216, {
  phone: 'second line',
  cell: (row) => (
    <span className={classes.lines}>
      <span className={classes.advice}>
        <SignalDot signal={SIGNALS[row.advice] ?? 'none'}>{row.adviceText}</SignalDot>
      </span>
      {row.costText && <span className={`${classes.cost} figures`}>{row.costText}</span>}
    </span>
  ),
})

const denialColumns = (reasonsWidth: number): readonly Column<ProductRow>[] => [
  countColumn('denials', 'Denials', 72),
  textColumn('reasonsText', 'Reasons', reasonsWidth, { cell: (row) => <Lines of={row.reasonsText} /> }),
]

export const SEAT_COLUMNS: readonly Column<ProductRow>[] = [
  ADVICE,
  PRODUCT,
  countColumn('seats', 'Seats', 60),
  countColumn('peak', 'Peak', 60),
  countColumn('needed', 'Needed', 72),
  // The advice says it too.
  countColumn('releasable', 'To Release', 74, { isHidden: true }),
  countColumn('missing', 'More Seats', 74, { isHidden: true }),
  amountColumn('cost', 'Cost', 110, { isHidden: true, text: (row) => row.costText }),
  countColumn('daysAtLimit', 'Days at Limit', 70),
  ...denialColumns(152),
]

export const ELASTIC_COLUMNS: readonly Column<ProductRow>[] = [
  ADVICE,
  PRODUCT,
  textColumn('units', 'Units Used', 132, {
    align: 'right',
    phone: 'second line',
    cell: (row) => <Lines of={row.units} />,
  }),
  countColumn('peak', 'Peak Sessions', 92, {
    text: (row) => (row.peak === null ? 'Not counted' : countText(row.peak)),
  }),
  ...denialColumns(180),
]

/** What the advice asks for, if it can be ordered. */
export function AdviceOrder({ row: { advice, product, missing, order, denials, reasonsText } }: { row: ProductRow }) {
  if (advice === 'MORE_UNITS') return <Ask about={`elastic units for ${product}`} />
  if (advice !== 'MORE_SEATS') return null
  const line = order ? { contract: order.fsaId, product: order.partNumber, count: missing } : undefined
  return (
    <OrderOrAsk
      about={`${countOf(missing, 'seat')} of ${product}`}
      line={line}
      facts={[`Denied checkouts: ${denials} (${reasonsText})`]}
    />
  )
}

/** The parts of a list, one per line. A row has two lines; if there are more parts, the tooltip has them all. */
function Lines({ of }: { of: string }) {
  const parts = of.split(', ')
  const [first, second] = parts
  return (
    <span className={classes.lines} title={of}>
      <span>{first}</span>
      {second && <span>{parts.length > 2 ? `and ${parts.length - 1} more` : second}</span>}
    </span>
  )
}
