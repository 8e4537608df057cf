import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { type FsaContract, isOrderable } from '#domain/fsa/contract.ts'
import { durationLabel } from '#domain/fsa/duration.ts'
import { blankLine, changeCount, changeProduct } from '#domain/fsa/order-line.ts'
import { compare, formatDecimal } from '#domain/money/decimal.ts'

/** What an order of seats costs, and from which contract. */
export type SeatCost = {
  readonly fsaId: string
  readonly partNumber: string
  /** Exact, with two decimals. */
  readonly cost: string
  readonly currency: string
  /** How long the seats last, such as `1 Year`. */
  readonly duration: string
}

export type SpendingAccount = FsaContract & { readonly available: string }

/**
 * The cost of the line that the order screen begins with. It is ordered from the first contract whose balance suffices, or
 * else from the first that offers the product. Contracts that have begun come first. Null without a price.
 */
export function costOfSeats(
  product: string,
  seats: number,
  contracts: readonly SpendingAccount[],
  today: CalendarDay,
): SeatCost | null {
  if (seats === 0) return null
  const offers = contracts
    .filter((contract) => isOrderable(contract, today))
    .sort((one, other) => Number(one.startDate > today) - Number(other.startDate > today))
    .flatMap((contract) => {
      const offered = contract.products.find(({ name }) => name === product)
      if (!offered) return []
      const line = changeCount(changeProduct(blankLine(contract), offered.partNumber, contract, today), seats)
      const { partNumber, cost, currency, duration } = line
      if (partNumber === null || cost === null || duration === null) return []
      const isAffordable = compare(cost, contract.available) <= 0
      return [{ isAffordable, fsaId: contract.fsaId, partNumber, cost, currency, duration: durationLabel(duration) }]
    })
  const offer = offers.find(({ isAffordable }) => isAffordable) ?? offers[0]
  if (!offer) return null
  const { isAffordable: _, ...cost } = offer
  return cost
}

/** Why seats that are needed have no cost, and what to do instead. */
export const NO_COST = {
  NO_SPENDING_ACCOUNT: {
    short: 'No spending account',
    text: 'This account has no spending account to order from. Ask the vendor for an offer.',
  },
  NOT_OFFERED: {
    short: 'No spending account offers it',
    text: 'No spending account offers this product. Ask the vendor for an offer.',
  },
} as const
export type NoCost = keyof typeof NO_COST

/** For a product without a cost. */
export function noCostOf(contracts: readonly Pick<SpendingAccount, 'endDate'>[], today: CalendarDay): NoCost {
  return contracts.some((contract) => isOrderable(contract, today)) ? 'NOT_OFFERED' : 'NO_SPENDING_ACCOUNT'
}

/** Such as `53,550.00 USD for 1 Year`. */
export const costText = ({ cost, currency, duration }: Pick<SeatCost, 'cost' | 'currency' | 'duration'>): string =>
  `${formatDecimal(cost, 2)} ${currency} for ${duration}`
