import { BALANCE_ROW_FIELDS, type BalanceRow, termCells, usedCells } from '#contract/entitlements/balance-row.ts'
import type { WireFsaEntitlement } from '#contract/fsa/entitlements.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { Fields } from '#domain/filter/fields.ts'
import { remainingAmount, spentPercentage } from '#domain/fsa/balance.ts'
import { entryKind, isFsaActive } from '#domain/fsa/entry.ts'
import { sum } from '#domain/money/decimal.ts'

/** A contract as the screens show it; the names are those that saved views know the columns by. */
export type ContractRow = BalanceRow & {
  readonly entitlementId: string
  readonly enddate: CalendarDay
}

/** The columns by their fields: the browser filters and sorts loaded rows by them. */
export const CONTRACT_ROW_FIELDS = {
  ...BALANCE_ROW_FIELDS,
  entitlementId: { type: 'text' },
} as const satisfies Fields & Partial<Record<keyof ContractRow, unknown>>

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
    ...termCells(term, today),
    ...usedCells(percentage),
    entitlementId: contract.EntitlementID,
    ansysproduct: contract.ProductName,
    enddate: term.endDate,
    quantity: Number(price),
    remaining: Number(remainingAmount(price, used)),
    used: Number(used),
    currency: contract.ansyscurrency,
    isActive: isFsaActive(term, percentage, today),
  }
}
