import { whoami } from '#contract/service/whoami.ts'
import type { Route } from '#server/operations/route.ts'

/** Operations of the service API that belong to no module. */
export function serviceRoutes(route: Route): void {
  route(whoami, async ({ serviceKey: { name, scopes, expiresAt } }) => ({
    data: { name, scopes: [...scopes], expires: expiresAt.toISOString() },
  }))
}
