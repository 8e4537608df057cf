import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAlert } from '#contract/messages/alert-authoring.ts'
import { streamNotifications } from '#contract/messages/notifications.ts'
import { callOperation, type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'

let portal: Portal
let port: number
let cookie: string
beforeAll(async () => {
  portal = await startPortal()
  const { server } = portal.app
  expect(server.requestTimeout).toBe(60_000)
  expect(server.headersTimeout).toBe(20_000)
  expect(server.timeout).toBe(120_000)
  expect(server.keepAliveTimeout + server.keepAliveTimeoutBuffer).toBe(87_000)
  // Shorter limits than in the product, so that the test does not wait for a minute.
  Object.assign(server, { requestTimeout: 400, headersTimeout: 200, connectionsCheckingInterval: 50 })
  cookie = await signIn(portal.app, 'adam.admin@vendor.example')
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  port = (server.address() as AddressInfo).port
})
afterAll(() => portal.close())

async function connect(text: string) {
  const socket = net.connect(port, '127.0.0.1')
  const received = { text: '', isClosed: false }
  socket.setEncoding('utf8').on('data', (piece) => {
    received.text += piece
  })
  socket
    .on('error', () => {})
    .on('close', () => {
      received.isClosed = true
    })
  await once(socket, 'connect')
  socket.write(text.replace(SESSION, cookie))
  return { socket, received }
}

const HOST = 'Host: localhost\r\n'
/** Stands for the cookie of a session. */
const SESSION = '<session>'

test.each([
  [
    'a body',
    `POST /api/getaccounts HTTP/1.1\r\n${HOST}Cookie: ${SESSION}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"limit"`,
  ],
  ['headers', `GET /api/environment HTTP/1.1\r\n${HOST}X-Slow: `],
])('closes a connection whose %s never ends, with 408', async (_, text) => {
  const { received } = await connect(text)
  await until(() => received.isClosed, 'the connection is still open')
  expect(received.text).toMatch(/^HTTP\/1\.1 408 /)
  expect(JSON.parse(received.text.split('\r\n\r\n')[1] ?? '')).toEqual({
    status: 'FAILURE',
    code: 'INVALID_REQUEST',
    err: 'The request took too long to arrive',
  })
})

test('closes a connection that never sends anything', async () => {
  const { received } = await connect('')
  await until(() => received.isClosed, 'the connection is still open')
})

test('leaves an event stream open for longer than a request may take to arrive', async () => {
  const stream = await connect(`GET ${streamNotifications.path} HTTP/1.1\r\n${HOST}Cookie: ${cookie}\r\n\r\n`)
  await until(() => stream.received.text.includes('event: alerts'), 'no first event')
  // A later connection that sends nothing has been closed already, so the limits were checked in the meantime.
  const silent = await connect(
    `POST /api/getaccounts HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n`,
  )
  await until(() => silent.received.isClosed, 'the connection is still open')
  expect(stream.received.isClosed).toBe(false)

  const body = { category: 'CRITICAL', date: portal.clock.now().toISOString(), expires: null, links: [] }
  const alert = { ...body, description: 'After the limit', service: ['Portal'] }
  expect((await callOperation(portal.app, createAlert, cookie, { body: alert })).status).toBe(200)
  await until(() => stream.received.text.includes('After the limit'), 'the stream is dead')
  stream.socket.destroy()
})
