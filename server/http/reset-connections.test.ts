import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'

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
