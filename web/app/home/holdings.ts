import type { Holdings } from '#domain/access/standing.ts'
import { countText } from '#web/lib/format.ts'

type HoldingLine = { label: string; value: string; isElasticCount?: boolean }

/** The licenses of an account, in the order of the menu. */
export function holdingLines(holdings: Holdings): HoldingLine[] {
  const held = (isHeld: boolean) => (isHeld ? 'Yes' : 'None')
  return [
    { label: 'Leases/Perpetuals', value: held(holdings.ssl) },
    holdings.elastic > 0
      ? { label: 'Elastic entitlements', value: countText(holdings.elastic), isElasticCount: true }
      : { label: 'Elastic entitlements', value: 'None' },
    { label: 'Flexible Spending Account', value: held(holdings.fsa) },
    { label: 'Shared web licenses', value: held(holdings.sharedWeb) },
    { label: 'Named user licenses', value: held(holdings.namedUser) },
  ]
}
