import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Transaction } from 'kysely'
import { hasFailedTooLong, nextAttempt, verdictOf } from '#domain/webhooks/attempt.ts'
import { writeAudit } from '#server/audit/audit.queries.ts'
import type { DB } from '#server/db/schema.ts'
import type { SentWebhook, WebhookSender } from '#server/doors/webhook-sender.ts'
import { contextOfPortal } from '#server/identity/principal.ts'
import { secretsOf } from '#server/modules/webhooks/change-webhooks.ts'
import {
  type DeliveryRow,
  holdDeliveries,
  insertAttempt,
  updateDelivery,
} from '#server/modules/webhooks/deliveries.queries.ts'
import { type EndpointRow, updateEndpoint } from '#server/modules/webhooks/endpoints.queries.ts'
import { findNextDelivery, type Lease, lockLeased, renewLease } from '#server/modules/webhooks/leases.queries.ts'
import { mailSwitchedOff } from '#server/modules/webhooks/switched-off-mail.ts'
import { WEBHOOK } from '#server/modules/webhooks/webhook.lane.ts'
import { signedHeaders } from '#server/modules/webhooks/webhook-secret.seal.ts'
import { insertFailedMessage } from '#server/outbox/outbox.queries.ts'
import type { Services } from '#server/services.ts'

export type WebhookParts = Pick<Services, 'db' | 'clock' | 'config'> & {
  readonly sender: WebhookSender
  readonly log: FastifyBaseLogger
  /** The installation's secret that seals those of endpoints. */
  readonly installationSecret: Buffer
}

/** In milliseconds: deliveries in this time write their endpoint once. */
const NOTED = 3_600_000

/** Longer than an attempt can take. A process that dies holds an endpoint up for this long. In milliseconds. */
export const LEASE_TIME = 60_000

export const leaseEnd = (now: Date): Date => new Date(now.getTime() + LEASE_TIME)

/** Tries the next event that is due. False when there is none, or when this process may not go on. */
export async function deliverNext(parts: WebhookParts, lease: Lease): Promise<boolean> {
  const { db, clock, sender, config } = parts
  const startedAt = clock.now()
  const endpoint = await renewLease(db, lease, leaseEnd(startedAt))
  const delivery = endpoint && (await findNextDelivery(db, lease, startedAt))
  if (!delivery) return false
  const { body, event_id } = delivery
  const timestamp = Math.floor(startedAt.getTime() / 1000)
  const secrets = secretsOf(parts.installationSecret, endpoint, startedAt)
  const headers = {
    'content-type': 'application/json',
    'user-agent': `${config.brand.name.replaceAll(/[^A-Za-z0-9]+/g, '-')}-Webhooks/1`,
    ...signedHeaders(secrets, { id: event_id, timestamp, body }),
  }
  const began = performance.now()
  const sent = secrets.length > 0 ? await sender.send({ url: endpoint.url, headers, body }) : NO_SECRET
  const attempt = { startedAt, milliseconds: Math.round(performance.now() - began), headers, sent }
  return db.transaction().execute((tx) => saveAttempt(tx, parts, lease, delivery, attempt))
}

/** Nothing is sent without a signature. */
const NO_SECRET: SentWebhook = {
  result: { kind: 'failure', reason: 'The secret of this webhook cannot be read. Make a new one' },
  headers: {},
  body: '',
}

type Attempt = {
  readonly startedAt: Date
  readonly milliseconds: number
  readonly headers: Readonly<Record<string, string>>
  readonly sent: SentWebhook
}

/** Writes the attempt to the log and decides what comes next. */
async function saveAttempt(
  tx: Transaction<DB>,
  parts: WebhookParts,
  lease: Lease,
  delivery: DeliveryRow,
  { startedAt, milliseconds, headers, sent }: Attempt,
): Promise<boolean> {
  const endpoint = await lockLeased(tx, lease)
  if (!endpoint) return false
  const { customer_number, endpoint_id, event_id } = delivery
  const { result } = sent
  const status = result.kind === 'answer' ? result.status : null
  const verdict = verdictOf(result)
  const trouble = verdict.state === 'failed' ? verdict.reason : ''
  const number = delivery.attempts + 1
  await insertAttempt(tx, {
    customer_number,
    endpoint_id,
    event_id,
    number,
    started_at: startedAt,
    milliseconds,
    status,
    trouble,
    request_headers: JSON.stringify(headers),
    response_headers: JSON.stringify(sent.headers),
    response_body: sent.body,
  })
  const done = { attempts: number, last_attempt_at: startedAt, status, milliseconds, trouble }
  const key = { customerNumber: customer_number, endpointId: endpoint_id, id: event_id }
  if (verdict.state === 'delivered') {
    await updateDelivery(tx, key, { ...done, state: 'delivered', failures: 0, next_attempt_at: null })
    const isNoted =
      endpoint.last_delivered_at !== null && startedAt.getTime() - endpoint.last_delivered_at.getTime() < NOTED
    if (endpoint.failing_since || !isNoted)
      await updateEndpoint(tx, lease, { failing_since: null, last_delivered_at: startedAt })
    return true
  }
  const now = parts.clock.now()
  const failures = delivery.failures + 1
  const failingSince = endpoint.failing_since ?? now
  const retryAfter = result.kind === 'answer' ? result.retryAfter : undefined
  const next = verdict.isGone ? undefined : nextAttempt(failures, { now, random: Math.random(), retryAfter })
  const offReason = verdict.isGone
    ? 'The endpoint answered 410: it wants no more events'
    : !next && hasFailedTooLong(failingSince, now)
      ? 'Nothing was delivered for five days'
      : undefined
  const failed = { ...done, failures }
  if (next) await updateDelivery(tx, key, { ...failed, state: 'queued', next_attempt_at: next })
  else {
    const messageId = randomUUID()
    await updateDelivery(tx, key, { ...failed, state: 'failed', next_attempt_at: null, message_id: messageId })
    const payload = { customerNumber: customer_number, endpointId: endpoint_id, id: event_id }
    await insertFailedMessage(tx, { id: messageId, lane: WEBHOOK, payload, at: now, attempts: number, trouble })
  }
  const about = { endpoint: endpoint_id, event: event_id, attempt: number, trouble }
  if (next) parts.log.info({ ...about, next }, 'a webhook could not be delivered yet')
  else parts.log.warn(about, 'a webhook could not be delivered and is given up')
  if (offReason) await switchOff(tx, parts, endpoint, offReason)
  else if (!endpoint.failing_since) await updateEndpoint(tx, lease, { failing_since: now })
  return !offReason
}

async function switchOff(
  tx: Transaction<DB>,
  parts: WebhookParts,
  endpoint: EndpointRow,
  reason: string,
): Promise<void> {
  const key = { customerNumber: endpoint.customer_number, id: endpoint.id }
  const revision = endpoint.revision + 1
  await updateEndpoint(tx, key, { is_on: false, off_reason: reason, failing_since: null, revision })
  await holdDeliveries(tx, key)
  await mailSwitchedOff(tx, parts, endpoint, reason)
  await writeAudit(tx, contextOfPortal(parts.clock.now()), {
    action: 'webhook.switch-off',
    customerNumber: key.customerNumber,
    target: key.id,
    before: { isOn: true },
    after: { isOn: false, url: endpoint.url, reason },
  })
  parts.log.warn({ endpoint: key.id, reason }, 'a webhook was switched off')
}
