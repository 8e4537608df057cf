import { type CalendarDay, isCalendarDay } from '#domain/calendar/calendar-day.ts'
import { type Limit, partsOf, SUBJECT_PARTS, type SubjectPart, userKey } from '#domain/elastic/limits/limit.ts'
import type { ProductRule } from '#domain/elastic/limits/product-rules.ts'
import { identity } from '#domain/elastic/limits/replay-limits.ts'
import { compare, parseDecimal, toFixedText } from '#domain/money/decimal.ts'
import { toPlainText } from '#domain/plain-text.ts'

export const MAX_LIMITS = 200
export const MAX_PRODUCT_RULES = 500
export const MAX_PRODUCTS_OF_RULE = 200
/** As long as in usage itself. */
export const MAX_LIMIT_NAME = 200

export const TOO_MANY_LIMITS = `At most ${MAX_LIMITS} limits can be saved.`
export const UNITS_WRONG = 'Enter units with at most two decimals, such as 500.'
export const REFUSE_WRONG = 'Enter more than 0 units with at most two decimals, such as 500.'
export const AMOUNT_REQUIRED = 'Enter units at which to refuse or to warn.'
export const WARN_ABOVE_REFUSE = 'Warn before starts are refused: enter fewer units than in "Refuse at".'
export const DAY_WRONG = 'Enter a day such as 2027-03-31.'
export const DAYS_REVERSED = '"From" must be before "To".'
export const LIMIT_TWICE = 'Another limit has the same subject, period and currency on the same days.'
export const CURRENCY_WRONG = 'Choose the currency of the units.'
export const RULE_TWICE = 'This user already has a rule.'
export const PRODUCTS_REQUIRED = 'Choose at least one product.'

/** A limit as it was typed: empty texts for what is not there. */
export type TypedLimit = Pick<Limit, 'subject' | 'period' | 'currency' | SubjectPart> & {
  readonly warnAt: string
  readonly refuseAt: string
  readonly from: string
  readonly to: string
}

export type LimitErrors = Partial<Record<'user' | 'currency' | 'warnAt' | 'refuseAt' | 'from' | 'to', string>>

/** Errors per row; a row without errors is an empty object. */
export function limitErrors(limits: readonly TypedLimit[]): LimitErrors[] {
  const errors = limits.map(errorsOf)
  const seen = new Map<string, Limit[]>()
  for (const [index, typed] of limits.entries()) {
    const own = errors[index] as LimitErrors
    if (Object.keys(own).length > 0) continue
    const limit = readLimit(typed)
    const others = seen.get(identity(limit)) ?? []
    if (others.some((other) => overlap(limit, other))) own.user = LIMIT_TWICE
    seen.set(identity(limit), [...others, limit])
  }
  return errors
}

function errorsOf({ currency, warnAt, refuseAt, from, to }: TypedLimit): LimitErrors {
  const errors: LimitErrors = {}
  const warn = readUnits(warnAt)
  const refuse = readUnits(refuseAt)
  if (warnAt.trim() !== '' && warn === undefined) errors.warnAt = UNITS_WRONG
  if (refuseAt.trim() !== '' && (refuse === undefined || compare(refuse, 0) === 0)) errors.refuseAt = REFUSE_WRONG
  if (warnAt.trim() === '' && refuseAt.trim() === '') errors.refuseAt = AMOUNT_REQUIRED
  if (warn !== undefined && refuse !== undefined && !errors.refuseAt && compare(warn, refuse) > 0)
    errors.warnAt = WARN_ABOVE_REFUSE
  if (!/^[A-Z]{3}$/.test(currency)) errors.currency = CURRENCY_WRONG
  for (const field of ['from', 'to'] as const) {
    const day = { from, to }[field].trim()
    if (day !== '' && !isCalendarDay(day)) errors[field] = DAY_WRONG
  }
  if (from.trim() !== '' && to.trim() !== '' && !errors.from && !errors.to && from.trim() > to.trim())
    errors.to = DAYS_REVERSED
  return errors
}

/** Units that are not negative, at most twelve digits before the point and two after it. */
function readUnits(text: string): string | undefined {
  const value = parseDecimal(text)
  return value !== undefined && /^\d{1,12}(\.\d{1,2})?$/.test(value) ? value : undefined
}

/** The stored form of a limit without errors: names as they are kept, amounts with two decimals, parts of other subjects empty. */
export function readLimit(typed: TypedLimit): Limit {
  const parts = partsOf(typed.subject)
  const name = (part: SubjectPart): string | null => {
    const text = parts.includes(part) ? toPlainText(typed[part] ?? '', 'line') : ''
    return text === '' ? null : text
  }
  const units = (text: string) => (text.trim() === '' ? null : toFixedText(readUnits(text) ?? '0', 2))
  const day = (text: string): CalendarDay | null => (text.trim() === '' ? null : text.trim())
  const [user, project, product] = SUBJECT_PARTS.map(name)
  return {
    subject: typed.subject,
    user: user ?? null,
    project: project ?? null,
    product: product ?? null,
    period: typed.period,
    currency: typed.currency,
    warnAt: units(typed.warnAt),
    refuseAt: units(typed.refuseAt),
    from: day(typed.from),
    to: day(typed.to),
  }
}

export const toTyped = ({ subject, user, project, product, period, currency, ...limit }: Limit): TypedLimit => ({
  subject,
  user,
  project,
  product,
  period,
  currency,
  warnAt: limit.warnAt ?? '',
  refuseAt: limit.refuseAt ?? '',
  from: limit.from ?? '',
  to: limit.to ?? '',
})

/** Whether two limits hold on a common day. */
const overlap = (one: Pick<Limit, 'from' | 'to'>, other: Pick<Limit, 'from' | 'to'>): boolean =>
  (one.from ?? '') <= (other.to ?? LAST) && (other.from ?? '') <= (one.to ?? LAST)

const LAST = '9999-12-31'

/** The first error of each rule; undefined for a rule without errors. */
export function productRuleErrors(
  rules: readonly ProductRule[],
): { readonly user?: string; readonly products?: string }[] {
  const seen = new Set<string | null>()
  return rules.map(({ user, products }) => {
    const key = user === null ? null : userKey(user)
    const isTwice = seen.has(key)
    seen.add(key)
    return {
      ...(isTwice ? { user: RULE_TWICE } : {}),
      ...(products.length === 0 ? { products: PRODUCTS_REQUIRED } : {}),
    }
  })
}
