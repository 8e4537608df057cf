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
import { KEPT_DAYS } from '#domain/webhooks/endpoint.ts'
import type { Module } from '#server/modules/module.ts'
import { removeWebhook, rotateSecret, saveWebhook } from '#server/modules/webhooks/change-webhooks.ts'
import { deleteDeliveriesBefore } from '#server/modules/webhooks/deliveries.queries.ts'
import { getDelivery, replay, resend, sendTest } from '#server/modules/webhooks/send-again.ts'
import { deliverySource, webhookSource } from '#server/modules/webhooks/webhook.list.ts'
import type { Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'
import { deleteFailedMessages } from '#server/outbox/outbox.queries.ts'
import { defineJob } from '#server/tasks/job.ts'

const DAY = 24 * 3_600_000

/** Deletes old deliveries with their attempts, once a day. */
const expireDeliveriesJob = defineJob({
  queue: 'webhook-deliveries',
  cron: '41 3 * * *',
  async run(_data, { db, clock }) {
    const oldest = new Date(clock.now().getTime() - KEPT_DAYS * DAY)
    await db.transaction().execute(async (tx) => deleteFailedMessages(tx, await deleteDeliveriesBefore(tx, oldest)))
  },
})

export const webhooksModule: Module = {
  name: 'webhooks',
  mayUse: ['accounts'],
  isShared: true,
  jobs: [expireDeliveriesJob],
  routes,
}

function routes(route: Route): void {
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
