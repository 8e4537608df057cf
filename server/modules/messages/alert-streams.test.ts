import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createAlert } from '#contract/messages/alert-authoring.ts'
import { streamNotifications } from '#contract/messages/notifications.ts'
import type { Alert } from '#domain/messages/alerts.ts'
import { buildApp } from '#server/app.ts'
import { SIGN_IN_PEOPLE } from '#server/demo/sign-in-people.ts'
import { IDLE_LIMIT } from '#server/identity/sign-in-session.ts'
import { callOperation, type Portal, signIn, startPortal, takeAnyPort } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'

let portal: Portal
let origin: string
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  portal = await startPortal()
  origin = await portal.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await portal.close()
  vi.useRealTimers()
})

const VIC = 'vic.viewer@aerodyne.example'

/** What a browser's EventSource would have received so far. */
async function open(cookie: string, address = origin) {
  const answer = await fetch(address + streamNotifications.path, { headers: { cookie } })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const received = { text: '', ended: false }
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  const read = async () => {
    for (;;) {
      const part = await reader?.read()
      if (!part || part.done) break
      received.text += part.value
    }
    received.ended = true
  }
  read().catch(() => {
    received.ended = true
  })
  await until(() => eventsIn(received.text).length > 0, 'no first event')
  return { received, events: () => eventsIn(received.text), close: () => reader?.cancel() }
}

function eventsIn(text: string): { name: string; data: unknown }[] {
  return [...text.matchAll(/^event: (.*)\ndata: (.*)\n\n/gm)].map(([, name = '', data = '']) => ({
    name,
    data: JSON.parse(data),
  }))
}

async function publish(description: string): Promise<void> {
  const cookie = await signIn(portal.app, 'adam.admin@vendor.example')
  const date = portal.clock.now().toISOString()
  const { status } = await callOperation(portal.app, createAlert, cookie, {
    body: { category: 'CRITICAL', date, expires: null, description, service: ['Portal'], links: [] },
  })
  expect(status).toBe(200)
}

type Stream = Awaited<ReturnType<typeof open>>
const hasHeard = ({ events }: Stream, description: string) =>
  events().some(({ name, data }) => name === 'alerts' && descriptionsIn(data).includes(description))
const descriptionsIn = (data: unknown) => (data as Alert[]).map((alert) => alert.description)

test('a stream starts with the alerts of the banner, and sends a published alert at once in every process', async () => {
  const other = await buildApp({ ...portal, people: SIGN_IN_PEOPLE })
  takeAnyPort(other)
  const otherOrigin = await other.listen({ port: 0, host: '127.0.0.1' })
  const cookie = await signIn(portal.app, VIC)
  const streams = [await open(cookie), await open(cookie), await open(cookie, otherOrigin)]
  for (const stream of streams)
    expect(hasHeard(stream, 'Usage transactions arrive with a delay of up to two hours.')).toBe(true)
  await publish('Everything is down')
  for (const stream of streams) await until(() => hasHeard(stream, 'Everything is down'), 'the alert did not arrive')
  for (const { close } of streams) await close()
  await other.close()
})

test('sends alerts that were published while the database was unreachable', async () => {
  const stream = await open(await signIn(portal.app, VIC))
  // The job queue has a listener too.
  await until(async () => (await listeners()) === 2, 'nobody listens')
  await portal.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ~ '^(listen|notify "listener)'`,
  )
  await publish('Published meanwhile')
  await until(() => hasHeard(stream, 'Published meanwhile'), 'the alert did not arrive')
  await stream.close()
})

async function listeners(): Promise<number> {
  const { rows } = await portal.pool.query(
    `select 1 from pg_stat_activity where datname = current_database() and query ~ '^(listen|notify "listener)'`,
  )
  return rows.length
}

test('a stream ends when its own session signs out, not when another one does', async () => {
  const [one, other] = [await signIn(portal.app, VIC), await signIn(portal.app, VIC)]
  const [ended, living] = [await open(one), await open(other)]
  await portal.app.inject({
    method: 'POST',
    url: '/auth/logout',
    headers: { cookie: one, 'x-requested-with': 'portal' },
  })
  await until(() => ended.received.ended, 'the stream went on')
  expect(ended.events().at(-1)).toEqual({ name: 'end', data: 'signed out' })
  await publish('For those who stay')
  await until(() => hasHeard(living, 'For those who stay'), 'the other stream ended too')
  await living.close()
})

test('a stream does not keep its session alive, and ends when the session has been idle for too long', async () => {
  const stream = await open(await signIn(portal.app, VIC))
  portal.clock.forward(IDLE_LIMIT - 1)
  vi.advanceTimersByTime(20_000)
  await until(() => stream.received.text.endsWith(':\n\n'), 'no heartbeat')
  expect(stream.received.ended).toBe(false)
  portal.clock.forward(1)
  vi.advanceTimersByTime(20_000)
  await until(() => stream.received.ended, 'the stream went on')
  expect(stream.events().at(-1)?.name).toBe('end')
})

test('a stream needs a session, closes on request, and is refused beyond the limit of open tabs', async () => {
  const cookie = await signIn(portal.app, VIC)
  const send = (query: Record<string, string>, as: string | undefined) =>
    callOperation(portal.app, streamNotifications, as, { query })
  expect((await send({ wait: '0' }, cookie)).body.text).toMatch(/^event: alerts\ndata: \[/)
  expect((await send({ wait: '0' }, undefined)).status).toBe(401)
  expect((await send({ wait: '-1' }, cookie)).status).toBe(400)
  const streams = await Promise.all(Array.from({ length: 20 }, () => open(cookie)))
  expect((await send({}, cookie)).status).toBe(429)
  for (const { close } of streams) await close()
  await until(async () => (await send({ wait: '0' }, cookie)).status === 200, 'closed tabs still count')
})

test('shutdown does not wait for open streams', async () => {
  const stream = await open(await signIn(portal.app, VIC))
  await portal.app.close()
  await until(() => stream.received.ended, 'the stream went on')
})
