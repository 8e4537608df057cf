import { getAccountHome, hideMatter, showMatter } from '#contract/home/account-home.ts'
import { getAccountsHome } from '#contract/home/accounts-home.ts'
import { loadAccountHome } from '#server/modules/home/account-home.ts'
import { loadAccountsHome } from '#server/modules/home/accounts-home.ts'
import { deleteHiddenMatter } from '#server/modules/home/hidden-matters.queries.ts'
import { hideMatter as hide } from '#server/modules/home/work-list.ts'
import type { Module } from '#server/modules/module.ts'
import type { Route } from '#server/operations/route.ts'

export const homeModule: Module = {
  name: 'home',
  mayUse: [
    'accounts',
    'entitlements',
    'activations',
    'elastic',
    'fsa',
    'web-licenses',
    'license-use',
    'requests',
    'reminders',
    'access-review',
    'sign-in-providers',
  ],
  routes,
}

function routes(route: Route): void {
  route(getAccountHome, async (call) => ({ data: await loadAccountHome(call) }))
  route(hideMatter, async (call) => {
    const { key, until = null } = call.body
    await hide(call, await loadAccountHome(call))
    await call.audit({ target: key, after: { until } })
    return { data: null }
  })
  route(showMatter, async ({ audit, body, db, actor, standing }) => {
    await deleteHiddenMatter(db, { customer_number: standing.customerNumber, email: actor.email }, body.key)
    await audit({ target: body.key })
    return { data: null }
  })
  route(getAccountsHome, async ({ db, now }) => ({ data: await loadAccountsHome(db, now) }))
}
