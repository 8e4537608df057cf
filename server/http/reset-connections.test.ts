import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'
import { addWebAccount } from '#server/testing/web-licenses.ts'

let portal: Portal
let port: number
let cookie: string
const lines: { level: number; url?: string }[] = []
const INFO = 30
beforeAll(async () => {
  portal = await startPortal({ LOG_LEVEL: 'info' }, { logStream: { write: (line) => lines.push(JSON.parse(line)) } })
  cookie = await signIn(portal.app, 'adam.admin@vendor.example')
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  port = (portal.app.server.address() as AddressInfo).port
})
afterAll(() => portal.close())
beforeEach(() => {
  lines.length = 0
})

const HOST = 'Host: localhost\r\n'
/** Stands for the cookie of a session. */
const SESSION = '<session>'
const BODY = `Cookie: ${SESSION}\r\nX-Portal: 1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"limit"`

test.each([
  ['a whole request', `GET /api/environment HTTP/1.1\r\n${HOST}\r\n`],
  ['a request to no route', `GET /no/such/page HTTP/1.1\r\n${HOST}\r\n`],
  ['a request with a session', `GET /api/getUserDetails HTTP/1.1\r\n${HOST}Cookie: ${SESSION}\r\n\r\n`],
  ['half of a body', `POST /api/getaccounts HTTP/1.1\r\n${HOST}${BODY}`],
])('a client that sends %s and resets its connection writes at most one line, at info', async (_, text) => {
  const accepted = once(portal.app.server, 'connection')
  const client = net.connect(port, '127.0.0.1')
  const [[server]] = (await Promise.all([accepted, once(client, 'connect')])) as unknown as [[net.Socket]]
  client.write(text.replace(SESSION, cookie))
  client.resetAndDestroy()
  await until(() => server.destroyed, 'the server has not noticed')
  // Another request is answered after everything that the reset has caused.
  await portal.app.inject({ url: '/api/after-the-reset' })
  await until(() => lines.some(({ url }) => url === '/api/after-the-reset'), 'the next request was not logged')
  const ofReset = lines.filter(({ url }) => url !== '/api/after-the-reset')
  expect(ofReset.length).toBeLessThanOrEqual(1)
  expect(ofReset.filter(({ level }) => level > INFO)).toEqual([])
})

/** Ports to threads: one more when a thread has started. */
const openPorts = () => process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort').length

test('a client that leaves while its PDF file is made writes no line above info', async () => {
  await addWebAccount(portal.db, 'O1', [])
  const request = JSON.stringify({ customerNumber: 'O1', from: '2026-06-10', to: '2026-06-11' })
  const head = `${HOST}Cookie: ${cookie}\r\nX-Requested-With: portal\r\nContent-Type: application/json\r\nContent-Length: ${request.length}\r\n\r\n`
  const url = '/api/optimization/pdf'
  const before = openPorts()
  const client = net.connect(port, '127.0.0.1')
  client.write(`POST ${url} HTTP/1.1\r\n${head}${request}`)
  await until(() => openPorts() > before, 'the thread that makes PDF files does not start')
  client.resetAndDestroy()
  // One thread makes the files in their order: this one is answered after the one that nobody waits for.
  const headers = { cookie, host: 'localhost', 'x-requested-with': 'portal' }
  const next = await portal.app.inject({ method: 'POST', url, headers, payload: JSON.parse(request) })
  expect(next.headers['content-type']).toBe('application/pdf')
  expect(lines.filter(({ level }) => level > INFO)).toEqual([])
})
