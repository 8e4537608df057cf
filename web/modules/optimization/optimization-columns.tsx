import { Badge } from '@mantine/core'
import type { WireProductBalance } from '#contract/optimization/optimization.ts'
import type { Fields } from '#domain/filter/fields.ts'
import { OPTIMIZED_LICENSES } from '#domain/optimization/optimization-report.ts'
import { reasonsText } from '#domain/optimization/reasons-text.ts'
import { countText } from '#web/lib/format.ts'
import { CONTAINS_OR_EQUALS, type Column } from '#web/table/columns/column.ts'
import classes from './optimization.module.css'

const text = { kind: 'text', methods: CONTAINS_OR_EQUALS } as const
const number = { kind: 'number' } as const
const optional = (value: number | null) => (value === null ? '' : countText(value))

/** The reasons as text, so that they can be searched. */
export type ProductRow = Omit<WireProductBalance, 'reasons'> & { reasonsText: string }
export const toProductRow = ({ reasons, ...one }: WireProductBalance): ProductRow => ({
  ...one,
  reasonsText: reasonsText(reasons),
})

export const PRODUCT_FIELDS = {
  product: { type: 'text' },
  license: { type: 'text' },
  seats: { type: 'number' },
  peak: { type: 'number' },
  daysAtLimit: { type: 'number' },
  units: { type: 'text' },
  denials: { type: 'number' },
  reasonsText: { type: 'text' },
  releasable: { type: 'number' },
  adviceText: { type: 'text' },
} as const satisfies Fields

/** Where something is to be done, and where it can wait. */
const TONES: Partial<Record<WireProductBalance['advice'], 'urgent' | 'saving'>> = {
  MORE_SEATS: 'urgent',
  MORE_UNITS: 'urgent',
  DENIED_THOUGH_FREE: 'urgent',
  RELEASE: 'saving',
}

export const PRODUCT_COLUMNS: readonly Column<ProductRow>[] = [
  {
    id: 'product',
    header: 'Product',
    width: 240,
    flexible: { min: 200, max: 420 },
    filter: text,
    phone: 'first line',
    text: (row) => row.product,
  },
  {
    id: 'license',
    header: 'License',
    width: 96,
    filter: { ...text, hasValues: OPTIMIZED_LICENSES },
    text: (row) => row.license,
  },
  {
    id: 'adviceText',
    header: 'Advice',
    width: 264,
    filter: { ...text, hasValues: true },
    phone: 'second line',
    text: (row) => row.adviceText,
    cell: (row) => (
      <Badge variant="default" tt="none" className={classes.advice} data-tone={TONES[row.advice]}>
        {row.adviceText}
      </Badge>
    ),
  },
  { id: 'seats', header: 'Seats', width: 84, kind: 'number', filter: number, text: (row) => optional(row.seats) },
  { id: 'peak', header: 'Peak', width: 84, kind: 'number', filter: number, text: (row) => optional(row.peak) },
  {
    id: 'releasable',
    header: 'Could Be Released',
    width: 148,
    kind: 'number',
    filter: number,
    text: (row) => countText(row.releasable),
  },
  {
    id: 'daysAtLimit',
    header: 'Days at Limit',
    width: 116,
    kind: 'number',
    filter: number,
    text: (row) => optional(row.daysAtLimit),
  },
  { id: 'units', header: 'Units Used', width: 132, align: 'right', filter: text, text: (row) => row.units },
  {
    id: 'denials',
    header: 'Denials',
    width: 92,
    kind: 'number',
    filter: number,
    text: (row) => countText(row.denials),
  },
  { id: 'reasonsText', header: 'Reasons', width: 220, filter: text, text: (row) => row.reasonsText },
]
