import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  deliveryList,
  getDelivery,
  removeWebhook,
  replayDeliveries,
  resendDelivery,
  rotateWebhookSecret,
  saveWebhook,
  testWebhook,
  webhookList,
} from '#contract/webhooks/webhooks.ts'
import { URL_NOT_PUBLIC, URL_WRONG } from '#domain/webhooks/endpoint.ts'
import { writeEvents } from '#server/modules/webhooks/webhooks.public.ts'
import { ADA, GRETA, OLIVIA, VIC } from '#server/testing/activations.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const CUSTOMER = '100001'
const NO_ID = '00000000-0000-4000-8000-000000000000'
const about = { customerNumber: CUSTOMER }

let portal: Portal
let ada: Awaited<ReturnType<Portal['as']>>
beforeAll(async () => {
  portal = await startPortal()
  ada = await portal.as(ADA)
})
afterAll(() => portal.close())

let made = 0
const freshUrl = () => `https://hooks.example.com/${++made}`

async function addWebhook(events = ['contact.added'], url = freshUrl()) {
  const { body } = await ada(saveWebhook, { body: { ...about, url, events } })
  return body.data as { id: string; secret: string }
}

async function removeAll() {
  await portal.db.deleteFrom('webhook_endpoint').execute()
}

async function rows() {
  return (await ada(webhookList.page, { body: about })).body.data as Record<string, unknown>[]
}

async function writeContact(email: string) {
  const data = { email, role: 'Viewer', by: ADA }
  await writeEvents(portal.db, CUSTOMER, portal.clock.now(), [{ type: 'contact.added', data }])
}

async function deliveries() {
  return (await ada(deliveryList.page, { body: about })).body.data as Record<string, unknown>[]
}

async function audited(action: string) {
  return portal.db
    .selectFrom('audit_log')
    .select(['action', 'target', 'before', 'after', 'outcome'])
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .executeTakeFirst()
}

describe('saving', () => {
  test('answers the secret of a new webhook once, and lists the webhook without it', async () => {
    await removeAll()
    const url = freshUrl()
    const added = await ada(saveWebhook, {
      body: {
        ...about,
        url,
        events: ['seats.returned', 'seats.activated', 'seats.activated'],
        description: ' Berlin ',
      },
    })
    expect(added).toMatchObject({ status: 200, body: { data: { secret: expect.stringMatching(/^whsec_/) } } })
    const { id, secret } = added.body.data as { id: string; secret: string }
    const listed = await ada(webhookList.page, { body: about })
    expect(listed.body.data).toEqual([
      {
        id,
        url,
        description: 'Berlin',
        events: ['seats.activated', 'seats.returned'],
        isOn: true,
        offReason: null,
        failingSince: null,
        formerSecretUntil: null,
        createdBy: ADA,
        createdAt: portal.clock.now().toISOString(),
        revision: 1,
      },
    ])
    expect(JSON.stringify(listed.body)).not.toContain(secret)
    expect(await audited('webhooks/save')).toMatchObject({ target: id, after: { url, isOn: true } })
    expect(JSON.stringify(await audited('webhooks/save'))).not.toContain('whsec')
  })

  test('keeps the secret sealed in the database', async () => {
    const { id, secret } = await addWebhook()
    const row = await portal.db
      .selectFrom('webhook_endpoint')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.secret.includes(Buffer.from(secret.slice('whsec_'.length), 'base64'))).toBe(false)
  })

  test('changes what is given, without a new secret', async () => {
    const { id } = await addWebhook()
    const url = freshUrl()
    const changed = await ada(saveWebhook, { body: { ...about, id, url, events: ['balance.low'], isOn: false } })
    expect(changed.body.data).toEqual({ id })
    const row = (await rows()).find((one) => one.id === id)
    expect(row).toMatchObject({
      url,
      events: ['balance.low'],
      isOn: false,
      offReason: `Switched off by ${ADA}`,
      revision: 2,
    })
    expect(await audited('webhooks/save')).toMatchObject({ before: { isOn: true }, after: { isOn: false } })
  })

  test('answers 409 when somebody else has saved since', async () => {
    const { id } = await addWebhook()
    const body = { ...about, id, url: freshUrl(), events: ['balance.low'], revision: 1 }
    expect((await ada(saveWebhook, { body })).status).toBe(200)
    const stale = await ada(saveWebhook, { body: { ...body, description: 'later' } })
    expect(stale).toMatchObject({ status: 409, body: { code: 'STALE', data: { current: { revision: 2 } } } })
  })

  test('refuses a second webhook with the same URL, and more than ten', async () => {
    await removeAll()
    const url = 'https://hooks.example.com/same'
    await addWebhook(['contact.added'], url)
    const again = await ada(saveWebhook, { body: { ...about, url: `${url} `, events: ['contact.added'] } })
    expect(again.body).toMatchObject({ status: 'FAILURE', code: 'WEBHOOK_EXISTS' })
    for (let count = 1; count < 10; count++) await addWebhook()
    const eleventh = await ada(saveWebhook, { body: { ...about, url: freshUrl(), events: ['contact.added'] } })
    expect(eleventh.body).toMatchObject({ status: 'FAILURE', code: 'TOO_MANY_WEBHOOKS' })
    await removeAll()
  })

  test.each([
    ['no URL', { url: 'hooks' }, URL_WRONG],
    ['a private address', { url: 'http://169.254.169.254/latest' }, URL_NOT_PUBLIC],
    ['no events', { events: [] }, 'Choose at least one event.'],
    ['an unknown event', { events: ['seats.melted'] }, 'There is no event seats.melted.'],
    ['an unknown field', { secret: 'whsec_mine' }, expect.stringContaining('secret')],
  ])('answers 400 to %s', async (_, wrong, err) => {
    const body = { ...about, url: freshUrl(), events: ['contact.added'], ...wrong }
    expect(await ada(saveWebhook, { body })).toMatchObject({ status: 400, body: { err } })
  })
})

