import type { HomeBalance } from '#contract/home/account-home.ts'
import { usedPercentage } from '#domain/entitlements/used-percentage.ts'
import { compare, subtract, sum } from '#domain/money/decimal.ts'

/** What all balances of one currency come to. */
export type Amount = {
  readonly currency: string
  readonly left: string
  /** By how much balances are overdrawn; '0' if none is. */
  readonly overdrawn: string
  readonly usedPercent: number
}

/** Balances by currency, the one with the most bought first. What is overdrawn takes nothing from the other balances. */
export function amountsOf(balances: readonly Pick<HomeBalance, 'currency' | 'total' | 'remaining'>[]): Amount[] {
  return [...Map.groupBy(balances, ({ currency }) => currency)]
    .map(([currency, own]) => {
      const rests = own.map(({ remaining }) => remaining)
      const left = sum(rests.filter((rest) => compare(rest, 0) > 0))
      const overdrawn = subtract('0', sum(rests.filter((rest) => compare(rest, 0) < 0)))
      const total = sum(own.map((one) => one.total))
      return { currency, left, overdrawn, total, usedPercent: usedPercentage(subtract(total, left), total) }
    })
    .sort((one, other) => compare(other.total, one.total))
    .map(({ total: _, ...amount }) => amount)
}
