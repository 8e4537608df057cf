import type { DemoPart } from '#server/demo/demo-part.ts'
import { insertRows } from '#server/demo/insert-rows.ts'

const CUSTOMER = '100001'
const ADA = 'ada.admin@aerodyne.example'
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const BUSY = 'Answered 503'

/** A webhook of one account with its log. It is off: nobody listens at its URL, and its secret does not open. */
export const webhooks: DemoPart = {
  name: 'webhooks',
  async load(tx, { midnight, random }) {
    const draw = random('webhooks')
    const ago = (time: number) => new Date(midnight.getTime() - time)
    const id = draw.uuid()
    await insertRows(tx, 'webhook_endpoint', [
      {
        customer_number: CUSTOMER,
        id,
        url: 'https://hooks.aerodyne.example/licensing',
        description: 'Software inventory in Berlin',
        events: ['seats.activated', 'seats.returned', 'seats.moved', 'entitlement.ending', 'session.denied'],
        is_on: false,
        off_reason: `Switched off by ${ADA}`,
        secret: Buffer.from(draw.hex(120), 'hex'),
        created_by: ADA,
        created_at: ago(600 * HOUR),
      },
    ])
    const seats = (count: number) => ({
      host: { hostId: '0050569a0001', hostIdType: 'ETHERNET' },
      activations: [{ activationId: 'demo', product: 'Structural Mechanics Pro', seats: count }],
      by: ADA,
    })
    const denied = {
      reason: 'NO_BALANCE',
      product: 'Fluid Flow Pro',
      username: 'anna',
      host: 'ws-berlin-07',
      denials: 1,
      serverId: 'demo',
      count: 1,
      project: null,
      externalIp: '192.0.2.17',
    }
    const told = [
      { event: 'seats.activated', data: seats(4), before: 90 * HOUR, answers: [200] },
      { event: 'session.denied', data: denied, before: 70 * HOUR, answers: [503, 200] },
      { event: 'seats.returned', data: { ...seats(2), isMove: false }, before: 50 * HOUR, answers: [503, 503] },
      { event: 'seats.activated', data: seats(1), before: 20 * HOUR, answers: [] },
    ].map((one) => ({ ...one, eventId: draw.uuid() }))
    await insertRows(
      tx,
      'webhook_delivery',
      told.map(({ event, data, before, answers, eventId }) => {
        const timestamp = ago(before).toISOString()
        const last = answers.at(-1)
        return {
          customer_number: CUSTOMER,
          endpoint_id: id,
          event_id: eventId,
          sequence: String(ago(before).getTime() * 1000),
          event,
          body: JSON.stringify({ type: event, version: 1, timestamp, customerNumber: CUSTOMER, data }),
          happened_at: ago(before),
          state: last === 200 ? 'delivered' : last ? 'failed' : 'held',
          attempts: answers.length,
          last_attempt_at: last ? ago(before - (answers.length - 1) * 5 * MINUTE) : null,
          status: last ?? null,
          milliseconds: last ? 84 : null,
          trouble: last === 503 ? BUSY : '',
        }
      }),
    )
    await insertRows(
      tx,
      'webhook_attempt',
      told.flatMap(({ answers, before, eventId }) =>
        answers.map((status, index) => ({
          customer_number: CUSTOMER,
          endpoint_id: id,
          event_id: eventId,
          number: index + 1,
          started_at: ago(before - index * 5 * MINUTE),
          milliseconds: 84,
          status,
          trouble: status === 503 ? BUSY : '',
          request_headers: JSON.stringify({ 'content-type': 'application/json', 'webhook-id': eventId }),
          response_headers: JSON.stringify({ 'content-type': 'text/plain' }),
          response_body: status === 503 ? 'busy, try later' : 'ok',
        })),
      ),
    )
  },
}
