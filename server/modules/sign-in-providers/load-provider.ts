import type { Kysely } from 'kysely'
import type { ProviderDomain, SignInProvider } from '#contract/sign-in-providers/sign-in-providers.ts'
import { type Actor, isStaff } from '#domain/access/standing.ts'
import { domainOf } from '#domain/sign-in-providers/domain-name.ts'
import { recordName, recordValue } from '#domain/sign-in-providers/domain-proof.ts'
import type { Config } from '#server/config.ts'
import type { DB } from '#server/db/schema.ts'
import { callbackOf } from '#server/identity/callback-address.ts'
import { listAdministrators } from '#server/modules/accounts/accounts.public.ts'
import { domainsInForce, stateOf } from '#server/modules/sign-in-providers/proven-domains.ts'
import {
  type DomainRow,
  findProvider,
  listDomains,
  type ProviderRow,
} from '#server/modules/sign-in-providers/providers.queries.ts'
import { listWebGroups } from '#server/modules/web-licenses/web-licenses.public.ts'

type Asked = { readonly customerNumber: string; readonly actor: Actor; readonly config: Config; readonly now: Date }

export async function loadSignInProvider(db: Kysely<DB>, asked: Asked): Promise<SignInProvider> {
  const { customerNumber, actor, config, now } = asked
  const provider = await findProvider(db, customerNumber)
  const domains = await listDomains(db, customerNumber)
  const groups = await listWebGroups(db, customerNumber)
  const isTheirs = domainsInForce(domains, now).includes(domainOf(actor.email))
  return {
    revision: provider?.revision ?? 0,
    redirectUri: callbackOf(config.origin, customerNumber),
    signOutUri: `${config.origin}/`,
    keysUri: `${config.origin}/auth/keys/${customerNumber}`,
    provider: provider ? toProvider(provider) : null,
    domains: domains.map((row) => toDomain(row, now)),
    administrators: await listAdministrators(db, customerNumber),
    webGroups: groups.map(({ groupId, name }) => ({ id: groupId, name })),
    mustSignInAgain:
      provider?.mode === 'enforced' &&
      isTheirs &&
      actor.onlyOn === undefined &&
      !isStaff(actor) &&
      provider.break_glass !== actor.email,
  }
}

function toProvider(row: ProviderRow): NonNullable<SignInProvider['provider']> {
  const { issuer, client_id, client_auth, client_secret, public_key, group_claim, rules, mode, break_glass, test } = row
  return {
    issuer,
    clientId: client_id,
    clientAuth: client_auth,
    groupClaim: group_claim,
    rules: rules.map(({ group, role, webGroupId }) => ({ group, role, webGroupId })),
    hasSecret: client_secret !== null,
    publicKey: public_key,
    mode,
    breakGlass: break_glass,
    isTested: row.tested_version === row.version,
    test: test && {
      at: test.at,
      by: test.by,
      isCurrent: test.version === row.version,
      email: test.email,
      role: test.role,
      reason: test.reason,
    },
  }
}

export const toDomain = (row: DomainRow, now: Date): ProviderDomain => ({
  domain: row.domain,
  recordName: recordName(row.domain),
  recordValue: recordValue(row.token),
  state: stateOf(row, now),
  addedBy: row.added_by,
  provenAt: row.proven_at?.toISOString() ?? null,
  checkedAt: row.checked_at?.toISOString() ?? null,
  outcome: row.outcome,
  failures: row.failures,
})
