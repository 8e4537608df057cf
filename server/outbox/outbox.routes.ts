import { failedMessageList, resendMessage } from '#contract/outbox/failed-messages.ts'
import type { Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'
import { failedMessageSource } from '#server/outbox/failed-message.list.ts'
import type { AnyLane } from '#server/outbox/lane.ts'
import { resendMessage as resend } from '#server/outbox/resend-message.ts'

export function outboxRoutes(route: Route, lanes: readonly AnyLane[]): void {
  routeList(route, failedMessageList, { source: failedMessageSource, scope: () => ({}) })
  route(resendMessage, (call) => resend(call, lanes))
}
