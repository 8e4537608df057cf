import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { getUserDetails } from '#contract/accounts/get-user-details.ts'
import { activeNotifications } from '#contract/messages/notifications.ts'
import { SIGN_IN_PEOPLE } from '#server/demo/sign-in-people.ts'
import { safeReturnTo } from '#server/identity/sign-in.ts'
import { CookieJar, callOperation, follow, ORIGIN, type Portal, signIn, startPortal } from '#server/testing/portal.ts'

const ADA = 'ada.admin@aerodyne.example'
const MINUTE = 60_000
const unverified = {
  email: 'una.unverified@nowhere.example',
  firstName: 'Una',
  lastName: 'Unverified',
  about: '',
  emailVerified: false,
}

let portal: Portal
beforeAll(async () => {
  portal = await startPortal({}, { people: [...SIGN_IN_PEOPLE, unverified] })
})
afterAll(() => portal.close())

const me = (cookie: string | undefined) => callOperation(portal.app, getUserDetails, cookie, {})

/** Goes to the provider and stops with the address that leads back to the portal. */
async function callbackFor(email: string, jar: CookieJar, query = ''): Promise<string> {
  const app = portal.app
  let url = `/auth/login?login_hint=${email}${query}`
  for (let hops = 0; hops < 10; hops++) {
    const answer = await app.inject({ url, headers: { cookie: jar.header() } })
    jar.take(answer)
    const next = new URL(String(answer.headers.location), ORIGIN)
    if (next.pathname === '/auth/callback') return next.pathname + next.search
    url = next.pathname + next.search
  }
  throw new Error('no callback')
}

const open = (url: string, jar: CookieJar) => portal.app.inject({ url, headers: { cookie: jar.header() } })

test('a demo person signs in through the provider', async () => {
  const answer = await me(await signIn(portal.app, ADA))
  expect(answer).toMatchObject({
    status: 200,
    body: {
      status: 'SUCCESS',
      data: { email: ADA, firstName: 'Ada', lastName: 'Admin', roles: ['user', 'portaledit'] },
    },
  })
})

test('an email address matches in any case', async () => {
  expect((await me(await signIn(portal.app, 'ADA.Admin@Aerodyne.example'))).status).toBe(200)
})

test('without a session, and with a forged one, the answer is 401', async () => {
  for (const cookie of [undefined, 'session=forged', `session=${'A'.repeat(43)}`, 'session=', "session=' or 1=1 --"])
    expect(await me(cookie)).toMatchObject({ status: 401, body: { status: 'FAILURE', err: 'Sign in to continue' } })
})

test('the cookie is HttpOnly and bound to this portal', async () => {
  const jar = new CookieJar()
  const answer = await open(await callbackFor(ADA, jar), jar)
  const cookie = answer.cookies.find((one) => one.name === 'session')
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
})

describe('a forged or outdated sign-in is refused', () => {
  test('a wrong state is refused', async () => {
    const jar = new CookieJar()
    const url = new URL(await callbackFor(ADA, jar), ORIGIN)
    url.searchParams.set('state', 'another')
    const answer = await open(url.pathname + url.search, jar)
    expect(answer.statusCode).toBe(400)
    expect(answer.cookies.find((one) => one.name === 'session')).toBeUndefined()
  })

  test('an unknown state is refused', async () => {
    const url = await callbackFor(ADA, new CookieJar())
    expect((await open(url, new CookieJar())).statusCode).toBe(400)
  })

  test('a replayed code is refused', async () => {
    const jar = new CookieJar()
    const url = await callbackFor(ADA, jar)
    const again = new CookieJar()
    for (const name of jar.names()) again.set(name, jar.get(name) ?? '')
    expect((await open(url, jar)).statusCode).toBe(302)
    expect((await open(url, again)).statusCode).toBe(400)
  })

  test('the code of another sign-in is refused', async () => {
    const [mine, theirs] = [new CookieJar(), new CookieJar()]
    const url = new URL(await callbackFor(ADA, mine), ORIGIN)
    const stolen = new URL(await callbackFor('vic.viewer@aerodyne.example', theirs), ORIGIN)
    url.searchParams.set('code', stolen.searchParams.get('code') ?? '')
    expect((await open(url.pathname + url.search, mine)).statusCode).toBe(400)
  })

  test('an unverified email is refused', async () => {
    const jar = new CookieJar()
    const answer = await open(await callbackFor(unverified.email, jar), jar)
    expect(answer.statusCode).toBe(403)
    expect(answer.json().err).toContain('has not verified the email address')
    expect(answer.cookies.find((one) => one.name === 'session')).toBeUndefined()
  })

  test('an attempt older than ten minutes is refused', async () => {
    const jar = new CookieJar()
    const url = await callbackFor(ADA, jar)
    portal.clock.forward(11 * MINUTE)
    expect((await open(url, jar)).statusCode).toBe(400)
  })
})

test('HEAD neither starts nor completes a sign-in', async () => {
  const jar = new CookieJar()
  const url = await callbackFor(ADA, jar)
  const attempts = () => portal.db.selectFrom('sign_in_attempt').selectAll().execute()
  const before = await attempts()
  for (const address of [url, '/auth/login'])
    expect(
      (await portal.app.inject({ method: 'HEAD', url: address, headers: { cookie: jar.header() } })).statusCode,
    ).toBe(404)
  expect(await attempts()).toEqual(before)
  expect((await open(url, jar)).statusCode).toBe(302)
})

