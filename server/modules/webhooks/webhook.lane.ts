import { can } from '#domain/access/can.ts'
import type { Clock } from '#server/doors/clock.ts'
import { findStaffStanding } from '#server/modules/accounts/accounts.public.ts'
import { type DeliveryKey, requeueDelivery } from '#server/modules/webhooks/deliveries.queries.ts'
import { findEndpoint } from '#server/modules/webhooks/endpoints.queries.ts'
import { defineLane, UndeliverableError } from '#server/outbox/lane.ts'

export const WEBHOOK = 'webhook'

/**
 * Webhooks are queued with the rows of their customer. Only those that could not be delivered are in the outbox as well,
 * where operators see them. One that is sent again goes back to its own queue.
 */
export function webhookLane(clock: Clock) {
  return defineLane<DeliveryKey>({
    lane: WEBHOOK,
    noun: 'webhook',
    async deliver({ payload }, tx) {
      const { customerNumber, endpointId } = payload
      const endpoint = await findEndpoint(tx, { customerNumber, id: endpointId })
      if (!endpoint) throw new UndeliverableError('The webhook was removed')
      if (!endpoint.is_on) throw new UndeliverableError('The webhook is switched off')
      const requeued = await requeueDelivery(tx, payload, clock.now())
      if (!requeued) throw new UndeliverableError('The delivery is no longer there')
      return {}
    },
    async mayResend(db, actor, { payload }) {
      return can(actor, 'webhooks.manage', await findStaffStanding(db, payload.customerNumber))
    },
  })
}
