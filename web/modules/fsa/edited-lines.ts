import type { Draft } from '#contract/fsa/drafts.ts'
import { readOrderLine, toWireOrderLine, type WireOrderLine } from '#contract/fsa/order-entitlements.ts'
import { type CalendarDay, isCalendarDay } from '#domain/calendar/calendar-day.ts'
import { decideOrder, type OrderDecision } from '#domain/fsa/check-order.ts'
import { type FsaContract, minimumStartDate } from '#domain/fsa/contract.ts'
import { changeStartDate, linesCost, type OrderLine } from '#domain/fsa/order-line.ts'
import { type EditedField, priceChanged, priceWas } from '#domain/fsa/order-texts.ts'
import { repriceLine } from '#domain/fsa/reprice-line.ts'
import { compare, subtract, toFixedText } from '#domain/money/decimal.ts'

/** A line of the editor. */
export type EditedLine = {
  readonly key: number
  readonly line: OrderLine
  /** Why the server refused it, until it is changed. */
  readonly refusal?: string | undefined
  /** What happened to it since it was saved, until it is changed. */
  readonly note?: string | undefined
}

/** The line and field that were changed last. */
export type LastEdit = { readonly key: number; readonly field: EditedField }

type Terms = { contract: FsaContract; today: CalendarDay; isBusops: boolean; available: string }

/** Nothing was chosen or entered in it yet. */
export function isBlank({ partNumber, productName, isManual, cost }: OrderLine): boolean {
  return isManual ? productName === '' && cost === null : partNumber === null
}

export function decideLines(lines: readonly EditedLine[], terms: Terms, edit: LastEdit | undefined): OrderDecision {
  const index = lines.findIndex(({ key }) => key === edit?.key)
  return decideOrder(
    lines.map(({ line }) => line),
    terms,
    edit && index >= 0 ? { index, field: edit.field } : undefined,
  )
}

export type OrderFigures = {
  readonly totalCost: string
  /** Negative if the balance does not suffice. */
  readonly balanceAfter: string
  readonly isTooExpensive: boolean
}

/** What all lines together cost, also those that cannot be ordered as they are, and what that leaves of the balance. */
export function orderFigures(lines: readonly EditedLine[], available: string): OrderFigures {
  const totalCost = linesCost(lines.map(({ line }) => line))
  const balanceAfter = toFixedText(subtract(available, totalCost), 2)
  return { totalCost, balanceAfter, isTooExpensive: compare(totalCost, available) > 0 }
}

/** What is kept of lines in a draft: those in which something was chosen. */
export function wireLines(lines: readonly EditedLine[]): WireOrderLine[] {
  return lines.flatMap(({ line }) => (isBlank(line) ? [] : [toWireOrderLine(line)]))
}

/** The lines of a draft at the prices of today. */
export function linesOfDraft(
  { products }: Pick<Draft, 'products'>,
  contract: FsaContract,
  isBusops: boolean,
): Omit<EditedLine, 'key'>[] {
  return products.map((product) => {
    const { line, formerCost } = repriceLine(readOrderLine(product, contract), contract, isBusops)
    return { line, note: formerCost === undefined ? undefined : priceWas(formerCost, contract.currency) }
  })
}

/**
 * The price list may change while lines are edited. They follow it with a note, in place of a refusal: they can be ordered
 * at the new price.
 */
export function atCurrentPrices(
  lines: readonly EditedLine[],
  { contract, today, isBusops }: Omit<Terms, 'available'>,
): readonly EditedLine[] {
  return lines.map((one) => {
    if (!isPossibleStart(one.line.startDate, contract, today)) return one
    const { line, formerCost } = repriceLine(one.line, contract, isBusops)
    if (formerCost === undefined || line.cost === null) return one
    return { key: one.key, line, note: priceChanged(line.cost, contract.currency) }
  })
}

/** Whether an order can start on a day. */
export function isPossibleStart(day: CalendarDay, contract: FsaContract, today: CalendarDay): boolean {
  return isCalendarDay(day) && day >= minimumStartDate(contract, today) && day <= contract.endDate
}

/** While the start is not possible, all other fields keep their values. */
export function changeStart(line: OrderLine, day: CalendarDay, contract: FsaContract, today: CalendarDay): OrderLine {
  return isPossibleStart(day, contract, today) ? changeStartDate(line, day, contract) : { ...line, startDate: day }
}

/** The error shown at each line; none while the line is blank. */
export function shownErrors(lines: readonly EditedLine[], { errors }: OrderDecision): (string | undefined)[] {
  return lines.map(({ line, refusal }, index) => refusal ?? (isBlank(line) ? undefined : errors[index]?.message))
}

/** Why the order cannot be placed as it is. */
export function orderProblem(lines: readonly EditedLine[], decision: OrderDecision): string | undefined {
  if (lines.length === 0) return 'Add a product first.'
  if (lines.some(({ line }) => isBlank(line))) return 'Choose a product in every line, or remove the empty lines.'
  if (shownErrors(lines, decision).some(Boolean)) return 'Some lines cannot be ordered as they are.'
  return undefined
}

/** No further line fits. */
export const isOverBalance = ({ errors }: OrderDecision): boolean =>
  errors.some((error) => error?.code === 'INSUFFICIENT_BALANCE')

export type LineResult = { readonly status?: string; readonly err?: string }

/** After an order that did not succeed as a whole: what was refused, each line with its reason. */
export function refusedLines(lines: readonly EditedLine[], results: readonly LineResult[]): EditedLine[] {
  return lines.flatMap((one, index) => {
    const result = results[index]
    return result?.status === 'SUCCESS' ? [] : [{ ...one, refusal: result?.err }]
  })
}
