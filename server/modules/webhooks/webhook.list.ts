import { sql } from 'kysely'
import { deliveryList, webhookList } from '#contract/webhooks/webhooks.ts'
import { listSource } from '#server/lists/list-source.ts'

type Scope = { customerNumber: string }

export const webhookSource = listSource(webhookList, {
  columns: {
    id: 'e.id::text',
    url: 'e.url',
    description: 'e.description',
    events: 'e.events',
    isOn: 'e.is_on',
    offReason: 'e.off_reason',
    failingSince: 'e.failing_since',
    formerSecretUntil: 'e.former_secret_until',
    createdBy: 'e.created_by',
    createdAt: 'e.created_at',
    revision: 'e.revision',
  },
  from: sql`webhook_endpoint e`,
  scope: ({ customerNumber }: Scope) => sql<boolean>`e.customer_number = ${customerNumber}`,
})

export const deliverySource = listSource(deliveryList, {
  columns: {
    id: 'd.event_id::text',
    endpointId: 'd.endpoint_id::text',
    url: 'e.url',
    event: 'd.event',
    time: 'd.happened_at',
    state: 'd.state',
    attempts: 'd.attempts',
    lastAttemptAt: 'd.last_attempt_at',
    nextAttemptAt: 'd.next_attempt_at',
    status: 'd.status',
    milliseconds: 'd.milliseconds',
    trouble: 'd.trouble',
  },
  from: ({ customerNumber }: Scope) => sql`webhook_delivery d
    join webhook_endpoint e on e.customer_number = ${customerNumber} and e.id = d.endpoint_id`,
  scope: ({ customerNumber }: Scope) => sql<boolean>`d.customer_number = ${customerNumber}`,
})
