import * as requests from '#contract/requests/requests.ts'
import { can } from '#domain/access/can.ts'
import type { Module } from '#server/modules/module.ts'
import { askRequest } from '#server/modules/requests/ask-request.ts'
import { approveRequest, declineRequest, toDecided, withdraw } from '#server/modules/requests/decide-request.ts'
import { expireRequests } from '#server/modules/requests/expire-requests.ts'
import { askWebLicense, loadOwnRequests, withdrawOwnRequest } from '#server/modules/requests/own-requests.ts'
import { requestSource } from '#server/modules/requests/request.list.ts'
import { loadSavedRules, saveRequestRules } from '#server/modules/requests/request-rules.ts'
import type { Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'
import { defineJob } from '#server/tasks/job.ts'

const expireRequestsJob = defineJob({
  queue: 'requests-expire',
  cron: '*/5 * * * *',
  run: (_data, services, { signal }) => expireRequests(services, signal),
})

export const requestsModule: Module = {
  name: 'requests',
  mayUse: ['accounts', 'entitlements', 'activations', 'fsa', 'web-licenses'],
  jobs: [expireRequestsJob],
  routes,
}

function routes(route: Route): void {
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
    data: await loadOwnRequests(db, actor, now),
  }))
  route(requests.askWebLicense, askWebLicense)
  route(requests.withdrawOwnRequest, withdrawOwnRequest)
}
