import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { formatHundredths, toHundredths } from '#domain/money/decimal.ts'

/** The fields of an elastic entitlement that drawing needs. */
export type Drawable = {
  readonly activationId: string
  readonly startDate: CalendarDay
  /** Null if it never ends. */
  readonly endDate: CalendarDay | null
  readonly currency: string
  readonly rateTableVersion: string
  /** Units that are left, negative when overdrawn. */
  readonly left: string
}

export type Draw = { readonly activationId: string; readonly charge: string }

/** The entitlement on which a session begins to draw, and its rate there. */
export type Beginning = { readonly entitlement: Omit<Drawable, 'left'>; readonly unitsPerHour: string }
/** No entitlement of the day has a rate for the product, or none has any units left. */
export type NoBeginning = 'UNKNOWN_PRODUCT' | 'NO_BALANCE'
/** Units per hour of a product, by rate table version. */
type Rates = Readonly<Record<string, string>>

const NEVER = '9999-99-99'

/** The entitlements that are valid on a day, the one that ends first in front. */
export function drawOrder<E extends Omit<Drawable, 'left'>>(entitlements: readonly E[], day: CalendarDay): E[] {
  return entitlements
    .filter(({ startDate, endDate }) => startDate <= day && day <= (endDate ?? NEVER))
    .sort(byDrawOrder)
}

/** Sorts the entitlement that ends first to the front. */
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

/** An entitlement with its balance in whole hundredths, because batches compute with it thousands of times. */
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
  /** Cached by day: many sessions start on the same days, and the order does not depend on balances. */
  readonly #orders = new Map<CalendarDay, readonly Balance[]>()
  readonly #ordersOfCurrency = new Map<string, readonly Balance[]>()

  constructor(entitlements: readonly Drawable[]) {
    this.#balances = new Map(entitlements.map((one) => [one.activationId, toBalance(one)]))
  }

  find(activationId: string): Drawable | undefined {
    const balance = this.#balances.get(activationId)
    return balance && { ...balance, left: formatHundredths(balance.left) }
  }

  /**
   * The entitlement of a session that starts now: the first one with a rate whose balance is not used up by running
   * sessions. `accrued` is the cost of running sessions so far, by currency.
   */
  beginNow(day: CalendarDay, rates: Rates, accrued: Readonly<Record<string, string>>): Beginning | NoBeginning {
    const unpaid = new Map(Object.entries(accrued).map(([currency, amount]) => [currency, toHundredths(amount)]))
    return this.#begin(day, rates, (rated) =>
      rated.find(({ left, currency }) => {
        if (left <= 0n) return false
        const owed = unpaid.get(currency) ?? 0n
        if (left > owed) return true
        unpaid.set(currency, owed - left)
        return false
      }),
    )
  }

  /**
   * The entitlement of a session that is over: the first one with a rate and units left, or else the last one with a
   * rate.
   */
  beginningOn(day: CalendarDay, rates: Rates): Beginning | NoBeginning {
    return this.#begin(day, rates, (rated) => rated.find(({ left }) => left > 0n) ?? rated.at(-1))
  }

  #begin(
    day: CalendarDay,
    rates: Rates,
    choose: (rated: readonly Balance[]) => Balance | undefined,
  ): Beginning | NoBeginning {
    const order = this.#orderOn(day)
    const rated = order.filter(({ rateTableVersion }) => rates[rateTableVersion] !== undefined)
    if (rated.length === 0 && order.length > 0) return 'UNKNOWN_PRODUCT'
    const entitlement = choose(rated)
    const unitsPerHour = entitlement && rates[entitlement.rateTableVersion]
    return entitlement && unitsPerHour !== undefined ? { entitlement, unitsPerHour } : 'NO_BALANCE'
  }

  /** Draws on the entitlements of the day and currency; if there are none, on the named one. */
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

  /** Entitlements valid on a day, in the order in which they are drawn on. */
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
