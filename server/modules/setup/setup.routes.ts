import { getSetup } from '#contract/setup/get-setup.ts'
import { setupStateFor } from '#domain/setup/setup-steps.ts'
import { loadInstalled } from '#server/modules/setup/load-installed.ts'
import type { Route } from '#server/operations/route.ts'

export function setupRoutes(route: Route): void {
  route(getSetup, async ({ actor, db }) => ({
    data: { state: setupStateFor(await loadInstalled(db), { isStaff: actor.staff.size > 0 }) },
  }))
}
