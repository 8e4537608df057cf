import { add, compare } from '#domain/money/decimal.ts'

type Amount = { readonly currency: string; readonly used: string }

/** Every currency once, the most used one first: one that was hardly used would hide what matters. */
export function currenciesByUse(amounts: readonly Amount[]): string[] {
  const totals = new Map<string, string>()
  for (const { currency, used } of amounts) totals.set(currency, add(totals.get(currency) ?? '0', used))
  return [...totals]
    .sort(([one, used], [other, otherUsed]) => compare(otherUsed, used) || (one < other ? -1 : 1))
    .map(([currency]) => currency)
}
