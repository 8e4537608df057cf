import Big from 'big.js'

/**
 * Exact decimals for money, units and hours: nothing here passes through binary floating point. A result is plain text
 * such as "1234.5", which JSON, SQL's numeric and the browser all keep as it is. The only importer of big.js.
 */
export type Decimal = string | number

const PLAIN = /^-?(?:\d+(?:\.\d+)?|\.\d+)$/
const MAX_DIGITS = 40

/** What somebody typed or a file says, or undefined if it is no plain decimal number. "1e5" and "1,000" are none. */
export function parseDecimal(text: string): string | undefined {
  const trimmed = text.trim()
  return PLAIN.test(trimmed) && trimmed.length <= MAX_DIGITS ? toText(new Big(trimmed)) : undefined
}

/** Without exponent or trailing zeros: 30.00 is "30". */
export const toPlainText = (value: Decimal): string => toText(new Big(value))

export const add = (one: Decimal, other: Decimal): string => toText(new Big(one).plus(other))
export const subtract = (one: Decimal, other: Decimal): string => toText(new Big(one).minus(other))
export const multiply = (one: Decimal, other: Decimal): string => toText(new Big(one).times(other))

export function sum(values: Iterable<Decimal>): string {
  let total = new Big(0)
  for (const value of values) total = total.plus(value)
  return toText(total)
}

/** Negative, zero or positive, as a sort function wants it. */
export const compare = (one: Decimal, other: Decimal): number => new Big(one).cmp(other)

/** Rounds away from zero at exactly one half: 0.005 is 0.01 and -0.005 is -0.01. */
export const roundHalfUp = (value: Decimal, places: number): string =>
  toText(new Big(value).round(places, Big.roundHalfUp))

/** The exact quotient, rounded once. */
export function divideHalfUp(value: Decimal, divisor: Decimal, places: number): string {
  const Rounding = Big()
  Rounding.DP = places
  Rounding.RM = Big.roundHalfUp
  return toText(new Rounding(value).div(divisor))
}

/** With a fixed number of decimals and without thousands separators, as in files and on the wire. */
export const toFixedText = (value: Decimal, places: number): string =>
  toText(new Big(value).round(places, Big.roundHalfUp), places)

/** With thousands separators, for people: "1,234,567.50". */
export function formatDecimal(value: Decimal, places: number): string {
  const [whole = '', decimals] = toFixedText(value, places).split('.')
  let grouped = whole
  for (let at = whole.length - 3; at > (whole.startsWith('-') ? 1 : 0); at -= 3)
    grouped = `${grouped.slice(0, at)},${grouped.slice(at)}`
  return decimals === undefined ? grouped : `${grouped}.${decimals}`
}

const HUNDREDTHS = /^(-?)(\d+)(?:\.(\d{1,2})0*)?$/

/** An amount with at most two decimals as a whole number. Thousands of amounts are added up many times faster this way. */
export function toHundredths(amount: string): bigint {
  const [, sign, whole = '', decimals = ''] = HUNDREDTHS.exec(amount) ?? []
  if (sign === undefined) throw new Error(`${amount} has more than two decimals`)
  return BigInt(`${sign}${whole}${decimals.padEnd(2, '0')}`)
}

/** With two decimals: -5n is "-0.05". */
export function formatHundredths(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** big.js keeps the sign of a negative number that was rounded to zero; a balance of "-0.00" would puzzle people. */
function toText(value: Big, places?: number): string {
  return (value.eq(0) ? value.abs() : value).toFixed(places)
}
