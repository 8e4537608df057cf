import { search } from '#contract/search/search.ts'
import { searchPortal } from '#server/modules/search/search-portal.ts'
import type { Route } from '#server/operations/route.ts'

export function searchRoutes(route: Route): void {
  route(search, async (call) => ({ data: await searchPortal(call) }))
}
