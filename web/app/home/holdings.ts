import type { Holdings } from '#domain/access/standing.ts'

/** The licenses of an account, in the order of the menu. */
export function holdingLines(holdings: Holdings): { label: string; value: string }[] {
  const held = (isHeld: boolean) => (isHeld ? 'Yes' : 'None')
  return [
    { label: 'Leases/Perpetuals', value: held(holdings.ssl) },
    { label: 'Elastic entitlements', value: holdings.elastic > 0 ? holdings.elastic.toLocaleString('en-US') : 'None' },
    { label: 'Flexible Spending Account', value: held(holdings.fsa) },
    { label: 'Shared web licenses', value: held(holdings.sharedWeb) },
    { label: 'Named user licenses', value: held(holdings.namedUser) },
  ]
}
