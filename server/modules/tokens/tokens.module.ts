import {
  createToken,
  getTokenPolicy,
  revokeToken,
  rollToken,
  saveTokenPolicy,
  tokenList,
} from '#contract/tokens/tokens.ts'
import type { Module } from '#server/modules/module.ts'
import { create, revoke, roll } from '#server/modules/tokens/make-token.ts'
import { tokenSource } from '#server/modules/tokens/token.list.ts'
import { loadPolicy, savePolicy } from '#server/modules/tokens/token-policy.ts'
import { warnOfExpiry } from '#server/modules/tokens/warn-of-expiry.ts'
import type { Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'
import { defineJob } from '#server/tasks/job.ts'

const tokenExpiryJob = defineJob({
  queue: 'token-expiry',
  cron: '7 * * * *',
  run: (_data, services, { signal }) => warnOfExpiry(services, signal),
})

export const tokensModule: Module = {
  name: 'tokens',
  mayUse: ['accounts'],
  jobs: [tokenExpiryJob],
  routes,
}

function routes(route: Route): void {
  routeList(route, tokenList, {
    source: tokenSource,
    scope: ({ standing: { customerNumber } }) => ({ customerNumber }),
  })
  route(createToken, create)
  route(rollToken, roll)
  route(revokeToken, revoke)
  route(getTokenPolicy, async ({ db, standing }) => ({ data: await loadPolicy(db, standing.customerNumber) }))
  route(saveTokenPolicy, savePolicy)
}
