import { randomUUID } from 'node:crypto'
import { NO_ID } from '#server/testing/samples/given.ts'
import { granters } from '#server/testing/samples/rules.ts'
import { alike, missing, on, type Samples } from '#server/testing/samples/sample.ts'
import { about, type Walk } from '#server/testing/samples/walk.ts'

export const webhooksSamples: Samples = {
  rows: {
    ...alike(on(granters), 'webhooks', 'webhooks/count', 'webhooks/deliveries', 'webhooks/deliveries/count'),
    'webhooks/deliveries/distinct': on(granters),
    'webhooks/save': on(granters, () => ({
      url: `https://hooks.example.com/${randomUUID()}`,
      events: ['seats.activated'],
    })),
    ...alike(missing(granters, { id: NO_ID }), 'webhooks/rotate', 'webhooks/remove', 'webhooks/test'),
    ...alike(missing(granters, { endpointId: NO_ID, id: NO_ID }), 'webhooks/delivery', 'webhooks/resend'),
    'webhooks/replay': missing(granters, { id: NO_ID, from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }),
  },
  walk: callWebhooks,
}

async function callWebhooks({ ask, call }: Walk): Promise<void> {
  const endpoint = { url: 'https://hooks.example.com/every-operation', events: ['contact.added'] }
  const id = await ask('webhooks/save', { body: { ...about, ...endpoint } })
  await call('webhooks/save', { body: { ...about, ...endpoint, id, description: 'Every operation' } })
  await call('webhooks/rotate', { body: { ...about, id } })
  const delivery = { ...about, endpointId: id, id: await ask('webhooks/test', { body: { ...about, id } }) }
  for (const name of ['webhooks', 'webhooks/deliveries'] as const) await call(name, { body: about })
  await call('webhooks/delivery', { body: delivery })
  await call('webhooks/resend', { body: delivery })
  const range = { from: '2020-01-01T00:00:00Z', to: '2090-01-01T00:00:00Z' }
  await call('webhooks/replay', { body: { ...about, id, ...range, withDelivered: true } })
  await call('webhooks/remove', { body: { ...about, id } })
}
