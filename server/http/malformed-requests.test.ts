import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOfStatus } from '#contract/kit/failure-code.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'

let portal: Portal
let port: number
let key: string
beforeAll(async () => {
  portal = await startPortal({ PUBLIC_URL: 'https://portal.test', DEMO: '1' })
  key = (await giveServiceKey(portal, 'Malformed requests')).key
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  port = (portal.app.server.address() as AddressInfo).port
})
afterAll(() => portal.close())

type Received = { status: number; headers: Headers; body: string }

/** Sends bytes that no HTTP client would send, and reads the answer up to the end of the connection. */
async function send(bytes: string): Promise<Received> {
  const socket = net.connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (piece) => {
    text += piece
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(bytes.replace(KEY, key))
  await once(socket, 'close')
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [start = '', ...lines] = head.split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  )
  return { status: Number(start.split(' ')[1]), headers, body }
}

/** Stands for a service key: only known callers have their bodies read. */
const KEY = '<key>'
const USAGE = `POST /service/v1/usage HTTP/1.1\r\nAuthorization: Bearer ${KEY}\r\n`
const HOST = 'Host: portal.test\r\nConnection: close\r\n'
const json = (length: number, body = '') =>
  `Content-Type: application/json\r\nContent-Length: ${length}\r\n${HOST}\r\n${body}`

const CASES: [what: string, bytes: string, status: number][] = [
  ['two Host headers', `GET /api/environment HTTP/1.1\r\nHost: evil.example\r\n${HOST}\r\n`, 400],
  ['CONNECT', `CONNECT example.com:443 HTTP/1.1\r\n${HOST}\r\n`, 400],
  ['a request line that is none', 'hello\r\n\r\n', 400],
  ['a method that is none', `FETCH /api/environment HTTP/1.1\r\n${HOST}\r\n`, 400],
  ['a version that is none', `GET / HTTP/9.9\r\n${HOST}\r\n`, 400],
  ['a header that is none', `GET / HTTP/1.1\r\n${HOST}bad header\r\n\r\n`, 400],
  ['two lengths', `POST /api/getaccounts HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n${HOST}\r\n`, 400],
  ['a length and chunks', `POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n${HOST}\r\n`, 400],
  ['headers that are too large', `GET / HTTP/1.1\r\n${HOST}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['a path that is too long', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`, 431],
  ['a path that cannot be decoded', `GET /api/%E0%A4%A HTTP/1.1\r\n${HOST}\r\n`, 400],
  ['a part of the path that is too long', `GET /api/notifications/${'x'.repeat(600)} HTTP/1.1\r\n${HOST}\r\n`, 414],
  ['a host that is not ours', 'GET /api/environment HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n', 421],
  ['no host', 'GET /api/environment HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['an unknown call', `GET /api/nothing HTTP/1.1\r\n${HOST}\r\n`, 404],
  ['an unknown call by a whole address', `GET http://portal.test/api/nothing HTTP/1.1\r\n${HOST}\r\n`, 404],
  ['a call by another method', `PROPFIND /api/getaccounts HTTP/1.1\r\n${HOST}\r\n`, 404],
  ['an expectation that nobody meets', `GET /api/nothing HTTP/1.1\r\nExpect: wonders\r\n${HOST}\r\n`, 404],
  ['a body that is too large', `${USAGE}${json(20_000_000)}`, 413],
  ['a body of another type', `${USAGE}Content-Type: text/xml\r\nContent-Length: 4\r\n${HOST}\r\n<a/>`, 415],
  ['a body that is no JSON', `${USAGE}${json(1, '{')}`, 400],
  ['nobody’s call', `POST /api/getaccounts HTTP/1.1\r\n${json(2, '{}')}`, 401],
]

test.each(CASES)('the answer to %s has the shape and the headers of every other error', async (_, bytes, status) => {
  const answer = await send(bytes)
  expect(answer.status, answer.body).toBe(status)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  const body = JSON.parse(answer.body) as { status: string; code: string; err: string }
  expect(body).toMatchObject({ status: 'FAILURE', code: codeOfStatus(status) })
  expect(body.err).toMatch(/^[A-Z].{8,}/)
  expect(body).not.toHaveProperty('statusCode')
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/)
  expect(answer.headers.get('content-security-policy')).toMatch(/default-src '(?:none|self)'/)
  expect(answer.headers.get('strict-transport-security')).toContain('max-age=31536000')
  for (const [name, value] of Object.entries({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  }))
    expect(answer.headers.get(name), name).toBe(value)
})
