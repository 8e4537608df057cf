import { formatDecimal } from '#domain/money/decimal.ts'

/** What corrections took back in the period of a statement, in one currency. */
export type StatedCorrections = { readonly currency: string; readonly total: string; readonly transactions: number }

/** A note beneath a statement, whose amounts are net of corrections. Undefined if there are none. */
export function correctionsNote(corrections: readonly StatedCorrections[]): string | undefined {
  if (corrections.length === 0) return undefined
  const each = corrections.map(
    ({ currency, total, transactions }) =>
      `${formatDecimal(total, 2)} ${currency} (${transactions} ${transactions === 1 ? 'transaction' : 'transactions'})`,
  )
  return `Used is net of corrections: ${each.join(', ')}.`
}
