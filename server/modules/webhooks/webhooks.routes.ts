import {
  deliveryList,
  getDelivery as getOperation,
  removeWebhook as removeOperation,
  replayDeliveries,
  resendDelivery,
  rotateWebhookSecret,
  saveWebhook as saveOperation,
  testWebhook,
  webhookList,
} from '#contract/webhooks/webhooks.ts'
import { removeWebhook, rotateSecret, saveWebhook } from '#server/modules/webhooks/change-webhooks.ts'
import { getDelivery, replay, resend, sendTest } from '#server/modules/webhooks/send-again.ts'
import { deliverySource, webhookSource } from '#server/modules/webhooks/webhook.list.ts'
import type { Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'

export function webhooksRoutes(route: Route): void {
  routeList(route, webhookList, {
    source: webhookSource,
    scope: ({ standing }) => ({ customerNumber: standing.customerNumber }),
  })
  routeList(route, deliveryList, {
    source: deliverySource,
    scope: ({ standing }) => ({ customerNumber: standing.customerNumber }),
  })
  route(saveOperation, saveWebhook)
  route(rotateWebhookSecret, rotateSecret)
  route(removeOperation, removeWebhook)
  route(testWebhook, sendTest)
  route(getOperation, getDelivery)
  route(resendDelivery, resend)
  route(replayDeliveries, replay)
}
