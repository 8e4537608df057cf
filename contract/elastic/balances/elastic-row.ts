import { BALANCE_ROW_FIELDS, type BalanceRow, termCells, usedCells } from '#contract/entitlements/balance-row.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { USUAL_WINDOW, type WindowForecast } from '#domain/elastic/balances/run-out.ts'
import { isElasticActive } from '#domain/entitlements/activity.ts'
import {
  type ElasticUnits,
  overdrawnUnits,
  shownRemaining,
  totalUnits,
  unitsUsedPercentage,
} from '#domain/entitlements/elastic-balance.ts'
import type { Term } from '#domain/entitlements/term.ts'
import type { Fields } from '#domain/filter/fields.ts'
import type { SortInput } from '#domain/filter/filter.ts'

/** Elastic units as the API answers them; the names are the wire's. */
export type ElasticEntitlement = {
  readonly ActivationId: string
  readonly 'CA[ENT|ansysproduct]': string
  readonly 'CA[ENT|ansyscount]': number
  readonly 'CA[ENT|ansysratetableversion]': string
  readonly 'CA[ENT|ansysponum]': string
  readonly LineItemQuantity: number
  readonly StartDate: CalendarDay
  readonly EndDate: CalendarDay | null
  readonly Currency: string
  readonly Used: number
  readonly LicenseModel: string
  readonly EntitlementState: string
}

/** An elastic entitlement as the screens show it; the names are those that saved views know the columns by. */
export type ElasticRow = BalanceRow & {
  readonly activationid: string
  readonly ansyscount: number
  readonly ansysratetableversion: string
  readonly ansysponum: string
  /** What was used beyond the total; remaining is 0 then. */
  readonly overdrawn: number
  /**
   * The day on which the units are used up at the rate of the usual window; null if that is not foreseen or not yet
   * known.
   */
  readonly usedupon: CalendarDay | null
  /** Empty if the term is over, or while the forecast is not known. */
  readonly runouts: readonly WindowForecast[]
}

/**
 * The columns by their fields: the browser filters and sorts loaded rows by them, and the server does the same for an
 * export.
 */
export const ELASTIC_ROW_FIELDS = {
  ...BALANCE_ROW_FIELDS,
  activationid: { type: 'text' },
  ansyscount: { type: 'number' },
  ansysratetableversion: { type: 'text' },
  ansysponum: { type: 'text' },
  usedupon: { type: 'day' },
} as const satisfies Fields & Partial<Record<keyof ElasticRow, unknown>>

/** Remaining days are a number or a word; their order is that of the end. */
export function elasticSorting(sorting: readonly SortInput[]): SortInput[] {
  return sorting.map((rule) => (rule.name === 'remainingdays' ? { ...rule, name: 'enddate' } : rule))
}

export function elasticRow(
  entitlement: ElasticEntitlement,
  today: CalendarDay,
  runouts: readonly WindowForecast[] = [],
): ElasticRow {
  const usual = runouts.find(({ window }) => window === USUAL_WINDOW)?.runOut
  const term: Term = { startDate: entitlement.StartDate, endDate: entitlement.EndDate }
  const units: ElasticUnits = {
    lines: entitlement.LineItemQuantity,
    unitsPerLine: entitlement['CA[ENT|ansyscount]'],
    used: entitlement.Used,
  }
  return {
    ...termCells(term, today),
    ...usedCells(unitsUsedPercentage(units)),
    activationid: entitlement.ActivationId,
    ansysproduct: entitlement['CA[ENT|ansysproduct]'],
    ansyscount: entitlement['CA[ENT|ansyscount]'],
    enddate: term.endDate,
    quantity: Number(totalUnits(units)),
    remaining: shownRemaining(units),
    overdrawn: overdrawnUnits(units),
    used: entitlement.Used,
    currency: entitlement.Currency,
    ansysratetableversion: shownRateTable(entitlement['CA[ENT|ansysratetableversion]']),
    ansysponum: entitlement['CA[ENT|ansysponum]'],
    usedupon: usual?.kind === 'runs out' ? usual.on : null,
    runouts,
    isActive: isElasticActive(term, units, today),
  }
}

/** '2026R1.3' is shown as '2026R1': customers need not know the revisions of a rate table. */
function shownRateTable(version: string): string {
  return version.split('.', 1)[0] ?? ''
}
