import type { Transaction } from 'kysely'
import { domainState, isInForce } from '#domain/sign-in-providers/domain-proof.ts'
import type { DB } from '#server/db/schema.ts'
import { saveProvenDomains } from '#server/identity/proven-domains.queries.ts'
import { deleteSignInSessionsOfAccount } from '#server/identity/sign-in-session.queries.ts'
import {
  type DomainRow,
  findProvider,
  listDomains,
  type ProviderRow,
} from '#server/modules/sign-in-providers/providers.queries.ts'

export const stateOf = (row: DomainRow, now: Date) =>
  domainState(
    { provenAt: row.proven_at, failures: row.failures, failingSince: row.failing_since, outcome: row.outcome },
    now,
  )

export const domainsInForce = (rows: readonly DomainRow[], now: Date): string[] =>
  rows.filter((row) => isInForce(stateOf(row, now))).map(({ domain }) => domain)

/**
 * Makes sign-ins follow the provider and the domains of an account, as they are now. Sessions that began at the provider end with their domain
 * and with the provider. Returns the domains that another account has proven before.
 */
export async function followProvider(tx: Transaction<DB>, customerNumber: string, now: Date): Promise<string[]> {
  const provider = await findProvider(tx, customerNumber)
  const domains = domainsInForce(await listDomains(tx, customerNumber), now)
  const { is_on, is_enforced, break_glass } = switchesOf(provider)
  const rows = domains.map((domain) => ({ customer_number: customerNumber, domain, is_on, is_enforced, break_glass }))
  const taken = await saveProvenDomains(tx, customerNumber, rows)
  await deleteSignInSessionsOfAccount(tx, customerNumber, is_on ? domains.filter((one) => !taken.includes(one)) : [])
  return taken
}

const switchesOf = (provider: ProviderRow | undefined) => ({
  is_on: provider !== undefined && provider.mode !== 'off',
  is_enforced: provider?.mode === 'enforced',
  break_glass: provider?.break_glass ?? null,
})
