import { type CalendarDay, isCalendarDay } from '#domain/calendar/calendar-day.ts'
import { type FsaContract, findProduct } from '#domain/fsa/contract.ts'
import { durationOptions } from '#domain/fsa/duration-options.ts'
import { countOf, lineCost, type OrderLine, unitCostOf } from '#domain/fsa/order-line.ts'
import * as texts from '#domain/fsa/order-texts.ts'
import { compare, parseDecimal, roundHalfUp } from '#domain/money/decimal.ts'

/** The code is for programs, the message for people. */
export type LineError = {
  readonly code:
    | 'INVALID_ORDER_LINE'
    | 'PRODUCT_NOT_OFFERED'
    | 'PRICE_CHANGED'
    | 'DUPLICATE_LINE'
    | 'INSUFFICIENT_BALANCE'
  readonly message: string
}

export type OrderTerms = {
  readonly contract: FsaContract
  readonly today: CalendarDay
  /** Business operations may enter manual lines, and their own end and cost on any line. */
  readonly isBusops: boolean
}

const invalid = (message: string): LineError => ({ code: 'INVALID_ORDER_LINE', message })

/** Checks a single line, without the other lines and the balance. */
export function checkLine(line: OrderLine, terms: OrderTerms): LineError | undefined {
  const { contract, today } = terms
  if (!hasProduct(line) || line.currency === '') return invalid(texts.INVALID_ORDER)
  const count = countOf(line)
  if (!Number.isInteger(count) || count <= 0) return invalid(texts.COUNT_INVALID)
  if (count > texts.MAX_COUNT) return invalid(texts.COUNT_TOO_LARGE)
  if (!isPossibleDay(line.startDate, contract, today)) return invalid(texts.START_DATE_INVALID)
  if (!isPossibleDay(line.endDate, contract, today)) return invalid(texts.END_DATE_INVALID)
  if (line.endDate <= line.startDate) return invalid(texts.END_BEFORE_START)
  if (line.currency !== contract.currency) return invalid(texts.wrongCurrency(contract.currency))
  if (line.cost === null) return invalid(texts.INVALID_ORDER)
  if (!isAmount(line.cost) || !isAmount(line.unitCost ?? '0')) return invalid(texts.COST_INVALID)
  return line.isManual ? checkEnteredCost(line.cost, count, contract) : checkPrice(line, line.cost, count, terms)
}

function hasProduct({ partNumber, productName, isManual }: OrderLine): boolean {
  return partNumber !== null && partNumber !== '' && (!isManual || productName !== '')
}

function isPossibleDay(day: CalendarDay, { startDate, endDate }: FsaContract, today: CalendarDay): boolean {
  return isCalendarDay(day) && day >= startDate && day <= endDate && day >= today
}

/** Not negative, and in whole cents. The balance limits how large it may be. */
function isAmount(cost: string): boolean {
  const amount = parseDecimal(cost)
  return amount !== undefined && compare(amount, 0) >= 0 && compare(amount, roundHalfUp(amount, 2)) === 0
}

/** The end must be that of an option, and the cost what the price list says; business operations may decide otherwise. */
function checkPrice(
  line: OrderLine,
  cost: string,
  count: number,
  { contract, isBusops }: OrderTerms,
): LineError | undefined {
  const product = findProduct(contract, line.partNumber ?? '')
  if (!product) return { code: 'PRODUCT_NOT_OFFERED', message: texts.PRODUCT_NOT_OFFERED }
  if (isBusops) return checkEnteredCost(cost, count, contract)
  const options = durationOptions(product, line.startDate, contract.endDate)
  const option = options.find(({ endDate }) => endDate === line.endDate)
  if (!option) return invalid(texts.END_DATE_INVALID)
  const price = lineCost(option.unitCost, count)
  if (compare(price, cost) === 0) return undefined
  return { code: 'PRICE_CHANGED', message: texts.priceChanged(price, contract.currency) }
}

/** Cost is unit cost times count, to the cent, for costs that business operations enter as well. */
function checkEnteredCost(cost: string, count: number, { currency }: FsaContract): LineError | undefined {
  const nearest = lineCost(unitCostOf(cost, count), count)
  return compare(nearest, cost) === 0 ? undefined : invalid(texts.costNotDivisible(count, nearest, currency))
}
