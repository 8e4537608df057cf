import { randomUUID } from 'node:crypto'
import { EVENT_VERSION } from '#contract/webhooks/webhook-events.ts'
import type {
  getDelivery as GetOperation,
  replayDeliveries as ReplayOperation,
  resendDelivery as ResendOperation,
  testWebhook as TestOperation,
} from '#contract/webhooks/webhooks.ts'
import { TEST_EVENT } from '#domain/webhooks/event-types.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { noSuchWebhook } from '#server/modules/webhooks/change-webhooks.ts'
import {
  findDelivery,
  insertDelivery,
  listAttempts,
  requeueDelivery,
  requeueRange,
} from '#server/modules/webhooks/deliveries.queries.ts'
import { type EndpointRow, findEndpoint } from '#server/modules/webhooks/endpoints.queries.ts'
import type { EndpointKey } from '#server/modules/webhooks/webhook-secret.seal.ts'
import { nextSequence } from '#server/modules/webhooks/write-events.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'
import { deleteFailedMessages } from '#server/outbox/outbox.queries.ts'

export async function getDelivery(call: Call<typeof GetOperation>): Promise<Result<typeof GetOperation>> {
  const { body, db, standing } = call
  const key = { customerNumber: standing.customerNumber, endpointId: body.endpointId, id: body.id }
  const delivery = await findDelivery(db, key)
  if (!delivery) throw noSuchDelivery()
  return { data: { body: delivery.body, attempts: await listAttempts(db, key) } }
}

const noSuchDelivery = () => new HttpError(404, 'There is no such delivery.')

type SendingCall = Pick<Call<typeof TestOperation>, 'db' | 'standing'>

async function requireOn({ db, standing }: SendingCall, id: string): Promise<EndpointRow> {
  const endpoint = await findEndpoint(db, { customerNumber: standing.customerNumber, id })
  if (!endpoint) throw noSuchWebhook()
  if (!endpoint.is_on) throw new BusinessRefusal('WEBHOOK_OFF', 'This webhook is switched off. Switch it on first.')
  return endpoint
}

export async function sendTest(call: Call<typeof TestOperation>): Promise<Result<typeof TestOperation>> {
  const { actor, body, db, now, standing } = call
  const { customerNumber } = standing
  const { url } = await requireOn(call, body.id)
  const eventId = randomUUID()
  const data = { text: `${actor.email} sent this event to test the endpoint.` }
  const timestamp = now.toISOString()
  await insertDelivery(db, {
    customer_number: customerNumber,
    endpoint_id: body.id,
    event_id: eventId,
    sequence: nextSequence(customerNumber, body.id, now),
    event: TEST_EVENT,
    body: JSON.stringify({ type: TEST_EVENT, version: EVENT_VERSION, timestamp, customerNumber, data }),
    happened_at: now,
    state: 'queued',
    next_attempt_at: now,
  })
  await call.audit({ target: body.id, after: { url, event: eventId } })
  return { data: { id: eventId } }
}

export async function resend(call: Call<typeof ResendOperation>): Promise<Result<typeof ResendOperation>> {
  const { body, db, now, standing } = call
  const { endpointId, id } = body
  const { url } = await requireOn(call, endpointId)
  const requeued = await requeueDelivery(db, { customerNumber: standing.customerNumber, endpointId, id }, now)
  if (!requeued) throw noSuchDelivery()
  if (requeued.message_id) await deleteFailedMessages(db, [requeued.message_id])
  await call.audit({ target: endpointId, after: { url, event: id } })
  return { data: null }
}

export async function replay(call: Call<typeof ReplayOperation>): Promise<Result<typeof ReplayOperation>> {
  const { body, db, now, standing } = call
  const { withDelivered = false } = body
  const [from, to] = [new Date(body.from), new Date(body.to)]
  if (from > to) throw new HttpError(400, '"from" must be before "to".')
  const { url } = await requireOn(call, body.id)
  const key: EndpointKey = { customerNumber: standing.customerNumber, id: body.id }
  const { events, messageIds } = await requeueRange(db, { ...key, from, to, withDelivered }, now)
  await deleteFailedMessages(db, messageIds)
  await call.audit({ target: body.id, after: { url, from: body.from, to: body.to, withDelivered, events } })
  return { data: { events } }
}
