import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { formatHundredths, toHundredths } from '#domain/money/decimal.ts'

/** An elastic entitlement as far as drawing on it goes. */
export type Drawable = {
  readonly activationId: string
  readonly startDate: CalendarDay
  /** Null for one that never ends. */
  readonly endDate: CalendarDay | null
  readonly currency: string
  readonly rateTableVersion: string
  /** Units that are left, negative when overdrawn. */
  readonly left: string
}

export type Draw = { readonly activationId: string; readonly charge: string }

const NEVER = '9999-99-99'

/** The entitlements that are valid on a day, the one that ends first in front. */
export function drawOrder<E extends Omit<Drawable, 'left'>>(entitlements: readonly E[], day: CalendarDay): E[] {
  return entitlements
    .filter(({ startDate, endDate }) => startDate <= day && day <= (endDate ?? NEVER))
    .sort(byDrawOrder)
}

/** The one that ends first is drawn on first. */
export function byDrawOrder(
  one: Pick<Drawable, 'activationId' | 'startDate' | 'endDate'>,
  other: Pick<Drawable, 'activationId' | 'startDate' | 'endDate'>,
): number {
  return (
    compareText(one.endDate ?? NEVER, other.endDate ?? NEVER) ||
    compareText(one.startDate, other.startDate) ||
    compareText(one.activationId, other.activationId)
  )
}

/**
 * The entitlement on which a session that starts now begins to draw: the first that has something left once the running
 * sessions in its currency are paid for. Undefined: there is no balance.
 */
export function findBeginning(order: readonly Drawable[], accrued: ReadonlyMap<string, string>): Drawable | undefined {
  const unpaid = new Map([...accrued].map(([currency, amount]) => [currency, toHundredths(amount)]))
  return order.find((entitlement) => {
    const left = toHundredths(entitlement.left)
    if (left <= 0n) return false
    const owed = unpaid.get(entitlement.currency) ?? 0n
    if (left > owed) return true
    unpaid.set(entitlement.currency, owed - left)
    return false
  })
}

/**
 * The first that has something left, with those before it, which have nothing left. A session begins there (`findBeginning`)
 * if it has more left than the running sessions in its currency have cost.
 */
export function findFirstWithUnits(
  order: readonly Drawable[],
): { readonly entitlement: Drawable; readonly usedUp: readonly Drawable[] } | undefined {
  const at = order.findIndex(({ left }) => toHundredths(left) > 0n)
  const entitlement = order[at]
  return entitlement && { entitlement, usedUp: order.slice(0, at) }
}

/** An entitlement whose rest is a whole number of hundredths: batches compute with it thousands of times. */
type Balance = Omit<Drawable, 'left'> & { left: bigint }
const toBalance = (entitlement: Drawable): Balance => ({ ...entitlement, left: toHundredths(entitlement.left) })

/**
 * Draws a charge on entitlements of one currency, in their order. Each gives what it has left, the last one takes the
 * excess; the parts add up to the charge. A charge of nothing is booked as well, where the next one would be.
 */
function drawHundredths(charge: bigint, order: readonly Balance[]): (readonly [Balance, bigint])[] {
  const parts: (readonly [Balance, bigint])[] = []
  let rest = charge
  for (const [index, balance] of order.entries()) {
    const isLast = index === order.length - 1
    if (!isLast && balance.left <= 0n) continue
    const part = isLast || rest <= balance.left ? rest : balance.left
    parts.push([balance, part])
    if (part === rest) return parts
    rest -= part
  }
  throw new Error('a charge needs an entitlement to draw on')
}

/** The entitlements of one account while several charges are drawn on them, one after the other. */
export class Balances {
  readonly #balances: Map<string, Balance>
  /** Many sessions start on the same days. The order never changes while balances do. */
  readonly #orders = new Map<CalendarDay, readonly Balance[]>()
  readonly #ordersOfCurrency = new Map<string, readonly Balance[]>()

  constructor(entitlements: readonly Drawable[]) {
    this.#balances = new Map(entitlements.map((one) => [one.activationId, toBalance(one)]))
  }

  find(activationId: string): Drawable | undefined {
    const balance = this.#balances.get(activationId)
    return balance && { ...balance, left: formatHundredths(balance.left) }
  }

  isDrawableOn(day: CalendarDay): boolean {
    return this.#orderOn(day).length > 0
  }

  /** Where a session that is over began: on the first one that has a rate and something left, or else on the last with a rate. */
  beginningOn(day: CalendarDay, rates: Readonly<Record<string, unknown>>): Omit<Drawable, 'left'> | undefined {
    const order = this.#orderOn(day)
    const isRated = ({ rateTableVersion }: Balance) => rates[rateTableVersion] !== undefined
    return order.find((one) => one.left > 0n && isRated(one)) ?? order.findLast(isRated)
  }

  /** Draws on those of the day and currency, or on the one that is named if there are none. */
  draw(charge: string, day: CalendarDay, beginning: Pick<Drawable, 'activationId' | 'currency'>): Draw[] {
    const order = this.#orderOfCurrency(day, beginning.currency)
    if (order.length === 0) return [{ activationId: beginning.activationId, charge }]
    const parts = drawHundredths(toHundredths(charge), order)
    for (const [balance, part] of parts) balance.left -= part
    return parts.map(([{ activationId }, part]) => ({ activationId, charge: formatHundredths(part) }))
  }

  subtract({ activationId, charge }: Draw): void {
    const balance = this.#balances.get(activationId)
    if (balance) balance.left -= toHundredths(charge)
  }

  /** Those valid on a day, in the order in which they are drawn on. */
  #orderOn(day: CalendarDay): readonly Balance[] {
    const known = this.#orders.get(day)
    const order = known ?? drawOrder([...this.#balances.values()], day)
    if (!known) this.#orders.set(day, order)
    return order
  }

  #orderOfCurrency(day: CalendarDay, currency: string): readonly Balance[] {
    const key = `${day} ${currency}`
    const known = this.#ordersOfCurrency.get(key)
    const order = known ?? this.#orderOn(day).filter((balance) => balance.currency === currency)
    if (!known) this.#ordersOfCurrency.set(key, order)
    return order
  }
}

const compareText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
