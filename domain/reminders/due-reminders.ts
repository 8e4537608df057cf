import { type CalendarDay, daysBetween } from '#domain/calendar/calendar-day.ts'
import { compare, multiply, subtract } from '#domain/money/decimal.ts'
import { budgetKey, type Reminders, type Threshold } from '#domain/reminders/reminders.ts'

/** An entitlement that ends. */
export type Ending = {
  readonly activationId: string
  readonly product: string
  readonly quantity: number
  readonly endsOn: CalendarDay
}

/** What is left of an elastic entitlement or of a spending account. */
export type Balance = {
  readonly kind: 'elastic' | 'fsa'
  readonly activationId: string
  readonly product: string
  readonly currency: string
  readonly total: string
  readonly remaining: string
}

/** What a project or a user has spent this month. */
export type Spending = {
  readonly by: 'project' | 'user'
  readonly name: string
  readonly currency: string
  readonly spent: string
}

/** Users whom a license server turned away for lack of seats, on one day of its clock. */
export type SeatDenials = {
  readonly hostId: string
  readonly hostName: string
  readonly feature: string
  readonly day: CalendarDay
  readonly count: number
}

/** A license server that reported before, but no longer does. */
export type SilentServer = { readonly hostId: string; readonly hostName: string; readonly reportedAt: Date }

export type Situation = {
  readonly today: CalendarDay
  readonly endings: readonly Ending[]
  readonly balances: readonly Balance[]
  readonly spending: readonly Spending[]
  readonly seatDenials: readonly SeatDenials[]
  readonly silentServers: readonly SilentServer[]
}

export type DueReminder =
  | { readonly kind: 'ending'; readonly ending: Ending; readonly daysLeft: number }
  | { readonly kind: 'balance'; readonly balance: Balance; readonly threshold: Threshold }
  | { readonly kind: 'budget'; readonly spending: Spending; readonly amount: string }
  | { readonly kind: 'denials'; readonly denials: SeatDenials }
  | { readonly kind: 'silence'; readonly server: SilentServer }

/**
 * The reminders that are due now. `keys` are all thresholds that are crossed, the tightest first. Only that one is mailed,
 * and only once; the others count as mailed.
 */
export type Due = { readonly keys: readonly string[]; readonly reminder: DueReminder }

export function dueReminders(reminders: Reminders, situation: Situation): Due[] {
  return [
    ...situation.endings.flatMap((ending) => dueEnding(reminders.leadDays, ending, situation.today)),
    ...situation.balances.flatMap((balance) => dueBalance(reminders[balance.kind], balance)),
    ...overBudget(reminders.budgets, situation.spending).map((over) => dueBudget(over, situation.today)),
    ...(reminders.seatDenials ? situation.seatDenials.map(dueDenials) : []),
    ...(reminders.silentServers ? situation.silentServers.map(dueSilence) : []),
  ]
}

/** The end day counts: what ends today has one day left. */
function dueEnding(leadDays: readonly number[], ending: Ending, today: CalendarDay): Due[] {
  const daysLeft = daysBetween(today, ending.endsOn) + 1
  const crossed = leadDays.filter((days) => daysLeft >= 1 && daysLeft <= days).toSorted((one, other) => one - other)
  if (crossed.length === 0) return []
  // The key has the end date: an entitlement that was extended gets another reminder.
  const keys = crossed.map((days) => `ending ${ending.activationId} ${ending.endsOn} ${days}`)
  return [{ keys, reminder: { kind: 'ending', ending, daysLeft } }]
}

function dueBalance(thresholds: readonly Threshold[], balance: Balance): Due[] {
  const crossed = thresholds
    .map((threshold) => ({ threshold, at: amountOf(threshold, balance.total) }))
    .filter(({ at }) => compare(balance.remaining, at) <= 0)
    .toSorted((one, other) => compare(one.at, other.at))
  const [tightest] = crossed
  if (!tightest) return []
  const keys = crossed.map(
    ({ threshold: { measure, value } }) => `${balance.kind} ${balance.activationId} ${measure} ${value}`,
  )
  return [{ keys, reminder: { kind: 'balance', balance, threshold: tightest.threshold } }]
}

function amountOf({ measure, value }: Threshold, total: string): string {
  return measure === 'amount' ? value : multiply(multiply(total, value), '0.01')
}

/** A budget that is used up, and what was spent. */
export type OverBudget = Spending & { readonly amount: string }

/** What has reached its budget, the largest excess first. */
export function overBudget(budgets: Reminders['budgets'], spending: readonly Spending[]): OverBudget[] {
  const amounts = new Map(budgets.map(({ by, name, amount }) => [budgetKey(by, name), amount]))
  return spending
    .flatMap((one): OverBudget[] => {
      const amount = amounts.get(budgetKey(one.by, one.name))
      return amount === undefined || compare(one.spent, amount) < 0 ? [] : [{ ...one, amount }]
    })
    .sort((a, b) => compare(subtract(b.spent, b.amount), subtract(a.spent, a.amount)))
}

function dueBudget({ amount, ...spending }: OverBudget, today: CalendarDay): Due {
  const month = today.slice(0, 7)
  const key = budgetKey(spending.by, spending.name)
  return {
    keys: [`budget ${month} ${spending.currency} ${amount} ${key}`],
    reminder: { kind: 'budget', spending, amount },
  }
}

/** One reminder for each feature, license server and day, however many users were turned away. */
function dueDenials(denials: SeatDenials): Due {
  const { hostId, feature, day } = denials
  return { keys: [`denials ${day} ${hostId} ${feature}`], reminder: { kind: 'denials', denials } }
}

/** The key has the last report: a license server that falls silent again is another reminder. */
function dueSilence(server: SilentServer): Due {
  return {
    keys: [`silence ${server.hostId} ${server.reportedAt.toISOString()}`],
    reminder: { kind: 'silence', server },
  }
}