test('a second person who signs in in the same browser replaces the first', async () => {
  const jar = new CookieJar()
  await follow(portal.app, jar, `/auth/login?login_hint=${ADA}`)
  await follow(portal.app, jar, '/auth/login?login_hint=olivia.ops@vendor.example')
  expect((await me(`session=${jar.get('session')}`)).body).toMatchObject({
    data: { email: 'olivia.ops@vendor.example' },
  })
})

test.each([
  ['/transactions?customer=100001', '/transactions?customer=100001'],
  ['https://evil.example/', '/home'],
  ['//evil.example', '/home'],
])('returnTo %s leads to %s', async (returnTo, location) => {
  const jar = new CookieJar()
  const answer = await open(await callbackFor(ADA, jar, `&returnTo=${encodeURIComponent(returnTo)}`), jar)
  expect(answer.headers.location).toBe(location)
})

describe('a session ends', () => {
  test('30 minutes after the last call', async () => {
    const cookie = await signIn(portal.app, ADA)
    portal.clock.forward(29 * MINUTE)
    expect((await me(cookie)).status).toBe(200)
    portal.clock.forward(29 * MINUTE)
    expect((await me(cookie)).status).toBe(200)
    portal.clock.forward(30 * MINUTE)
    expect((await me(cookie)).status).toBe(401)
  })

  test('a session ends after 12 hours, even if it is in use', async () => {
    const cookie = await signIn(portal.app, ADA)
    for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
      portal.clock.forward(20 * MINUTE)
      expect((await me(cookie)).status).toBe(200)
    }
    portal.clock.forward(20 * MINUTE)
    expect((await me(cookie)).status).toBe(401)
  })

  test('background calls do not keep a session alive', async () => {
    const cookie = await signIn(portal.app, ADA)
    for (const minutes of [10, 10, 9]) {
      portal.clock.forward(minutes * MINUTE)
      expect((await callOperation(portal.app, activeNotifications, cookie, {})).status).toBe(200)
    }
    portal.clock.forward(1 * MINUTE)
    expect((await me(cookie)).status).toBe(401)
  })

  test('sign-out ends a session at once, together with that of the provider', async () => {
    const jar = new CookieJar()
    await follow(portal.app, jar, `/auth/login?login_hint=${ADA}`)
    const cookie = jar.header()
    const answer = await portal.app.inject({
      method: 'POST',
      url: '/auth/logout',
      headers: { cookie, 'x-requested-with': 'portal' },
    })
    expect(answer.json()).toEqual({ status: 'SUCCESS', data: { location: '/' } })
    jar.take(answer)
    expect((await me(cookie)).status).toBe(401)
    const page = await follow(portal.app, jar, '/auth/login')
    expect(page.body).toContain('Choose a demo person')
  })
})

test('sign-out cannot be called by another site', async () => {
  const cookie = await signIn(portal.app, ADA)
  for (const headers of [
    {},
    { 'x-requested-with': 'portal', origin: 'https://evil.example' },
    { 'x-requested-with': 'portal', 'sec-fetch-site': 'cross-site' },
  ])
    expect(
      (await portal.app.inject({ method: 'POST', url: '/auth/logout', headers: { cookie, ...headers } })).statusCode,
    ).toBe(403)
  expect((await me(cookie)).status).toBe(200)
})

test('over https the cookies have the __Host- prefix', async () => {
  const secure = await startPortal({ PUBLIC_URL: 'https://portal.test', DEMO: '1' })
  const answer = await secure.app.inject({ url: '/auth/login', headers: { host: 'portal.test' } })
  expect(answer.cookies[0]).toMatchObject({ name: expect.stringMatching(/^__Host-sign_in_/), secure: true, path: '/' })
  expect(answer.headers['strict-transport-security']).toBeDefined()
  await secure.close()
})

test('the query of the callback is never logged', async () => {
  const lines: string[] = []
  const logged = await startPortal({ LOG_LEVEL: 'debug' }, { logStream: { write: (line) => void lines.push(line) } })
  onTestFinished(() => logged.close())
  const begun = await logged.app.inject('/auth/login')
  const cookie = begun.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const state = new URL(String(begun.headers.location)).searchParams.get('state')
  const query = `error=access_denied&error_description=SECRET&state=${state}`
  const answer = await logged.app.inject({ url: `/auth/callback?${query}`, headers: { cookie } })
  expect(answer.statusCode).toBe(400)
  expect(lines.join('')).toContain('sign-in failed')
  expect(lines.join('')).not.toContain('SECRET')
})

describe('safeReturnTo', () => {
  test.each([
    ['/elastic?customer=100001#top', '/elastic?customer=100001#top'],
    ['/emails/42', '/emails/42'],
    [undefined, '/home'],
    ['', '/home'],
    ['https://evil.example/', '/home'],
    ['//evil.example', '/home'],
    ['/\\evil.example', '/home'],
    ['/\t/evil.example', '/home'],
    ['/a\\..\\\\evil.example', '/home'],
    ['/..//evil.example', '/home'],
    ['/.//evil.example', '/home'],
    ['/a/..//evil.example', '/home'],
    ['/%2e%2e//evil.example', '/home'],
    ['/../api/getUserDetails', '/home'],
    ['javascript:alert(1)', '/home'],
    ['elastic', '/home'],
    ['/auth/login', '/home'],
    ['/api/getUserDetails', '/home'],
    ['/api/docs/json', '/home'],
    ['/api/docs/', '/api/docs/'],
    [`/${'x'.repeat(3000)}`, '/home'],
  ])('returnTo %j leads to %s', (wanted, location) => {
    expect(safeReturnTo(wanted, 'http://portal.test')).toBe(location)
  })
})
