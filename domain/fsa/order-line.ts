import { type CalendarDay, isCalendarDay } from '#domain/calendar/calendar-day.ts'
import { type FsaContract, findProduct, minimumStartDate } from '#domain/fsa/contract.ts'
import type { Duration } from '#domain/fsa/duration.ts'
import { type DurationOption, durationOptions, longestFitting } from '#domain/fsa/duration-options.ts'
import { divideHalfUp, multiply, sum, toFixedText } from '#domain/money/decimal.ts'

/** The part number of every manual line. */
export const MANUAL_PART_NUMBER = 'FSA0030216'
/** Maximum number of lines: more than anybody edits at once. */
export const MAX_LINES = 100

/** A line of the order editor. What has not been filled in is null or empty. */
export type OrderLine = {
  readonly partNumber: string | null
  readonly productName: string
  /** Null where business operations chose another end. */
  readonly duration: Duration | null
  /** Null while the field is empty, which counts as 1. */
  readonly count: number | null
  readonly startDate: CalendarDay
  readonly endDate: CalendarDay
  /** Exact decimals. */
  readonly unitCost: string | null
  readonly cost: string | null
  readonly currency: string
  /** Entered by business operations: changes the balance and cannot be activated. */
  readonly isManual: boolean
}

type Terms = Pick<FsaContract, 'startDate' | 'endDate' | 'currency' | 'products'>

export const countOf = ({ count }: Pick<OrderLine, 'count'>): number => count ?? 1

/** Unit cost times count, to the cent. */
export function lineCost(unitCost: string, count: number): string {
  return toFixedText(multiply(unitCost, count), 2)
}

/** What lines cost together, also those that cannot be ordered as they are; with two decimals. */
export function linesCost(lines: readonly Pick<OrderLine, 'cost'>[]): string {
  return toFixedText(sum(lines.map(({ cost }) => cost ?? 0)), 2)
}

export function blankLine({ currency }: Pick<FsaContract, 'currency'>): OrderLine {
  return {
    partNumber: null,
    productName: '',
    duration: null,
    count: 1,
    startDate: '',
    endDate: '',
    unitCost: null,
    cost: null,
    currency,
    isManual: false,
  }
}

/** A manual line begins with the longest term that the contract still allows; business operations enter its cost. */
export function blankManualLine(contract: Terms, today: CalendarDay): OrderLine {
  return {
    ...blankLine(contract),
    partNumber: MANUAL_PART_NUMBER,
    startDate: minimumStartDate(contract, today),
    endDate: contract.endDate,
    isManual: true,
  }
}

/** Choosing another product resets the line: count 1, the first possible day, the longest period that fits. */
export function changeProduct(line: OrderLine, partNumber: string, contract: Terms, today: CalendarDay): OrderLine {
  const product = findProduct(contract, partNumber)
  const startDate = minimumStartDate(contract, today)
  const option = product && longestFitting(durationOptions(product, startDate, contract.endDate))
  const changed = { ...line, partNumber, productName: product?.name ?? '', count: 1, startDate }
  // In a manual line, a standard product is only the name of what is booked by hand.
  if (line.isManual) return { ...changed, partNumber: MANUAL_PART_NUMBER }
  return withOption(changed, option)
}

export function changeCount(line: OrderLine, count: number | null): OrderLine {
  return withCost({ ...line, count })
}

/** The duration stays if it still fits; otherwise the longest one that does takes its place. */
export function changeStartDate(line: OrderLine, startDate: CalendarDay, contract: Terms): OrderLine {
  if (line.isManual) return { ...line, startDate }
  const options = optionsOf({ ...line, startDate }, contract)
  const option = options.find(({ duration }) => duration === line.duration) ?? longestFitting(options)
  return withOption({ ...line, startDate }, option)
}

export function changeDuration(line: OrderLine, duration: Duration, contract: Terms): OrderLine {
  return withOption(
    line,
    optionsOf(line, contract).find((option) => option.duration === duration),
  )
}

/** Business operations only: the end no longer follows from a duration. */
export function changeEndDate(line: OrderLine, endDate: CalendarDay, contract: Terms): OrderLine {
  const duration = optionsOf(line, contract).find((option) => option.endDate === endDate)?.duration ?? null
  return { ...line, endDate, duration }
}

/** Business operations only. */
export function changeUnitCost(line: OrderLine, unitCost: string | null): OrderLine {
  return withCost({ ...line, unitCost })
}

/** Business operations only: the unit cost follows. */
export function changeCost(line: OrderLine, cost: string | null): OrderLine {
  const count = countOf(line)
  return { ...line, cost, unitCost: cost === null || count <= 0 ? null : unitCostOf(cost, count) }
}

/** To the cent. The cost may not be a multiple of it. */
export const unitCostOf = (cost: string, count: number): string => toFixedText(divideHalfUp(cost, count, 2), 2)

/** What the duration field of a line offers; nothing while the start is not a day. */
export function optionsOf(line: Pick<OrderLine, 'partNumber' | 'startDate'>, contract: Terms): DurationOption[] {
  const product = line.partNumber === null ? undefined : findProduct(contract, line.partNumber)
  return product && isCalendarDay(line.startDate) ? durationOptions(product, line.startDate, contract.endDate) : []
}

function withOption(line: OrderLine, option: DurationOption | undefined): OrderLine {
  if (!option) return { ...line, duration: null, endDate: '', unitCost: null, cost: null }
  const { duration, endDate, unitCost } = option
  return withCost({ ...line, duration, endDate, unitCost })
}

function withCost(line: OrderLine): OrderLine {
  const { unitCost } = line
  const count = countOf(line)
  const hasCost = unitCost !== null && Number.isInteger(count) && count > 0
  return { ...line, cost: hasCost ? lineCost(unitCost, count) : null }
}
