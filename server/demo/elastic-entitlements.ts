import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { CURRENT_RATES, FORMER_RATES } from '#server/demo/catalog.demo.ts'
import { type EntitlementRow, entitlementRow } from '#server/demo/entitlement-row.ts'
import { lease } from '#server/demo/entitlement-term.ts'
import { ELASTIC_UNITS } from '#server/demo/products.ts'

type Elastic = {
  /** With the customer number this gives the activation id on which usage is booked. */
  readonly purpose: string
  readonly from: number
  readonly to: number
  readonly lines: number
  readonly unitsPerLine: number
  readonly currency?: 'AEU' | 'AEC'
  readonly rates?: string
  readonly state?: 'Draft'
}

/**
 * Those that end first are drawn on first, so the fuller ones end earlier.
 * How much of each is used is the business of the usage data; the purposes say what it has to come to.
 */
const AERODYNE: readonly Elastic[] = [
  { purpose: 'elastic, used up', from: -300, to: 20, lines: 1, unitsPerLine: 5000 },
  { purpose: 'elastic, 95 % used', from: -240, to: 55, lines: 2, unitsPerLine: 10000 },
  { purpose: 'elastic, 80 % used', from: -200, to: 110, lines: 5, unitsPerLine: 5000 },
  { purpose: 'elastic, partly used', from: -150, to: 214, lines: 10, unitsPerLine: 10000 },
  { purpose: 'elastic, other currency', from: -90, to: 274, lines: 3, unitsPerLine: 2500.5, currency: 'AEC' },
  { purpose: 'elastic, unused', from: -5, to: 359, lines: 1, unitsPerLine: 1000 },
  { purpose: 'elastic, ends today', from: -364, to: 0, lines: 2, unitsPerLine: 4000, rates: FORMER_RATES },
  { purpose: 'elastic, expired yesterday', from: -365, to: -1, lines: 4, unitsPerLine: 2500, rates: FORMER_RATES },
  { purpose: 'elastic, of last year', from: -760, to: -396, lines: 8, unitsPerLine: 5000, rates: FORMER_RATES },
  { purpose: 'elastic, starts tomorrow', from: 1, to: 365, lines: 5, unitsPerLine: 10000 },
  { purpose: 'elastic, not yet deployed', from: -1, to: 363, lines: 1, unitsPerLine: 9999, state: 'Draft' },
]

const NIMBUS: readonly Elastic[] = [
  { purpose: 'elastic, nearly used up', from: -280, to: 84, lines: 6, unitsPerLine: 5000 },
  { purpose: 'elastic, of last year', from: -640, to: -276, lines: 3, unitsPerLine: 5000, rates: FORMER_RATES },
]

/** What is over: it still counts as having elastic. */
const HERITAGE: readonly Elastic[] = [
  { purpose: 'elastic, of last year', from: -700, to: -336, lines: 1, unitsPerLine: 3000, rates: FORMER_RATES },
]

const SMALL: readonly Elastic[] = [{ purpose: 'elastic', from: -100, to: 264, lines: 1, unitsPerLine: 2000 }]

const BY_ACCOUNT: Readonly<Record<string, readonly Elastic[]>> = {
  '100001': AERODYNE,
  '100007': NIMBUS,
  '100008': HERITAGE,
}

export function elasticEntitlements(customerNumber: string, today: CalendarDay): EntitlementRow[] {
  return (BY_ACCOUNT[customerNumber] ?? SMALL).map((one) =>
    entitlementRow(
      { customerNumber, purpose: one.purpose },
      {
        product: ELASTIC_UNITS,
        licenseModel: 'Elastic-AEU',
        term: lease(today, one.from, one.to),
        quantity: one.lines,
      },
      {
        units_per_line: one.unitsPerLine,
        currency: one.currency ?? 'AEU',
        rate_table_version: one.rates ?? CURRENT_RATES,
        state: one.state ?? 'Deployed',
      },
    ),
  )
}
