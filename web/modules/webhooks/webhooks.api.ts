import { type QueryClient, queryOptions } from '@tanstack/react-query'
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
export async function reloadWebhooks(queries: QueryClient, customerNumber: string): Promise<void> {
  for (const name of ['webhooks', 'webhook-deliveries', 'webhook-delivery'])
    await queries.invalidateQueries({ queryKey: [name, customerNumber] })
}

/** When the log is loaded again after something was sent, in milliseconds: a delivery usually takes a second or two. */
const LOOK_AGAIN = [1500, 4000, 10_000]

/** Loads the tables again, now and when what was sent should have arrived. */
export function lookAgain(queries: QueryClient, customerNumber: string): void {
  for (const pause of [0, ...LOOK_AGAIN]) setTimeout(() => void reloadWebhooks(queries, customerNumber), pause)
}

export const deliveryQuery = (customerNumber: string, { endpointId, id, attempts }: Delivery) =>
  queryOptions({
    queryKey: ['webhook-delivery', customerNumber, endpointId, id, attempts],
    queryFn: ({ signal }) => call('webhooks/delivery', { body: { customerNumber, endpointId, id }, signal }),
  })
