import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DemoPart } from '#server/demo/demo-part.ts'
import { elasticEntitlements } from '#server/demo/elastic-entitlements.ts'
import type { EntitlementRow } from '#server/demo/entitlement-row.ts'
import { fsaContracts } from '#server/demo/fsa-contracts.ts'
import { generateAccounts } from '#server/demo/generated-accounts.ts'
import { generateLeases, HISTORY_ONLY, LEASES_ONLY, type TermMix, USUAL_MIX } from '#server/demo/generated-leases.ts'
import { insertRows } from '#server/demo/insert-rows.ts'
import { NAMED_ACCOUNTS } from '#server/demo/named-accounts.ts'
import { showcaseLeases } from '#server/demo/showcase-leases.ts'
import { claimActivationIds } from '#server/modules/entitlements/activation-ids.queries.ts'

/** What an account has bought; the numbers are how many leases and perpetuals are drawn. */
type Holdings = {
  readonly leases: number
  readonly mix?: TermMix
  readonly hasShowcase?: boolean
  readonly hasElastic?: boolean
  readonly fsa?: 'every state' | 'untouched'
}

const NAMED_HOLDINGS: Readonly<Record<string, Holdings>> = {
  '100001': { leases: 72, hasShowcase: true, hasElastic: true, fsa: 'every state' },
  '100002': { leases: 16 },
  '100003': { leases: 22, mix: LEASES_ONLY, fsa: 'untouched' },
  '100004': { leases: 6 },
  '100005': { leases: 4 },
  '100006': { leases: 28, mix: LEASES_ONLY },
  '100007': { leases: 0, hasElastic: true },
  '100008': { leases: 18, mix: HISTORY_ONLY, hasElastic: true },
  '100009': { leases: 8, mix: LEASES_ONLY },
}

/** Every so many generated accounts has bought something, every other one of them elastic units too. */
const SPREAD = 30

export const entitlements: DemoPart = {
  name: 'entitlements',
  async load(tx, world) {
    const named = NAMED_ACCOUNTS.map((account) => ({ account, holdings: NAMED_HOLDINGS[account.customerNumber] }))
    const random = world.random('entitlements')
    const spread = generateAccounts(world.random('accounts'))
      .filter((_, index) => index % SPREAD === 0)
      .map((account, index) => ({
        account,
        holdings: { leases: random.integer(2, 8), hasElastic: index % 2 === 1 } satisfies Holdings,
      }))
    const rows = [...named, ...spread].flatMap(({ account, holdings }) =>
      holdings ? entitlementsOf(account.customerNumber, world.today(account.timeZone), holdings) : [],
    )
    await claimActivationIds(tx, rows)
    await insertRows(tx, 'entitlement', rows)
  },
}

function entitlementsOf(customerNumber: string, today: CalendarDay, holdings: Holdings): EntitlementRow[] {
  return [
    ...(holdings.hasShowcase ? showcaseLeases(customerNumber, today) : []),
    ...generateLeases({ customerNumber, today, count: holdings.leases, mix: holdings.mix ?? USUAL_MIX }),
    ...(holdings.hasElastic ? elasticEntitlements(customerNumber, today) : []),
    ...(holdings.fsa ? fsaContracts(customerNumber, today, holdings.fsa) : []),
  ]
}
