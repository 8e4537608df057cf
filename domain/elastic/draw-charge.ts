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
export function drawOrder(entitlements: readonly Drawable[], day: CalendarDay): Drawable[] {
  return entitlements
    .filter(({ startDate, endDate }) => startDate <= day && day <= (endDate ?? NEVER))
    .sort(
      (one, other) =>
        compareText(one.endDate ?? NEVER, other.endDate ?? NEVER) ||
        compareText(one.startDate, other.startDate) ||
        compareText(one.activationId, other.activationId),
    )
}

/**
 * The entitlement on which a session that starts now begins to draw: the first that has something left once the running
 * sessions in its currency are paid for. Undefined: there is no balance.
 */
export function findBeginning(
  order: readonly Drawable[],
  accrued: ReadonlyMap<string, string> = new Map(),
): Drawable | undefined {
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
 * Draws a charge on entitlements of one currency, in their order. Each gives what it has left, the last one takes the
 * excess; the parts add up to the charge. A charge of nothing is booked as well, where the next one would be.
 */
export function drawCharge(charge: string, order: readonly Drawable[]): Draw[] {
  const draws: Draw[] = []
  let rest = toHundredths(charge)
  for (const [at, { activationId, left: text }] of order.entries()) {
    const left = toHundredths(text)
    const isLast = at === order.length - 1
    if (!isLast && left <= 0n) continue
    const part = isLast || rest <= left ? rest : left
    draws.push({ activationId, charge: formatHundredths(part) })
    if (part === rest) return draws
    rest -= part
  }
  throw new Error('a charge needs an entitlement to draw on')
}

/** The entitlements of one account while several charges are drawn on them, one after the other. */
export class Balances {
  readonly #entitlements: Map<string, Drawable>
  /** Many sessions start on the same days. */
  readonly #orders = new Map<CalendarDay, readonly string[]>()

  constructor(entitlements: readonly Drawable[]) {
    this.#entitlements = new Map(entitlements.map((one) => [one.activationId, one]))
  }

  find(activationId: string): Drawable | undefined {
    return this.#entitlements.get(activationId)
  }

  /** Where a session that is over began: on the first one with something left, or else on the last. */
  beginningOn(day: CalendarDay): Drawable | undefined {
    const order = this.#on(day)
    return findBeginning(order) ?? order.at(-1)
  }

  /** Draws on those of the day and currency, or on the one that is named if there are none. */
  draw(charge: string, day: CalendarDay, beginning: Pick<Drawable, 'activationId' | 'currency'>): Draw[] {
    const order = this.#on(day).filter(({ currency }) => currency === beginning.currency)
    if (order.length === 0) return [{ activationId: beginning.activationId, charge }]
    const draws = drawCharge(charge, order)
    for (const drawn of draws) this.subtract(drawn)
    return draws
  }

  subtract({ activationId, charge }: Draw): void {
    const before = this.#entitlements.get(activationId)
    if (before)
      this.#entitlements.set(activationId, {
        ...before,
        left: formatHundredths(toHundredths(before.left) - toHundredths(charge)),
      })
  }

  /** Those valid on a day, in the order in which they are drawn on. */
  #on(day: CalendarDay): Drawable[] {
    const known = this.#orders.get(day)
    const ids = known ?? drawOrder([...this.#entitlements.values()], day).map(({ activationId }) => activationId)
    if (!known) this.#orders.set(day, ids)
    return ids.flatMap((id) => this.#entitlements.get(id) ?? [])
  }
}

const compareText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
