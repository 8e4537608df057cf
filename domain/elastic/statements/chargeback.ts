import { currenciesByUse } from '#domain/elastic/statements/currencies-by-use.ts'
import { compare, divideHalfUp, multiply, sum, toFixedText } from '#domain/money/decimal.ts'

/** The dimensions by which the usage of a period is charged back. */
export const CHARGEBACK_DIMENSIONS = ['project', 'user', 'host', 'product'] as const
export type ChargebackDimension = (typeof CHARGEBACK_DIMENSIONS)[number]

/** Labels as on the usage screen. */
export const CHARGEBACK_LABELS: Readonly<Record<ChargebackDimension, string>> = {
  project: 'Project',
  user: 'Username',
  host: 'Hostname',
  product: 'Product',
}

/** Shown for usage without a project. No other dimension can be missing. */
export const NO_PROJECT = 'No project'

/** What one project, user, host or product used in one currency. Units and hours are exact decimals. */
export type ChargebackLine = {
  /** Empty for usage that names no project. */
  readonly name: string
  readonly currency: string
  readonly used: string
  readonly hours: string
  readonly transactions: number
}
export type ChargebackRow = ChargebackLine & {
  /** Percent of the usage in the currency, to one decimal; null if there was none. */
  readonly share: string | null
}
export type ChargebackTotal = Omit<ChargebackLine, 'name'>
export type Chargeback = {
  /** The most used currency first, and in it who used the most. */
  readonly rows: readonly ChargebackRow[]
  /** One for each currency. */
  readonly totals: readonly ChargebackTotal[]
}

export function createChargeback(lines: readonly ChargebackLine[]): Chargeback {
  const currencies = currenciesByUse(lines)
  const totals = currencies.map((currency) => totalOf(currency, lines))
  const used = new Map(totals.map((total) => [total.currency, total.used]))
  const rows = lines
    .map((line) => ({ ...line, share: shareOf(line.used, used.get(line.currency) ?? '0') }))
    .sort(
      (one, other) =>
        currencies.indexOf(one.currency) - currencies.indexOf(other.currency) ||
        compare(other.used, one.used) ||
        byText(one.name, other.name),
    )
  return { rows, totals }
}

function totalOf(currency: string, lines: readonly ChargebackLine[]): ChargebackTotal {
  const own = lines.filter((line) => line.currency === currency)
  return {
    currency,
    used: sum(own.map((line) => line.used)),
    hours: sum(own.map((line) => line.hours)),
    transactions: own.reduce((before, line) => before + line.transactions, 0),
  }
}

function shareOf(used: string, total: string): string | null {
  return compare(total, 0) > 0 ? toFixedText(divideHalfUp(multiply(used, 100), total, 1), 1) : null
}

const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
