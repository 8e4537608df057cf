import { type BarColor, daysLeftColor, usedPercentageColor } from '#contract/entitlements/bar-color.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { isElasticActive } from '#domain/entitlements/activity.ts'
import {
  type ElasticUnits,
  shownRemaining,
  totalUnits,
  unitsUsedPercentage,
} from '#domain/entitlements/elastic-balance.ts'
import {
  daysLeft,
  type Remaining,
  remainingDays,
  type Term,
  usedDays,
  usedDaysPercentage,
} from '#domain/entitlements/term.ts'
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

/** The same as the screens show it; the names are those that saved views know the columns by. */
export type ElasticRow = {
  readonly activationid: string
  readonly ansysproduct: string
  readonly ansyscount: number
  readonly startdate: CalendarDay
  readonly enddate: CalendarDay | null
  readonly remainingdays: Remaining
  readonly usedDays: number
  readonly usedDaysPercentage: number
  readonly remainingdayscolor: BarColor
  readonly quantity: number
  readonly remaining: number
  readonly used: number
  readonly currency: string
  readonly usedpercentage: number
  readonly usedpercentagecolor: BarColor
  readonly ansysratetableversion: string
  readonly ansysponum: string
  readonly isActive: boolean
}

/** What the columns hold: the browser filters and sorts loaded rows by it, the server the same rows for an export. */
export const ELASTIC_ROW_FIELDS = {
  activationid: { type: 'text' },
  ansysproduct: { type: 'text' },
  ansyscount: { type: 'number' },
  startdate: { type: 'day' },
  enddate: { type: 'day' },
  remainingdays: { type: 'text', sortable: false },
  quantity: { type: 'number' },
  remaining: { type: 'number' },
  used: { type: 'number' },
  currency: { type: 'text' },
  usedpercentage: { type: 'number' },
  ansysratetableversion: { type: 'text' },
  ansysponum: { type: 'text' },
} as const satisfies Fields & Partial<Record<keyof ElasticRow, unknown>>

/** The newest first. */
export const ELASTIC_DEFAULT_SORT = [{ name: 'enddate', direction: 'desc' }] as const satisfies readonly SortInput[]

/** Remaining days are a number or a word; their order is that of the end. */
export function elasticSorting(sorting: readonly SortInput[]): SortInput[] {
  return sorting.map((rule) => (rule.name === 'remainingdays' ? { ...rule, name: 'enddate' } : rule))
}

export function elasticRow(entitlement: ElasticEntitlement, today: CalendarDay): ElasticRow {
  const term: Term = { startDate: entitlement.StartDate, endDate: entitlement.EndDate }
  const units: ElasticUnits = {
    lines: entitlement.LineItemQuantity,
    unitsPerLine: entitlement['CA[ENT|ansyscount]'],
    used: entitlement.Used,
  }
  const percentage = unitsUsedPercentage(units)
  return {
    activationid: entitlement.ActivationId,
    ansysproduct: entitlement['CA[ENT|ansysproduct]'],
    ansyscount: entitlement['CA[ENT|ansyscount]'],
    startdate: entitlement.StartDate,
    enddate: entitlement.EndDate,
    remainingdays: remainingDays(term, today),
    usedDays: usedDays(term, today),
    usedDaysPercentage: usedDaysPercentage(term, today),
    remainingdayscolor: daysLeftColor(term.endDate === null ? null : daysLeft(term.endDate, today)),
    quantity: Number(totalUnits(units)),
    remaining: shownRemaining(units),
    used: entitlement.Used,
    currency: entitlement.Currency,
    usedpercentage: percentage,
    usedpercentagecolor: usedPercentageColor(percentage),
    ansysratetableversion: shownRateTable(entitlement['CA[ENT|ansysratetableversion]']),
    ansysponum: entitlement['CA[ENT|ansysponum]'],
    isActive: isElasticActive(term, units, today),
  }
}

/** '2026R1.3' is shown as '2026R1': revisions of a rate table are the vendor's own affair. */
function shownRateTable(version: string): string {
  return version.split('.', 1)[0] ?? ''
}
