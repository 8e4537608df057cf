import { Badge } from '@mantine/core'
import type { WireProductBalance } from '#contract/optimization/optimization.ts'
import type { Fields } from '#domain/filter/fields.ts'
import { reasonsText } from '#domain/optimization/reasons-text.ts'
import { countText } from '#web/lib/format.ts'
import type { Column } from '#web/table/columns/column.ts'
import { countColumn, textColumn, valuesColumn } from '#web/table/columns/column-kinds.ts'
import classes from './optimization.module.css'

/** The reasons as text, so that they can be searched. */
export type ProductRow = Omit<WireProductBalance, 'reasons'> & { reasonsText: string }
export const toProductRow = ({ reasons, ...one }: WireProductBalance): ProductRow => ({
  ...one,
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
  adviceText: { type: 'text' },
} as const satisfies Fields

/** Advice to act on now, and advice that can wait. */
const TONES: Partial<Record<WireProductBalance['advice'], 'urgent' | 'saving'>> = {
  MORE_SEATS: 'urgent',
  MORE_UNITS: 'urgent',
  DENIED_THOUGH_UNUSED: 'urgent',
  RELEASE: 'saving',
}

const PRODUCT: Column<ProductRow> = textColumn('product', 'Product', 220, {
  flexible: { min: 168, max: 420 },
  phone: 'first line',
  cell: (row) => <span className={classes.product}>{row.product}</span>,
})

const ADVICE: Column<ProductRow> = valuesColumn('adviceText', 'Advice', 204, {
  phone: 'second line',
  cell: (row) => (
    <Badge
      variant="default"
      tt="none"
      classNames={{ root: classes.advice, label: classes.adviceText }}
      data-tone={TONES[row.advice]}
    >
      {row.adviceText}
    </Badge>
  ),
})

const DENIALS: readonly Column<ProductRow>[] = [
  countColumn('denials', 'Denials', 76),
  textColumn('reasonsText', 'Reasons', 196, { cell: (row) => <Lines of={row.reasonsText} /> }),
]

export const SEAT_COLUMNS: readonly Column<ProductRow>[] = [
  PRODUCT,
  ADVICE,
  countColumn('seats', 'Seats', 64),
  countColumn('peak', 'Peak', 64),
  countColumn('needed', 'Needed', 74),
  // The advice says it too.
  countColumn('releasable', 'To Release', 74, { isHidden: true }),
  countColumn('daysAtLimit', 'Days at Limit', 74),
  ...DENIALS,
]

export const ELASTIC_COLUMNS: readonly Column<ProductRow>[] = [
  PRODUCT,
  ADVICE,
  textColumn('units', 'Units Used', 132, {
    align: 'right',
    phone: 'second line',
    cell: (row) => <Lines of={row.units} />,
  }),
  countColumn('peak', 'Peak Sessions', 92, {
    text: (row) => (row.peak === null ? 'Not counted' : countText(row.peak)),
  }),
  ...DENIALS,
]

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
