import type { FastifyInstance } from 'fastify'
import {
  addSignInDomain,
  checkSignInDomain,
  getSignInProvider,
  removeSignInDomain,
  removeSignInProvider,
  saveSignInProvider,
  switchSignInProvider,
} from '#contract/sign-in-providers/sign-in-providers.ts'
import { HttpError } from '#server/http/http-error.ts'
import type { Module } from '#server/modules/module.ts'
import { addDomain, checkDomain, lookUpFirst, removeDomain } from '#server/modules/sign-in-providers/change-domains.ts'
import { removeProvider, saveProvider, switchProvider } from '#server/modules/sign-in-providers/change-provider.ts'
import { checkDomains } from '#server/modules/sign-in-providers/check-domain.ts'
import { loadSignInProvider } from '#server/modules/sign-in-providers/load-provider.ts'
import { findProvider } from '#server/modules/sign-in-providers/providers.queries.ts'
import type { Route } from '#server/operations/route.ts'
import type { Services } from '#server/services.ts'
import { defineJob } from '#server/tasks/job.ts'

/** Every hour, so that a portal that was down at an hour of the day skips no day. */
const domainsJob = defineJob({
  queue: 'sign-in-domains',
  cron: '23 * * * *',
  run: (_data, services, { signal }) => checkDomains(services, signal),
})

export const signInProvidersModule: Module = {
  name: 'sign-in-providers',
  mayUse: ['accounts', 'web-licenses'],
  jobs: [domainsJob],
  routes,
}

function routes(route: Route, app: FastifyInstance, { db }: Services): void {
  route(getSignInProvider, async ({ actor, db: reading, now, services, standing: { customerNumber } }) => ({
    data: await loadSignInProvider(reading, { customerNumber, actor, config: services.config, now }),
  }))
  route(saveSignInProvider, saveProvider)
  route(switchSignInProvider, switchProvider)
  route(removeSignInProvider, removeProvider)
  route(addSignInDomain, addDomain)
  route(checkSignInDomain, checkDomain, { waitForTurn: lookUpFirst })
  route(removeSignInDomain, removeDomain)

  // Providers read the keys of private_key_jwt here. They are public.
  app.get<{ Params: { account: string } }>('/auth/keys/:account', KEYS, async (request, reply) => {
    const { account } = request.params
    const provider = account.length <= 20 ? await findProvider(db, account) : undefined
    if (!provider?.public_key) throw new HttpError(404, 'There are no such keys')
    return reply
      .type('application/jwk-set+json')
      .header('cache-control', 'public, max-age=300')
      .send(provider.public_key)
  })
}

const KEYS = { schema: { hide: true }, config: { rateLimit: { max: 120, timeWindow: 60_000 } } }
