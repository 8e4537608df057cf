import {
  createToken,
  getTokenPolicy,
  revokeToken,
  rollToken,
  saveTokenPolicy,
  tokenList,
} from '#contract/tokens/tokens.ts'
import { create, revoke, roll } from '#server/modules/tokens/make-token.ts'
import { tokenSource } from '#server/modules/tokens/token.list.ts'
import { loadPolicy, savePolicy } from '#server/modules/tokens/token-policy.ts'
import type { Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'

export function tokensRoutes(route: Route): void {
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