const webhook = { ...about, id: NO_ID }
const delivery = { ...about, endpointId: NO_ID, id: NO_ID }
const CALLS = [
  ['webhooks', webhookList.page, about],
  ['webhooks/save', saveWebhook, { ...webhook, url: 'https://hooks.example.com/', events: ['contact.added'] }],
  ['webhooks/rotate', rotateWebhookSecret, webhook],
  ['webhooks/remove', removeWebhook, webhook],
  ['webhooks/test', testWebhook, webhook],
  ['webhooks/deliveries', deliveryList.page, about],
  ['webhooks/delivery', getDelivery, delivery],
  ['webhooks/resend', resendDelivery, delivery],
  ['webhooks/replay', replayDeliveries, { ...webhook, from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }],
] as const

describe('a call', () => {
  test.each(CALLS)('%s is for administrators only', async (_, operation, body) => {
    expect((await (await portal.as(null))(operation, { body })).status).toBe(401)
    expect((await (await portal.as(VIC))(operation, { body })).status).toBe(403)
    const greta = await portal.as(GRETA)
    expect((await greta(operation, { body: { ...body, customerNumber: '100003' } })).status).toBe(403)
    expect((await greta(operation, { body })).status).toBe(404)
  })

  test.each(CALLS.filter(([name]) => !['webhooks', 'webhooks/deliveries'].includes(name)))(
    '%s answers 404 to an unknown id',
    async (_, operation, body) => {
      expect((await ada(operation, { body })).status).toBe(404)
    },
  )

  test.each(CALLS)('%s answers 400 to an unknown field', async (_, operation, body) => {
    expect((await ada(operation, { body: { ...body, other: 1 } })).status).toBe(400)
  })
})

test('a new secret leaves the former one valid for a day', async () => {
  const { id, secret } = await addWebhook()
  const { body } = await ada(rotateWebhookSecret, { body: { ...about, id } })
  const rotated = body.data as { secret: string; formerSecretUntil: string }
  expect(rotated.secret).toMatch(/^whsec_/)
  expect(rotated.secret).not.toBe(secret)
  expect(Date.parse(rotated.formerSecretUntil) - portal.clock.now().getTime()).toBe(24 * 3_600_000)
  expect((await rows()).find((one) => one.id === id)).toMatchObject({ formerSecretUntil: rotated.formerSecretUntil })
  expect(await audited('webhooks/rotate')).toMatchObject({ target: id })
})

test('a webhook is told of the events that it has chosen, and of nothing else', async () => {
  await removeAll()
  const contacts = await addWebhook(['contact.added'])
  const balances = await addWebhook(['balance.low'])
  await writeContact('new@aerodyne.example')
  const log = await deliveries()
  expect(log).toHaveLength(1)
  expect(log[0]).toMatchObject({ endpointId: contacts.id, event: 'contact.added', state: 'queued', attempts: 0 })
  expect(log[0]?.endpointId).not.toBe(balances.id)
  const { body } = await ada(getDelivery, {
    body: { ...about, endpointId: contacts.id, id: log[0]?.id },
  })
  const details = body.data as { body: string; attempts: unknown[] }
  expect(JSON.parse(details.body)).toEqual({
    type: 'contact.added',
    version: 1,
    timestamp: portal.clock.now().toISOString(),
    customerNumber: CUSTOMER,
    data: { email: 'new@aerodyne.example', role: 'Viewer', by: ADA },
  })
  expect(details.attempts).toEqual([])
})

