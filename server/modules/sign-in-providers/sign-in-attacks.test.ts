import type { JsonWebKey } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { getUserDetails } from '#contract/accounts/get-user-details.ts'
import {
  callbackAfter,
  type IdentityProvider,
  signedAgain,
  unsigned,
} from '#server/testing/outside/identity-provider.ts'
import { signingKey } from '#server/testing/outside/openid-provider.ts'
import {
  enterEmail,
  giveProvider,
  hostOf,
  records,
  startProviderOf,
} from '#server/testing/outside/sign-in-providers.ts'
import { CookieJar, callOperation, ORIGIN, type Portal, startPortal } from '#server/testing/portal.ts'

const ADA = 'ada.admin@aerodyne.example'
const PETRA = 'petra.principal@partner.example'
/** Aerodyne, and another account whose administrators are the attackers. */
const AERODYNE = '100001'
const PARTNER = '100003'

const keys = { aerodyne: { ...signingKey(), kid: 'a' }, partner: { ...signingKey(), kid: 'p' } } satisfies Record<
  string,
  JsonWebKey & { kid: string }
>
const dns = records()
let aerodyne: IdentityProvider
let partner: IdentityProvider
let portal: Portal
/** What the provider of Aerodyne answers instead. */
let tamper: ((context: KoaContextWithOIDC) => void) | undefined
beforeAll(async () => {
  aerodyne = await startProviderOf(AERODYNE, {
    people: { [ADA]: { email: ADA } },
    key: keys.aerodyne,
    tamper: (context) => tamper?.(context),
  })
  partner = await startProviderOf(PARTNER, { people: { [PETRA]: { email: PETRA } }, key: keys.partner })
  portal = await startPortal({ WEBHOOK_ALLOW: [aerodyne, partner].map(hostOf).join(',') }, { findTexts: dns.findTexts })
  await giveProvider(portal, dns.texts, aerodyne, { account: AERODYNE, domain: 'aerodyne.example' })
  await giveProvider(portal, dns.texts, partner, { account: PARTNER, domain: 'partner.example' })
})
afterEach(() => {
  tamper = undefined
})
afterAll(async () => {
  await portal.close()
  await aerodyne.close()
  await partner.close()
})

const open = (url: string, jar: CookieJar) => portal.app.inject({ url, headers: { cookie: jar.header() } })
/** Where the browser comes back to after somebody has signed in at their provider. */
const callbackOf = async (email: string, jar: CookieJar) => {
  const address = await callbackAfter(portal, jar, await enterEmail(portal, jar, email))
  return new URL(address, ORIGIN)
}
async function expectRefused(url: URL, jar: CookieJar): Promise<void> {
  const answer = await open(url.pathname + url.search, jar)
  expect(answer.statusCode, answer.body).toBe(400)
  expect(answer.cookies.find(({ name }) => name === 'session')).toBeUndefined()
}

test('the provider of an account signs its people in', async () => {
  const jar = new CookieJar()
  const url = await callbackOf(ADA, jar)
  expect(url.pathname).toBe(`/auth/callback/${AERODYNE}`)
  const answer = await open(url.pathname + url.search, jar)
  jar.take(answer)
  expect(answer.statusCode, answer.body).toBe(302)
  const details = await callOperation(portal.app, getUserDetails, `session=${jar.get('session')}`, {})
  expect(details.body.data).toMatchObject({ email: ADA, roles: ['user', 'portaledit'] })
})

describe('an answer of one provider is refused in a sign-in at another', () => {
  test.each([
    ['at the address of the first', PARTNER],
    ['at the address of the second', AERODYNE],
  ])('with its code and the state of the other, %s', async (_, account) => {
    const jar = new CookieJar()
    const theirs = await callbackOf(PETRA, jar)
    const mine = await callbackOf(ADA, jar)
    const mixed = new URL(`/auth/callback/${account}`, ORIGIN)
    mixed.search = new URLSearchParams({
      ...Object.fromEntries(theirs.searchParams),
      state: mine.searchParams.get('state') ?? '',
    }).toString()
    await expectRefused(mixed, jar)
  })

  test('with the code of one and state and iss of the other', async () => {
    const jar = new CookieJar()
    const theirs = await callbackOf(PETRA, jar)
    const mine = await callbackOf(ADA, jar)
    mine.searchParams.set('code', theirs.searchParams.get('code') ?? '')
    await expectRefused(mine, jar)
  })

  test.each([
    ['the issuer of the other provider', () => partner.issuer],
    ['no issuer', () => undefined],
  ])('with %s in iss', async (_, issuer) => {
    const jar = new CookieJar()
    const url = await callbackOf(ADA, jar)
    const iss = issuer()
    if (iss === undefined) url.searchParams.delete('iss')
    else url.searchParams.set('iss', iss)
    await expectRefused(url, jar)
  })

  test('at the address of the provider of the installation', async () => {
    const jar = new CookieJar()
    const url = await callbackOf(ADA, jar)
    url.pathname = '/auth/callback'
    await expectRefused(url, jar)
  })
})

