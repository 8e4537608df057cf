import type { Generated } from 'kysely'
import type { DELIVERY_STATES } from '#contract/webhooks/webhooks.ts'
import type { Json } from '#server/db/column-types.ts'
import type { Tables } from '#server/db/tables.ts'

type Headers = Readonly<Record<string, string>>

export type WebhooksRows = {
  webhook_endpoint: {
    customer_number: string
    id: string
    url: string
    description: string
    events: string[]
    is_on: Generated<boolean>
    off_reason: string | null
    failing_since: Date | null
    secret: Buffer
    former_secret: Buffer | null
    former_secret_until: Date | null
    revision: Generated<number>
    created_by: string
    created_at: Date
    lease_id: string | null
    lease_until: Date | null
    last_delivered_at: Date | null
  }
  webhook_delivery: {
    customer_number: string
    endpoint_id: string
    event_id: string
    sequence: string
    event: string
    body: string
    happened_at: Date
    state: (typeof DELIVERY_STATES)[number]
    attempts: Generated<number>
    failures: Generated<number>
    next_attempt_at: Date | null
    last_attempt_at: Date | null
    status: number | null
    milliseconds: number | null
    trouble: Generated<string>
    message_id: string | null
  }
  webhook_attempt: {
    customer_number: string
    endpoint_id: string
    event_id: string
    number: number
    started_at: Date
    milliseconds: number
    status: number | null
    trouble: string
    request_headers: Json<Headers>
    response_headers: Json<Headers>
    response_body: string
  }
}

declare module '#server/db/schema.ts' {
  interface DB extends WebhooksRows {}
}

export const webhooksTables: Tables<WebhooksRows> = {
  owns: ['webhook_endpoint', 'webhook_delivery', 'webhook_attempt'],
  reads: { account: 'Nothing is sent for accounts that export compliance has closed or whose access is disabled.' },
}
