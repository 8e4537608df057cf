import { getAccountHome } from '#contract/home/account-home.ts'
import { getAccountsHome } from '#contract/home/accounts-home.ts'
import { loadAccountHome } from '#server/modules/home/account-home.ts'
import { loadAccountsHome } from '#server/modules/home/accounts-home.ts'
import type { Route } from '#server/operations/route.ts'

export function homeRoutes(route: Route): void {
  route(getAccountHome, async (call) => ({ data: await loadAccountHome(call) }))
  route(getAccountsHome, async ({ db, now }) => ({ data: await loadAccountsHome(db, now) }))
}
