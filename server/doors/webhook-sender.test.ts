import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWebhookSender, InterruptedError } from '#server/doors/webhook-sender.ts'

/** A server on this machine that answers as its path says. */
let server: http.Server
let port: number
const seen: { path: string; host: string | undefined; body: string }[] = []
beforeAll(async () => {
  server = http.createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const path = request.url ?? ''
    seen.push({ path, host: request.headers.host, body })
    if (path === '/hang') return
    if (path === '/half') return void response.writeHead(200, { 'content-length': 10 }).write('half')
    if (path === '/reset') return void request.socket.destroy()
    if (path === '/cut') {
      response.writeHead(200, { 'content-length': 10 }).write('cut')
      return void setImmediate(() => request.socket.destroy())
    }
    if (path === '/long') return void response.end('x'.repeat(1_000_000))
    if (path === '/nul') return void response.end('a\0b')
    const status = Number(path.slice(1)) || 200
    response.writeHead(status, { location: 'http://127.0.0.1/', 'retry-after': '120', 'x-long': 'y'.repeat(900) })
    response.end(`answer ${status}`)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const allow = (host: string) => ({ isHttpAllowed: true, allowed: new Set([`${host}:${port}`]) })
const post = (path: string, host = '127.0.0.1') => ({
  url: `http://${host}:${port}${path}`,
  headers: { 'content-type': 'application/json', 'webhook-id': 'one' },
  body: '{"a":"ä"}',
})

test('sends the body and answers with the status, the headers and the body', async () => {
  const sent = await createWebhookSender(allow('127.0.0.1')).send(post('/200'))
  expect(sent.result).toEqual({ kind: 'answer', status: 200, retryAfter: '120' })
  expect(sent.body).toBe('answer 200')
  expect(sent.headers['x-long']).toHaveLength(500)
  expect(seen.at(-1)?.body).toBe('{"a":"ä"}')
})

test.each([301, 302, 307, 410, 500])('answers with status %i and follows nothing', async (status) => {
  const before = seen.length
  const { result } = await createWebhookSender(allow('127.0.0.1')).send(post(`/${status}`))
  expect(result).toMatchObject({ kind: 'answer', status })
  expect(seen.length).toBe(before + 1)
})

test.each(['/hang', '/half'])('gives up at %s after the time limit', async (path) => {
  const { result } = await createWebhookSender(allow('127.0.0.1'), { timeout: 100 }).send(post(path))
  expect(result).toEqual({ kind: 'timeout' })
})

test.each(['/reset', '/cut'])('reports a connection that ends early at %s', async (path) => {
  const { result } = await createWebhookSender(allow('127.0.0.1')).send(post(path))
  expect(result).toEqual({ kind: 'failure', reason: 'The connection was closed before an answer' })
})

test('reads only the beginning of a long answer', async () => {
  const sent = await createWebhookSender(allow('127.0.0.1')).send(post('/long'))
  expect(sent.result).toMatchObject({ kind: 'answer', status: 200 })
  expect(sent.body).toBe('x'.repeat(4096))
})

test('leaves out characters that the database cannot store', async () => {
  expect((await createWebhookSender(allow('127.0.0.1')).send(post('/nul'))).body).toBe('ab')
})

test('reports a port at which nobody listens', async () => {
  const closed = http.createServer().listen(0, '127.0.0.1')
  await new Promise((ready) => closed.once('listening', ready))
  const free = (closed.address() as AddressInfo).port
  await new Promise((ready) => closed.close(ready))
  const sender = createWebhookSender({ isHttpAllowed: true, allowed: new Set([`127.0.0.1:${free}`]) })
  const { result } = await sender.send({ url: `http://127.0.0.1:${free}/`, headers: {}, body: '' })
  expect(result).toEqual({ kind: 'failure', reason: 'The connection was refused' })
})

const NOT_PUBLIC = { kind: 'failure', reason: expect.stringContaining('not public') }

test.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '169.254.169.254', '10.1.2.3'])(
  'does not connect to %s',
  async (host) => {
    const before = seen.length
    const sender = createWebhookSender({ isHttpAllowed: true, allowed: new Set() })
    expect((await sender.send(post('/200', host))).result).toEqual(NOT_PUBLIC)
    expect(seen.length).toBe(before)
  },
)

test.each([
  [[{ address: '127.0.0.1', family: 4 }]],
  [[{ address: '::1', family: 6 }]],
  [
    [
      { address: '8.8.8.8', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ],
  ],
])('does not connect to a public name that leads to %j, and does not tell where it leads', async (addresses) => {
  const before = seen.length
  const sender = createWebhookSender(
    { isHttpAllowed: true, allowed: new Set() },
    { resolve: async () => addresses, timeout: 1000 },
  )
  const { result } = await sender.send(post('/200', 'hooks.example.com'))
  expect(result).toEqual(NOT_PUBLIC)
  expect(JSON.stringify(result)).not.toContain(addresses[0]?.address)
  expect(seen.length).toBe(before)
})

test('connects to the address that was checked: a name is looked up once per request', async () => {
  const answers = [
    [{ address: '127.0.0.1', family: 4 }],
    [{ address: '10.0.0.1', family: 4 }],
    [{ address: '10.0.0.1', family: 4 }],
  ]
  let lookups = 0
  const sender = createWebhookSender(allow('rebinding.example.com'), { resolve: async () => answers[lookups++] ?? [] })
  expect((await sender.send(post('/200', 'rebinding.example.com'))).result).toMatchObject({ status: 200 })
  expect(lookups).toBe(1)
  expect(seen.at(-1)?.host).toBe(`rebinding.example.com:${port}`)
})

test('a name without an address is a failure', async () => {
  const sender = createWebhookSender({ isHttpAllowed: true, allowed: new Set() }, { resolve: async () => [] })
  const { result } = await sender.send(post('/200', 'nowhere.example.com'))
  expect(result).toEqual({ kind: 'failure', reason: 'The name nowhere.example.com has no address' })
})

test('refuses http where only https is allowed, also for hosts that the operator has named', async () => {
  const sender = createWebhookSender({ ...allow('127.0.0.1'), isHttpAllowed: false })
  expect((await sender.send(post('/200'))).result).toMatchObject({ kind: 'failure' })
})

test('closing interrupts what is being sent', async () => {
  const sender = createWebhookSender(allow('127.0.0.1'))
  const before = seen.length
  const sending = sender.send(post('/hang'))
  await expect.poll(() => seen.length).toBe(before + 1)
  sender.close()
  await expect(sending).rejects.toBeInstanceOf(InterruptedError)
})
