import * as requests from '#contract/requests/requests.ts'
import { can } from '#domain/access/can.ts'
import { askRequest } from '#server/modules/requests/ask-request.ts'
import { approveRequest, declineRequest, toDecided, withdraw } from '#server/modules/requests/decide-request.ts'
import { askWebLicense, loadOwnRequests, withdrawOwnRequest } from '#server/modules/requests/own-requests.ts'
import { requestSource } from '#server/modules/requests/request.list.ts'
import { loadSavedRules, saveRequestRules } from '#server/modules/requests/request-rules.ts'
import type { Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'

export function requestsRoutes(route: Route): void {
  routeList(route, requests.requestList, {
    source: requestSource,
    scope: ({ actor, standing }) => ({
      customerNumber: standing.customerNumber,
      requestedBy: can(actor, 'requests.decide', standing).allowed ? null : actor.email,
    }),
  })
  route(requests.askRequest, askRequest)
  route(requests.withdrawRequest, async (call) => ({
    data: toDecided(await withdraw(call, call.standing.customerNumber)),
  }))
  route(requests.approveRequest, approveRequest)
  route(requests.declineRequest, declineRequest)
  route(requests.getRequestRules, async ({ db, standing }) => ({
    data: await loadSavedRules(db, standing.customerNumber),
  }))
  route(requests.saveRequestRules, saveRequestRules)
  route(requests.getOwnRequests, async ({ actor, db, now }) => ({
    data: await loadOwnRequests(db, actor.email, now),
  }))
  route(requests.askWebLicense, askWebLicense)
  route(requests.withdrawOwnRequest, withdrawOwnRequest)
}