describe('a sign-in at the provider of an account is refused', () => {
  test('with a wrong state', async () => {
    const jar = new CookieJar()
    const url = await callbackOf(ADA, jar)
    url.searchParams.set('state', 'another')
    await expectRefused(url, jar)
  })

  test('in another browser', async () => {
    await expectRefused(await callbackOf(ADA, new CookieJar()), new CookieJar())
  })

  test('the second time', async () => {
    const jar = new CookieJar()
    const url = await callbackOf(ADA, jar)
    const again = new CookieJar()
    for (const name of jar.names()) again.set(name, jar.get(name) ?? '')
    expect((await open(url.pathname + url.search, jar)).statusCode).toBe(302)
    await expectRefused(url, again)
  })

  test('with a code that was used, in a sign-in of its own', async () => {
    const [jar, other] = [new CookieJar(), new CookieJar()]
    const used = await callbackOf(ADA, jar)
    expect((await open(used.pathname + used.search, jar)).statusCode).toBe(302)
    const url = await callbackOf(ADA, other)
    url.searchParams.set('code', used.searchParams.get('code') ?? '')
    await expectRefused(url, other)
  })

  const now = () => Math.floor(Date.now() / 1000)
  test.each<[what: string, change: (token: string) => string]>([
    ['without a signature (alg none)', unsigned],
    ['signed by the other provider', (token) => signedAgain(token, {}, keys.partner)],
    ['signed by a key that nobody knows', (token) => signedAgain(token, {}, signingKey())],
    ['for another client', (token) => signedAgain(token, { aud: 'another' }, keys.aerodyne)],
    [
      'for several clients, by another',
      (token) => signedAgain(token, { aud: ['portal', 'x'], azp: 'x' }, keys.aerodyne),
    ],
    ['of the other issuer', (token) => signedAgain(token, { iss: partner.issuer }, keys.aerodyne)],
    ['with another nonce', (token) => signedAgain(token, { nonce: 'another' }, keys.aerodyne)],
    ['that has expired', (token) => signedAgain(token, { exp: now() - 120 }, keys.aerodyne)],
    ['that is not valid yet', (token) => signedAgain(token, { nbf: now() + 600 }, keys.aerodyne)],
  ])('with an ID token %s', async (_, change) => {
    const jar = new CookieJar()
    const url = await callbackOf(ADA, jar)
    tamper = (context) => {
      const body = context.body as { id_token?: string }
      if (context.path === '/token' && body.id_token) body.id_token = change(body.id_token)
    }
    await expectRefused(url, jar)
  })

  test('after 10 minutes', async () => {
    const jar = new CookieJar()
    const url = await callbackOf(ADA, jar)
    portal.clock.forward(11 * 60_000)
    await expectRefused(url, jar)
  })
})

test('an ID token that only its own key signed again is accepted, so that the refusals above have their reasons', async () => {
  const jar = new CookieJar()
  const url = await callbackOf(ADA, jar)
  tamper = (context) => {
    const body = context.body as { id_token?: string }
    if (context.path === '/token' && body.id_token) body.id_token = signedAgain(body.id_token, {}, keys.aerodyne)
  }
  expect((await open(url.pathname + url.search, jar)).statusCode).toBe(302)
})

describe('a provider that lies about itself', () => {
  type Answer = { status: number; headers?: Record<string, string>; body?: string }
  /** A provider of the partner that answers its discovery like this. */
  async function startLiar(answer: (issuer: string) => Answer) {
    const asked: string[] = []
    const server = http.createServer((request, response) => {
      asked.push(request.url ?? '')
      const { status, headers = {}, body = '' } = answer(issuer)
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const liarsDns = records()
    const liars = await startPortal(
      { WEBHOOK_ALLOW: [aerodyne, { issuer }].map(hostOf).join(',') },
      { findTexts: liarsDns.findTexts },
    )
    onTestFinished(async () => {
      await liars.close()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    })
    await giveProvider(
      liars,
      liarsDns.texts,
      { issuer, client: aerodyne.client },
      { account: PARTNER, domain: 'partner.example' },
    )
    const jar = new CookieJar()
    const start = await enterEmail(liars, jar, PETRA)
    return { asked, answer: await liars.app.inject({ url: start, headers: { cookie: jar.header() } }) }
  }
  const metadata = (issuer: string, change: object = {}) =>
    JSON.stringify({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      ...change,
    })

  test.each<[what: string, answer: (issuer: string) => Answer]>([
    [
      'redirects to loopback',
      () => ({ status: 302, headers: { location: `${aerodyne.issuer}/.well-known/openid-configuration` } }),
    ],
    ['sends 1 MB', (issuer) => ({ status: 200, body: metadata(issuer, { padding: 'x'.repeat(1_000_000) }) })],
    ['calls itself by the issuer of another', () => ({ status: 200, body: metadata(aerodyne.issuer) })],
    ['sends no JSON', () => ({ status: 200, body: '<h1>Hello</h1>' })],
    ['answers 500', () => ({ status: 500 })],
    [
      'names no page to sign in',
      (issuer) => ({ status: 200, body: metadata(issuer, { authorization_endpoint: undefined }) }),
    ],
    [
      'names a script as the page to sign in',
      (issuer) => ({ status: 200, body: metadata(issuer, { authorization_endpoint: 'javascript:alert(1)' }) }),
    ],
  ])('is refused when it %s', async (_, answer) => {
    const found = await startLiar(answer)
    expect(found.answer.statusCode, found.answer.body).toBe(503)
    expect(found.asked).toEqual(['/.well-known/openid-configuration'])
  })
})
