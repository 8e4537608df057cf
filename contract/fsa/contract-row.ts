import { type BarColor, daysLeftColor, usedPercentageColor } from '#contract/entitlements/bar-color.ts'
import type { WireFsaEntitlement } from '#contract/fsa/entitlements.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { daysLeft, type Remaining, remainingDays, usedDays, usedDaysPercentage } from '#domain/entitlements/term.ts'
import type { Fields } from '#domain/filter/fields.ts'
import type { SortInput } from '#domain/filter/filter.ts'
import { remainingAmount, spentPercentage } from '#domain/fsa/balance.ts'
import { entryKind, isFsaActive } from '#domain/fsa/entry.ts'
import { sum } from '#domain/money/decimal.ts'

/** A contract as the screens show it; the names are those that saved views know the columns by. */
export type ContractRow = {
  readonly entitlementId: string
  readonly ansysproduct: string
  readonly startdate: CalendarDay
  readonly enddate: CalendarDay
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
  readonly isActive: boolean
}

/** What the columns hold: the browser filters and sorts loaded rows by it. */
export const CONTRACT_ROW_FIELDS = {
  entitlementId: { type: 'text' },
  ansysproduct: { type: 'text' },
  startdate: { type: 'day' },
  enddate: { type: 'day' },
  remainingdays: { type: 'text', sortable: false },
  quantity: { type: 'number' },
  remaining: { type: 'number' },
  used: { type: 'number' },
  currency: { type: 'text' },
  usedpercentage: { type: 'number' },
} as const satisfies Fields & Partial<Record<keyof ContractRow, unknown>>

/** The last to end first. */
export const CONTRACT_DEFAULT_SORT = [{ name: 'enddate', direction: 'desc' }] as const satisfies readonly SortInput[]

const kindOf = ({ ansyssubtype, manualentry, apimeta }: WireFsaEntitlement) =>
  entryKind({ subtype: ansyssubtype, fsaId: apimeta.fsaID, isManual: manualentry })

/** The contracts among the entitlements, each with the sum of what was ordered from it. */
export function contractRows(entitlements: readonly WireFsaEntitlement[], today: CalendarDay): ContractRow[] {
  const drawn = Map.groupBy(entitlements, ({ apimeta }) => apimeta.fsaID)
  return entitlements
    .filter((one) => kindOf(one) === 'contract')
    .map((contract) => contractRow(contract, drawn.get(contract.EntitlementID) ?? [], today))
}

function contractRow(
  contract: WireFsaEntitlement,
  drawn: readonly WireFsaEntitlement[],
  today: CalendarDay,
): ContractRow {
  const term = { startDate: contract.StartDate, endDate: contract.EndDate }
  const price = contract.ansysprice
  const used = sum(drawn.map(({ ansysprice }) => ansysprice))
  const percentage = spentPercentage(price, used)
  return {
    entitlementId: contract.EntitlementID,
    ansysproduct: contract.ProductName,
    startdate: term.startDate,
    enddate: term.endDate,
    remainingdays: remainingDays(term, today),
    usedDays: usedDays(term, today),
    usedDaysPercentage: usedDaysPercentage(term, today),
    remainingdayscolor: daysLeftColor(daysLeft(term.endDate, today)),
    quantity: Number(price),
    remaining: Number(remainingAmount(price, used)),
    used: Number(used),
    currency: contract.ansyscurrency,
    usedpercentage: percentage,
    usedpercentagecolor: usedPercentageColor(percentage),
    isActive: isFsaActive(term, percentage, today),
  }
}
