import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { WireRow } from '#contract/kit/list.ts'
import { type Delivery, deliveryList, webhookList } from '#contract/webhooks/webhooks.ts'
import { call } from '#web/lib/api/api-client.ts'
import { sourceOf } from '#web/table/list/declared-list.ts'

export type WebhookRow = WireRow<typeof webhookList.fields>

const WEBHOOK_ATTRIBUTES = Object.keys(webhookList.fields) as (keyof WebhookRow)[]
const DELIVERY_ATTRIBUTES = Object.keys(deliveryList.fields) as (keyof Delivery)[]

export const webhookSource = (customerNumber: string) =>
  sourceOf(webhookList, { customerNumber }, { key: ['webhooks', customerNumber], attributes: WEBHOOK_ATTRIBUTES })

export const deliverySource = (customerNumber: string) =>
  sourceOf(
    deliveryList,
    { customerNumber },
    { key: ['webhook-deliveries', customerNumber], attributes: DELIVERY_ATTRIBUTES },
  )

/** Loads both tables and what is open in them again. */
export function useReloadWebhooks(customerNumber: string): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    for (const name of ['webhooks', 'webhook-deliveries', 'webhook-delivery'])
      await queries.invalidateQueries({ queryKey: [name, customerNumber] })
  }
}

export const deliveryQuery = (customerNumber: string, { endpointId, id, attempts }: Delivery) =>
  queryOptions({
    queryKey: ['webhook-delivery', customerNumber, endpointId, id, attempts],
    queryFn: ({ signal }) => call('webhooks/delivery', { body: { customerNumber, endpointId, id }, signal }),
  })

export const sendAgain = (customerNumber: string, { endpointId, id }: Delivery, idempotencyKey: string) =>
  call('webhooks/resend', { body: { customerNumber, endpointId, id }, idempotencyKey })
