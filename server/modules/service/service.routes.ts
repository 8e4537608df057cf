import { whoami } from '#contract/service/whoami.ts'
import type { Route } from '#server/operations/route.ts'

/** What the service API offers besides the modules' own operations. */
export function serviceRoutes(route: Route): void {
  route(whoami, async ({ serviceKey: { name, scopes, expiresAt } }) => ({
    data: { name, scopes: [...scopes], expires: expiresAt.toISOString() },
  }))
}