test('a transaction that is rolled back tells nobody anything', async () => {
  await removeAll()
  await addWebhook()
  const rolledBack = portal.db.transaction().execute(async (tx) => {
    const data = { email: 'never@aerodyne.example', role: 'Viewer', by: ADA }
    await writeEvents(tx, CUSTOMER, portal.clock.now(), [{ type: 'contact.added', data }])
    throw new Error('rolled back')
  })
  await expect(rolledBack).rejects.toThrow('rolled back')
  expect(await deliveries()).toEqual([])
})

test('events of a webhook that is off are held, and are sent on request once it is on', async () => {
  await removeAll()
  const url = freshUrl()
  const { id } = await addWebhook(['contact.added'], url)
  await writeContact('before@aerodyne.example')
  await ada(saveWebhook, { body: { ...about, id, url, events: ['contact.added'], isOn: false } })
  await writeContact('meanwhile@aerodyne.example')
  expect((await deliveries()).map(({ state }) => state)).toEqual(['held', 'held'])

  const [first] = await deliveries()
  const range = { from: '2020-01-01T00:00:00Z', to: '2090-01-01T00:00:00Z' }
  for (const refused of [
    await ada(testWebhook, { body: { ...about, id } }),
    await ada(resendDelivery, { body: { ...about, endpointId: id, id: first?.id } }),
    await ada(replayDeliveries, { body: { ...about, id, ...range } }),
  ])
    expect(refused.body).toMatchObject({ status: 'FAILURE', code: 'WEBHOOK_OFF' })
  for (const action of ['webhooks/test', 'webhooks/resend', 'webhooks/replay'])
    expect(await audited(action)).toMatchObject({ target: id, outcome: 'refused' })

  await ada(saveWebhook, { body: { ...about, id, url, events: ['contact.added'], isOn: true } })
  expect((await deliveries()).map(({ state }) => state)).toEqual(['held', 'held'])
  const replayed = await ada(replayDeliveries, { body: { ...about, id, ...range } })
  expect(replayed.body.data).toEqual({ events: 2 })
  expect((await deliveries()).map(({ state }) => state)).toEqual(['queued', 'queued'])
  expect(await audited('webhooks/replay')).toMatchObject({ target: id, after: { events: 2 } })
})

test('a replay has the events of its time, and delivered ones on request only', async () => {
  await removeAll()
  const { id } = await addWebhook()
  await writeContact('one@aerodyne.example')
  await portal.db.updateTable('webhook_delivery').set({ state: 'delivered', next_attempt_at: null }).execute()
  const at = portal.clock.now().getTime()
  const around = { from: new Date(at - 1000).toISOString(), to: new Date(at + 1000).toISOString() }
  const before = { from: new Date(at - 2000).toISOString(), to: new Date(at - 1000).toISOString() }
  const replay = async (more: object) => (await ada(replayDeliveries, { body: { ...about, id, ...more } })).body
  expect((await replay(around)).data).toEqual({ events: 0 })
  expect((await replay({ ...before, withDelivered: true })).data).toEqual({ events: 0 })
  expect((await replay({ ...around, withDelivered: true })).data).toEqual({ events: 1 })
  const wrong = await ada(replayDeliveries, { body: { ...about, id, from: around.to, to: around.from } })
  expect(wrong).toMatchObject({ status: 400, body: { err: '"from" must be before "to".' } })
})

test('a resent event is due at once', async () => {
  await removeAll()
  const { id } = await addWebhook()
  await writeContact('again@aerodyne.example')
  await portal.db
    .updateTable('webhook_delivery')
    .set({ state: 'failed', next_attempt_at: null, failures: 10, attempts: 10 })
    .execute()
  const [failed] = await deliveries()
  const resent = await ada(resendDelivery, { body: { ...about, endpointId: id, id: failed?.id } })
  expect(resent.status).toBe(200)
  expect(await deliveries()).toMatchObject([{ state: 'queued', nextAttemptAt: portal.clock.now().toISOString() }])
  expect(await audited('webhooks/resend')).toMatchObject({ target: id, after: { event: failed?.id } })
})

test('a removed webhook leaves nothing behind', async () => {
  await removeAll()
  const { id } = await addWebhook()
  await ada(testWebhook, { body: { ...about, id } })
  expect(await audited('webhooks/test')).toMatchObject({ target: id })
  expect(await deliveries()).toMatchObject([{ event: 'webhook.test' }])
  expect((await ada(removeWebhook, { body: { ...about, id } })).status).toBe(200)
  expect(await rows()).toEqual([])
  expect(await deliveries()).toEqual([])
  expect(await audited('webhooks/remove')).toMatchObject({ target: id, before: { isOn: true } })
})

test('the webhooks of an account are nobody else’s', async () => {
  const { id } = await addWebhook()
  const olivia = await portal.as(OLIVIA)
  const other = { customerNumber: '100002', id }
  expect((await olivia(removeWebhook, { body: other })).status).toBe(404)
  expect((await olivia(testWebhook, { body: other })).status).toBe(404)
})
