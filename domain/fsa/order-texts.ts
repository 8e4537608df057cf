import { formatDecimal } from '#domain/money/decimal.ts'

/** The largest integer that the database can store. */
export const MAX_COUNT = 2_147_483_647

/** What is wrong with an order line. The first texts are those that customers know. */
export const INVALID_ORDER = 'Invalid FSA Order'
export const COUNT_INVALID = 'Count should be a positive number.'
export const COUNT_TOO_LARGE = `More than ${formatDecimal(MAX_COUNT, 0)} cannot be ordered. Enter a lower count.`
export const START_DATE_INVALID = 'Start date is invalid.'
export const END_DATE_INVALID = 'End date is invalid.'
export const END_BEFORE_START = 'End Date can not be greater than start date'
export const DUPLICATE_LINE = 'Product with same attributes already exists.'
export const PRODUCT_NOT_OFFERED = 'This contract does not offer this product.'
export const COST_INVALID = 'Cost must be an amount of zero or more, with two decimals at most.'

/** Cost is unit cost times count. */
export const costNotDivisible = (count: number, nearest: string, currency: string): string =>
  `Cost must be the unit cost times the count. For a count of ${formatDecimal(count, 0)}, the nearest cost is ${formatDecimal(nearest, 2)} ${currency}.`

/** The field that was edited last is the one that made the order too expensive. */
export const EDITED_FIELDS = ['product', 'count', 'start date', 'duration', 'cost'] as const
export type EditedField = (typeof EDITED_FIELDS)[number]

export function insufficientBalance(field: EditedField): string {
  return `You do not have sufficient balance for the ${field === 'cost' ? 'entered' : 'selected'} ${field}.`
}

export const priceChanged = (cost: string, currency: string): string =>
  `The price has changed. This line now costs ${formatDecimal(cost, 2)} ${currency}.`

/** Shown next to a line of a draft that was changed to the current price. */
export const priceWas = (cost: string, currency: string): string =>
  `The price has changed. This line cost ${formatDecimal(cost, 2)} ${currency} when it was saved.`

export const wrongCurrency = (currency: string): string => `This contract is in ${currency}.`

/** The result of an order as a whole. */
export const ORDER_DONE = 'Entitlements successfully created.'
export const ORDER_INCOMPLETE =
  'Some entitlements were not successfully created. Please check for errors and try again.'
