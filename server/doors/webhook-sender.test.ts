import dgram from 'node:dgram'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createWebhookSender, InterruptedError } from '#server/doors/webhook-sender.ts'
import { limit } from '#server/testing/slowness.ts'

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
    if (path === '/upgrade')
      return void request.socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      )
    if (path === '/bare-101') return void request.socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
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

test.each(['/upgrade', '/bare-101'])('answers with status 101 when %s switches protocols', async (path) => {
  const { result } = await createWebhookSender(allow('127.0.0.1'), { timeout: limit(1000) }).send(post(path))
  expect(result).toMatchObject({ kind: 'answer', status: 101 })
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
    { resolve: async () => addresses, timeout: limit(1000) },
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

/** A name server on this machine, and a sender that asks it. */
async function startNameServer(answer: (question: Buffer) => Buffer | undefined) {
  const socket = dgram.createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  let questions = 0
  socket.on('message', (question, from) => {
    questions++
    const bytes = answer(question)
    if (bytes) socket.send(bytes, from.port, from.address)
  })
  const sender = createWebhookSender(
    { isHttpAllowed: true, allowed: new Set() },
    { nameServers: { addresses: [`127.0.0.1:${socket.address().port}`], timeout: 300 } },
  )
  return { sender, questions: () => questions }
}

/** A DNS answer with this response code and these addresses. */
function answerOf(question: Buffer, code: number, ...addresses: Buffer[]): Buffer {
  const header = Buffer.from(question.subarray(0, 12))
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(addresses.length, 6)
  header.writeUInt16BE(0, 10)
  const end = question.indexOf(0, 12) + 5
  const type = question.subarray(end - 4, end)
  const records = addresses.map((address) =>
    Buffer.concat([Buffer.from([0xc0, 12]), type, Buffer.from([0, 0, 0, 60, 0, address.length]), address]),
  )
  return Buffer.concat([header, question.subarray(12, end), ...records])
}
const isAboutIPv4 = (question: Buffer) => question.readUInt16BE(question.indexOf(0, 12) + 1) === 1

test('names that a name server does not answer fail after its time limit, and take no thread', async () => {
  const { sender, questions } = await startNameServer(() => undefined)
  const sending = Array.from({ length: 20 }, (_, index) => sender.send(post('/200', `silent-${index}.example.com`)))
  await expect.poll(questions).toBeGreaterThanOrEqual(40)
  await expect(readFile(import.meta.filename)).resolves.toBeDefined()
  for (const { result } of await Promise.all(sending))
    expect(result).toEqual({ kind: 'failure', reason: 'The name of the host could not be looked up' })
})

test.each([
  { code: 2, reason: 'The name of the host could not be looked up' },
  { code: 3, reason: 'The name of the host was not found' },
  { code: 0, reason: 'The name of the host was not found' },
])('a DNS answer with code $code and no address fails: $reason', async ({ code, reason }) => {
  const { sender } = await startNameServer((question) => answerOf(question, code))
  expect((await sender.send(post('/200', 'nowhere.example.com'))).result).toEqual({ kind: 'failure', reason })
})

test('does not connect to a name that DNS leads to a private address', async () => {
  const before = seen.length
  const { sender } = await startNameServer((question) =>
    isAboutIPv4(question) ? answerOf(question, 0, Buffer.from([127, 0, 0, 1])) : answerOf(question, 0),
  )
  expect((await sender.send(post('/200', 'hooks.example.com'))).result).toEqual(NOT_PUBLIC)
  expect(seen.length).toBe(before)
})

test('finds hosts that the operator has named as this machine does, in its hosts file too', async () => {
  const sender = createWebhookSender(allow('localhost'), { nameServers: { addresses: ['192.0.2.1'], timeout: 300 } })
  expect((await sender.send(post('/200', 'localhost'))).result).toMatchObject({ status: 200 })
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
