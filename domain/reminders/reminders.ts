import { compare, parseDecimal, toPlainText } from '#domain/money/decimal.ts'
import { normalizedEmail } from '#domain/settings/email-address.ts'

/** "10 percent are left", or "500 units are left". */
export type Threshold = { readonly measure: 'percent' | 'amount'; readonly value: string }

/** Monthly spending limit of a project or a user. It only warns. */
export type Budget = { readonly by: 'project' | 'user'; readonly name: string; readonly amount: string }

/** What an account is reminded of by email, and who receives it. */
export type Reminders = {
  readonly recipients: readonly string[]
  /** Days before an entitlement ends. */
  readonly leadDays: readonly number[]
  readonly elastic: readonly Threshold[]
  readonly fsa: readonly Threshold[]
  readonly budgets: readonly Budget[]
  /** Users whom license servers turned away for lack of seats. */
  readonly seatDenials: boolean
  /** License servers that no longer report. */
  readonly silentServers: boolean
}

export const NO_REMINDERS: Reminders = {
  recipients: [],
  leadDays: [],
  elastic: [],
  fsa: [],
  budgets: [],
  seatDenials: false,
  silentServers: false,
}

export const MAX_RECIPIENTS = 50
export const MAX_LEAD_TIMES = 10
const MAX_LEAD_DAYS = 730
export const MAX_THRESHOLDS = 10
export const MAX_BUDGETS = 200
export const MAX_BUDGET_NAME = 200

export const LEAD_DAYS_WRONG = `Lead times are whole numbers of days from 1 to ${MAX_LEAD_DAYS}.`
export const TOO_MANY_LEAD_TIMES = `At most ${MAX_LEAD_TIMES} lead times are possible.`
export const PERCENT_WRONG = 'Enter a percentage from 0 to 99.99, such as 10.'
export const AMOUNT_WRONG = 'Enter an amount with at most two decimals, such as 500.'
export const BUDGET_WRONG = 'Enter an amount above 0 with at most two decimals, such as 500.'
export const NAME_REQUIRED = 'Name is required.'
export const THRESHOLD_TWICE = 'This threshold is already in the list.'
export const BUDGET_TWICE = 'This project or user already has a budget.'
export const NO_RECIPIENTS = 'Choose at least one recipient.'

/** The errors of each field: `recipients`, `leadDays`, `elastic.0.value`, `budgets.2.name`, and so on. */
export function reminderErrors(reminders: Reminders): Record<string, string> {
  const { recipients, leadDays, elastic, fsa, budgets, seatDenials, silentServers } = reminders
  const isOn = seatDenials || silentServers || leadDays.length + elastic.length + fsa.length + budgets.length > 0
  return {
    ...(isOn && recipients.length === 0 ? { recipients: NO_RECIPIENTS } : {}),
    ...(leadDays.length > MAX_LEAD_TIMES ? { leadDays: TOO_MANY_LEAD_TIMES } : {}),
    ...(leadDays.every((days) => Number.isInteger(days) && days >= 1 && days <= MAX_LEAD_DAYS)
      ? {}
      : { leadDays: LEAD_DAYS_WRONG }),
    ...thresholdErrors('elastic', elastic),
    ...thresholdErrors('fsa', fsa),
    ...budgetErrors(budgets),
  }
}

function thresholdErrors(field: 'elastic' | 'fsa', thresholds: readonly Threshold[]): Record<string, string> {
  const seen = new Set<string>()
  const errors: Record<string, string> = {}
  for (const [index, threshold] of thresholds.entries()) {
    const value = readAmount(threshold.value)
    const isPercent = threshold.measure === 'percent'
    if (value === undefined || (isPercent && compare(value, 100) >= 0))
      errors[`${field}.${index}.value`] = isPercent ? PERCENT_WRONG : AMOUNT_WRONG
    else if (seen.has(`${threshold.measure} ${value}`)) errors[`${field}.${index}.value`] = THRESHOLD_TWICE
    else seen.add(`${threshold.measure} ${value}`)
  }
  return errors
}

function budgetErrors(budgets: readonly Budget[]): Record<string, string> {
  const seen = new Set<string>()
  const errors: Record<string, string> = {}
  for (const [index, { by, name, amount }] of budgets.entries()) {
    const value = readAmount(amount)
    if (name.trim() === '') errors[`budgets.${index}.name`] = NAME_REQUIRED
    else if (seen.has(budgetKey(by, name))) errors[`budgets.${index}.name`] = BUDGET_TWICE
    else seen.add(budgetKey(by, name))
    if (value === undefined || compare(value, 0) === 0) errors[`budgets.${index}.amount`] = BUDGET_WRONG
  }
  return errors
}

/** User names are compared without case, as the elastic service does. */
export const budgetKey = (by: Budget['by'], name: string) =>
  `${by} ${by === 'user' ? name.trim().toLowerCase() : name.trim()}`

/** A typed amount that is not negative and has at most two decimals. */
function readAmount(text: string): string | undefined {
  const value = parseDecimal(text.trim())
  return value !== undefined && /^\d{1,12}(\.\d{1,2})?$/.test(value) ? value : undefined
}

/** The stored form of reminders: normalized numbers, lead times from long to short, each recipient once. */
export function tidiedReminders(reminders: Reminders): Reminders {
  const amount = (text: string) => toPlainText(readAmount(text) ?? text)
  const tidied = (thresholds: readonly Threshold[]) =>
    thresholds.map(({ measure, value }) => ({ measure, value: amount(value) }))
  return {
    recipients: [...new Set(reminders.recipients.map(normalizedEmail))].sort(),
    leadDays: [...new Set(reminders.leadDays)].sort((one, other) => other - one),
    elastic: tidied(reminders.elastic),
    fsa: tidied(reminders.fsa),
    budgets: reminders.budgets.map(({ by, name, amount: text }) => ({ by, name: name.trim(), amount: amount(text) })),
    seatDenials: reminders.seatDenials,
    silentServers: reminders.silentServers,
  }
}
