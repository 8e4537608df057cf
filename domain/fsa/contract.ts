import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { PRICE_PERIODS, type PricePeriod } from '#domain/fsa/duration.ts'
import { compare } from '#domain/money/decimal.ts'

/** A product of a contract's price list. Prices are exact decimals for one count, in the contract's currency. */
export type FsaProduct = {
  readonly partNumber: string
  readonly name: string
  readonly prices: Readonly<Partial<Record<PricePeriod, string>>>
}

/** A spending account: an amount of money, a term, and what can be ordered from it. */
export type FsaContract = {
  readonly fsaId: string
  readonly startDate: CalendarDay
  readonly endDate: CalendarDay
  readonly currency: string
  readonly price: string
  readonly products: readonly FsaProduct[]
}

export const NO_PRODUCTS = 'Error: Selected FSA Contract has no products defined'

/** A contract can be ordered from until its last day, also before its first. */
export function isOrderable({ endDate }: Pick<FsaContract, 'endDate'>, today: CalendarDay): boolean {
  return endDate >= today
}

/** Whether something is left to order from. */
export const hasMoney = ({ available }: { readonly available: string }): boolean => compare(available, 0) > 0

type Usable = { readonly available: string; readonly fsaproducts: readonly unknown[]; readonly StartDate: CalendarDay }

/** The contract that an order is about when nobody has said so: the newest that has begun, of those with products and money. */
export function newestContract<C extends Usable>(contracts: readonly C[], today: CalendarDay): C | undefined {
  const usable = contracts.filter((one) => hasMoney(one) && one.fsaproducts.length > 0)
  const begun = usable.filter(({ StartDate }) => StartDate <= today)
  return (begun.length > 0 ? begun : usable).toSorted((one, other) => (one.StartDate < other.StartDate ? 1 : -1))[0]
}

/** The first day on which an order line can start; the last one is the contract's end. */
export function minimumStartDate({ startDate }: Pick<FsaContract, 'startDate'>, today: CalendarDay): CalendarDay {
  return startDate > today ? startDate : today
}

export function findProduct({ products }: Pick<FsaContract, 'products'>, partNumber: string): FsaProduct | undefined {
  return products.find((product) => product.partNumber === partNumber)
}

/** The periods for which a product has a price, the shortest first. */
export function pricedPeriods({ prices }: Pick<FsaProduct, 'prices'>): PricePeriod[] {
  return PRICE_PERIODS.filter((period) => prices[period] !== undefined)
}
