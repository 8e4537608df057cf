import { search } from '#contract/search/search.ts'
import type { Module } from '#server/modules/module.ts'
import { searchPortal } from '#server/modules/search/search-portal.ts'
import type { Route } from '#server/operations/route.ts'

export const searchModule: Module = {
  name: 'search',
  mayUse: ['accounts', 'entitlements', 'activations', 'elastic', 'fsa', 'web-licenses'],
  routes,
}

function routes(route: Route): void {
  route(search, async (call) => ({ data: await searchPortal(call) }))
}
