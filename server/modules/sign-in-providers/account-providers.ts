import { groupsIn, roleOfGroups } from '#domain/sign-in-providers/group-access.ts'
import { type AuditContext, writeAudit } from '#server/audit/audit.queries.ts'
import { createProviderFetch } from '#server/doors/provider-fetch.ts'
import type { AccountProviders } from '#server/identity/account-providers.ts'
import { providerName } from '#server/identity/principal.ts'
import { applyGroups } from '#server/modules/sign-in-providers/apply-groups.ts'
import { createProviderClients } from '#server/modules/sign-in-providers/provider-client.ts'
import { mailBreakGlass } from '#server/modules/sign-in-providers/provider-mails.ts'
import { findProvider, lockProvider, updateProvider } from '#server/modules/sign-in-providers/providers.queries.ts'
import { testPage } from '#server/modules/sign-in-providers/test-page.ts'
import type { Services } from '#server/services.ts'

/** The sign-in providers of accounts, for the routes of the sign-in. */
export function createAccountProviders(services: Services): AccountProviders {
  const { clock, config, db } = services
  const clientOf = createProviderClients({ ...services, fetch: createProviderFetch(config.webhooks) })
  const contextOf = (email: string, customerNumber: string, from: object): AuditContext => ({
    at: clock.now(),
    email,
    principal: 'session',
    credential: providerName(customerNumber),
    ...(from as Pick<AuditContext, 'address' | 'requestId' | 'program'>),
  })
  return {
    async load(customerNumber) {
      const row = await findProvider(db, customerNumber)
      return row && { version: row.version, configuration: () => clientOf(row) }
    },
    async applyGroups(customerNumber, email, claims, from) {
      const provider = await findProvider(db, customerNumber)
      if (!provider || provider.group_claim === '') return
      const context = contextOf(email, customerNumber, from)
      await db.transaction().execute((tx) => applyGroups(tx, services, provider, { email, claims }, context))
    },
    async noteBreakGlass(customerNumber, email, from) {
      const { credential: _, ...context } = contextOf(email, customerNumber, from)
      await db.transaction().execute(async (tx) => {
        await writeAudit(tx, context, { action: 'sign-in.break-glass', customerNumber, target: email })
        await mailBreakGlass(tx, services, customerNumber, email)
      })
    },
    async finishTest(customerNumber, { version, by, email, reason, claims }, from) {
      return db.transaction().execute(async (tx) => {
        await lockProvider(tx, customerNumber)
        const provider = await findProvider(tx, customerNumber)
        const groups =
          provider && claims && provider.group_claim !== '' ? groupsIn(claims[provider.group_claim]) : undefined
        const role = groups ? roleOfGroups(groups, provider?.rules ?? []) : null
        const at = clock.now()
        const test = { at: at.toISOString(), by, version, email: email ?? null, role, reason: reason ?? null }
        if (provider)
          await updateProvider(tx, customerNumber, {
            test: JSON.stringify(test),
            ...(reason === undefined ? { tested_version: version } : {}),
          })
        await writeAudit(
          tx,
          { ...contextOf(by, customerNumber, from), credential: undefined },
          {
            action: 'sign-in-provider.test',
            customerNumber,
            after: test,
          },
        )
        const back = `/sign-in-provider?customer=${encodeURIComponent(customerNumber)}`
        return testPage({ reason, claims, groups, groupClaim: provider?.group_claim ?? '', role, back })
      })
    },
  }
}
