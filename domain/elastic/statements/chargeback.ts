import { userKey } from '#domain/elastic/limits/limit.ts'
import { currenciesByUse } from '#domain/elastic/statements/currencies-by-use.ts'
import { compare, divideHalfUp, multiply, sum, toFixedText } from '#domain/money/decimal.ts'
import type { PersonDimension, PersonFacts } from '#domain/provisioning/person-facts.ts'

/** The dimensions by which the usage of a period is charged back. */
export const CHARGEBACK_DIMENSIONS = ['project', 'user', 'host', 'product', 'department', 'costCenter'] as const
export type ChargebackDimension = (typeof CHARGEBACK_DIMENSIONS)[number]

/** Labels as on the usage screen. */
export const CHARGEBACK_LABELS: Readonly<Record<ChargebackDimension, string>> = {
  project: 'Project',
  user: 'Username',
  host: 'Hostname',
  product: 'Product',
  department: 'Department',
  costCenter: 'Cost center',
}

/** Shown for usage without one. Users, hosts and products are never missing. */
export const MISSING_NAME: Partial<Readonly<Record<ChargebackDimension, string>>> = {
  project: 'No project',
  department: 'No department',
  costCenter: 'No cost center',
}

/** One of it and several, in words. */
export const CHARGEBACK_NOUNS: Readonly<Record<ChargebackDimension, readonly [one: string, several: string]>> = {
  project: ['project', 'projects'],
  user: ['user', 'users'],
  host: ['host', 'hosts'],
  product: ['product', 'products'],
  department: ['department', 'departments'],
  costCenter: ['cost center', 'cost centers'],
}

/** What one project, user, host, product, department or cost center used in one currency. Units and hours are exact decimals. */
export type ChargebackLine = {
  /** Empty for usage that names none. */
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

/** What users used, by something that each of them belongs to; empty for those who belong to none. */
export function byPerson(
  users: readonly ChargebackLine[],
  people: ReadonlyMap<string, PersonFacts>,
  by: PersonDimension,
): ChargebackLine[] {
  const nameOf = (user: string) => people.get(userKey(user))?.[by] ?? ''
  const groups = Map.groupBy(users, ({ name, currency }) => JSON.stringify([nameOf(name), currency]))
  return [...groups.values()].map((lines) => ({
    name: nameOf(lines[0]?.name ?? ''),
    ...totalOf(lines[0]?.currency ?? '', lines),
  }))
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
