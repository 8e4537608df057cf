import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CookieJar, follow, type Portal, startPortal } from '#server/testing/portal.ts'

const DEMO = '/demo-idp/.well-known/openid-configuration'
const METRICS = '/metrics'

let portal: Portal
beforeAll(async () => {
  portal = await startPortal({ TRUST_PROXY: '127.0.0.9' })
})
afterAll(() => portal.close())

async function sendForStatus(url: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') {
  return (await portal.app.inject({ url, headers, remoteAddress })).statusCode
}

describe.each([
  ['the demo sign-in', DEMO],
  ['/metrics without METRICS_TOKEN', METRICS],
])('access to %s', (_name, url) => {
  test('is open to this machine', async () => {
    for (const address of ['127.0.0.1', '127.3.2.1', '::1', '::ffff:127.0.0.1'])
      expect(await sendForStatus(url, {}, address), address).toBe(200)
  })

  test('is closed to other machines', async () => {
    for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1'])
      expect(await sendForStatus(url, {}, address), address).toBe(403)
  })

  test.each([
    ['X-Forwarded-For', '127.0.0.1'],
    ['X-Forwarded-For', '192.0.2.7'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Forwarded-Host', 'localhost'],
    ['X-Real-IP', '192.0.2.7'],
    ['Forwarded', 'for=192.0.2.7'],
    ['Via', '1.1 proxy'],
    ['CF-Connecting-IP', '192.0.2.7'],
  ])('is closed to a proxy that is not trusted and sends %s: %s', async (name, value) => {
    expect(await sendForStatus(url, { [name]: value })).toBe(403)
  })

  test('is open through a trusted proxy to this machine only', async () => {
    const through = (headers: Record<string, string>) => sendForStatus(url, headers, '127.0.0.9')
    expect(await through({ 'x-forwarded-for': '127.0.0.1' })).toBe(200)
    expect(await through({ 'x-forwarded-for': '192.0.2.7' })).toBe(403)
    expect(await through({ 'x-forwarded-for': '127.0.0.1, 192.0.2.7' })).toBe(403)
    // A proxy that does not name its client may ask for anybody.
    expect(await through({ via: '1.1 proxy' })).toBe(403)
    expect(await through({ 'x-real-ip': '127.0.0.1' })).toBe(403)
  })
})

test('a spoofed client address behind two trusted proxies does not open the demo', async () => {
  const trusting = await startPortal({ TRUST_PROXY: 'loopback, uniquelocal' })
  const headers = { 'x-forwarded-for': '127.0.0.1, 10.0.0.5' }
  expect((await trusting.app.inject({ url: DEMO, headers })).statusCode).toBe(403)
  await trusting.close()
})

test('/metrics at a name that is not loopback needs METRICS_TOKEN', async () => {
  expect(await sendForStatus(METRICS, { host: 'portal.example' })).toBe(403)
  expect(await sendForStatus(METRICS, { host: '127.0.0.1.evil.example' })).toBe(403)
  expect(await sendForStatus(METRICS, { host: '127.0.0.1:8080' })).toBe(200)
})

test('/metrics of a portal with a public address needs METRICS_TOKEN, also on this machine', async () => {
  const open = await startPortal({ PUBLIC_URL: 'https://portal.test', DEMO: '1' })
  expect((await open.app.inject({ url: METRICS, headers: { host: '127.0.0.1:8080' } })).statusCode).toBe(403)
  await open.close()
})

test('METRICS_TOKEN opens /metrics from anywhere, and nothing else does', async () => {
  const guarded = await startPortal({ METRICS_TOKEN: 'open-sesame' })
  const read = async (authorization?: string) =>
    (
      await guarded.app.inject({
        url: METRICS,
        remoteAddress: '192.0.2.7',
        headers: { host: 'portal.example', via: '1.1 proxy', ...(authorization ? { authorization } : {}) },
      })
    ).statusCode
  expect(await read('Bearer open-sesame')).toBe(200)
  for (const wrong of [undefined, 'open-sesame', 'Bearer open-sesamf', 'Bearer open-sesame ', 'Bearer ', 'Basic x'])
    expect(await read(wrong), wrong).toBe(403)
  expect((await guarded.app.inject(METRICS)).statusCode).toBe(403)
  await guarded.close()
})

describe('a demo with DEMO=1', () => {
  test('lets everybody sign in, also through a proxy that terminates TLS', async () => {
    const open = await startPortal({ PUBLIC_URL: 'https://portal.test', DEMO: '1', TRUST_PROXY: '192.0.2.1' })
    const headers = { host: 'portal.test', 'x-forwarded-for': '192.0.2.7', 'x-forwarded-host': 'evil.example' }
    const answer = await open.app.inject({ url: DEMO, headers, remoteAddress: '198.51.100.9' })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ token_endpoint: 'https://portal.test/demo-idp/token' })
    const jar = new CookieJar()
    const end = await follow(open.app, jar, '/auth/login?login_hint=ada.admin@aerodyne.example', 'https://portal.test')
    expect(end.headers.location, end.body).toBe('/home')
    expect(jar.get('__Host-session')).toBeDefined()
    await open.close()
  })
})
