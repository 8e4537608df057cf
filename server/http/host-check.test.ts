import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setFeatures } from '#contract/settings/features.ts'
import { callOperation, ORIGIN, type Portal, signIn, startPortal } from '#server/testing/portal.ts'

let portal: Portal
beforeAll(async () => {
  portal = await startPortal({ PUBLIC_URL: 'http://127.0.0.1:8080', TRUST_PROXY: '192.0.2.1' })
})
afterAll(() => portal.close())

const get = (url: string, headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
  portal.app.inject({ url, headers, remoteAddress })

test.each(['evil.example', 'evil.example:8080', '127.0.0.1', '127.0.0.1:9090', '127.0.0.1:8080.evil.example', '%'])(
  'refuses Host "%s" with 421',
  async (host) => {
    for (const url of ['/api/environment', '/config.json', '/auth/login', '/demo-idp/auth', '/nothing']) {
      const answer = await get(url, { host, accept: 'text/html' })
      expect(answer.statusCode, url).toBe(421)
      expect(answer.json()).toMatchObject({
        status: 'FAILURE',
        err: expect.stringContaining('This portal is at http://127.0.0.1:8080'),
      })
    }
  },
)

test('accepts the configured host', async () => {
  expect((await get('/api/environment', { host: '127.0.0.1:8080' })).statusCode).toBe(200)
})

test.each(['https://portal.test', 'https://PORTAL.test:443'])(
  'accepts %s with and without its port',
  async (origin) => {
    const secure = await startPortal({ PUBLIC_URL: origin, DEMO: '1' })
    for (const host of ['portal.test', 'Portal.Test', 'portal.test:443'])
      expect((await secure.app.inject({ url: '/api/environment', headers: { host } })).statusCode, host).toBe(200)
    expect((await secure.app.inject({ url: '/api/environment', headers: { host: 'portal.test:80' } })).statusCode).toBe(
      421,
    )
    await secure.close()
  },
)

test('answers probes whatever their Host', async () => {
  for (const url of ['/healthz', '/readyz', '/metrics'])
    expect((await get(url, { host: 'localhost:1234' })).statusCode, url).toBe(200)
})

test('takes X-Forwarded-Host from a trusted proxy only', async () => {
  const headers = { host: '10.0.0.5:8080', 'x-forwarded-host': '127.0.0.1:8080' }
  expect((await get('/api/environment', headers, '192.0.2.1')).statusCode).toBe(200)
  expect((await get('/api/environment', headers)).statusCode).toBe(421)
})

describe('another name of this machine', () => {
  test.each(['localhost:8080', 'portal.localhost:8080', '[::1]:8080', '127.0.0.2:8080'])(
    'sends pages at %s to the configured address',
    async (host) => {
      const page = await get('/ssl?customer=100001', { host, accept: 'text/html,*/*;q=0.8' })
      expect(page.statusCode).toBe(302)
      expect(page.headers.location).toBe('http://127.0.0.1:8080/ssl?customer=100001')
      const login = await get('/auth/login?login_hint=x', { host })
      expect(login.headers.location).toBe('http://127.0.0.1:8080/auth/login?login_hint=x')
    },
  )

  test('is refused for API calls and forms', async () => {
    expect((await get('/api/environment', { host: 'localhost:8080', accept: 'application/json' })).statusCode).toBe(421)
    const form = await portal.app.inject({
      method: 'POST',
      url: '/auth/logout',
      headers: { host: 'localhost:8080', accept: 'text/html', 'x-requested-with': 'portal' },
    })
    expect(form.statusCode).toBe(421)
  })

  test('is refused on another port', async () => {
    expect((await get('/', { host: 'localhost:9090', accept: 'text/html' })).statusCode).toBe(421)
  })
})

/** The status of a request that is sent byte by byte as given. */
async function sendForStatus({ app }: Portal, ...lines: string[]): Promise<string | undefined> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = net.connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'))
  let text = ''
  socket.setEncoding('utf8').on('data', (piece) => {
    text += piece
  })
  await once(socket, 'close')
  return text.split(' ')[1]
}

test.each([
  ['421', ['GET /api/environment HTTP/1.0']],
  ['200', ['GET /healthz HTTP/1.0']],
  ['200', ['GET /api/environment HTTP/1.0', 'Host: 127.0.0.1:8080']],
  ['200', ['GET http://127.0.0.1:8080/api/environment HTTP/1.1', 'Host: 127.0.0.1:8080']],
  ['421', ['GET http://evil.example/api/environment HTTP/1.1', 'Host: 127.0.0.1:8080']],
  ['421', ['GET http://127.0.0.1:8080/api/environment HTTP/1.1', 'Host: evil.example']],
  ['421', ['GET http://evil.example?x HTTP/1.1', 'Host: 127.0.0.1:8080']],
  ['421', ['GET ftp://127.0.0.1:8080/api/environment HTTP/1.1', 'Host: 127.0.0.1:8080']],
  ['421', ['GET http://x@127.0.0.1:8080/api/environment HTTP/1.1', 'Host: 127.0.0.1:8080']],
])('answers %s to %j', async (status, lines) => {
  expect(await sendForStatus(portal, ...lines)).toBe(status)
})

test('counts requests with an absolute target against the rate limit', async () => {
  const small = await startPortal({ PUBLIC_URL: 'http://127.0.0.1:8080', RATE_LIMIT: '2' })
  const lines = ['GET http://127.0.0.1:8080/api/environment HTTP/1.1', 'Host: 127.0.0.1:8080']
  const statuses = []
  for (let n = 0; n < 3; n++) statuses.push(await sendForStatus(small, ...lines))
  expect(statuses).toEqual(['200', '200', '429'])
  await small.close()
})

test('refuses a write whose Origin is not the configured one, whatever its Host', async () => {
  const own = await startPortal({ TRUST_PROXY: '127.0.0.1' })
  const cookie = await signIn(own.app, 'ada.admin@aerodyne.example')
  const save = async (headers: Record<string, string>) =>
    (await callOperation(own.app, setFeatures, cookie, { body: { features: ['home'] }, headers })).status
  expect(await save({ origin: ORIGIN })).toBe(200)
  expect(await save({})).toBe(200)
  for (const origin of [
    'https://localhost',
    'http://localhost:81',
    'https://localhost:80',
    'http://evil.example',
    'null',
  ])
    expect(await save({ origin }), origin).toBe(403)
  await own.close()
})
