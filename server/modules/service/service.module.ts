import { whoami } from '#contract/service/whoami.ts'
import type { Module } from '#server/modules/module.ts'
import type { Route } from '#server/operations/route.ts'

export const serviceModule: Module = {
  name: 'service',
  mayUse: [],
  routes,
}

/** Operations of the service API that belong to no module. */
function routes(route: Route): void {
  route(whoami, async ({ serviceKey: { name, scopes, expiresAt } }) => ({
    data: { name, scopes: [...scopes], expires: expiresAt.toISOString() },
  }))
}
