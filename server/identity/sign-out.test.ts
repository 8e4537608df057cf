import { afterAll, beforeAll, expect, test } from 'vitest'
import { getUserDetails } from '#contract/accounts/get-user-details.ts'
import {
  type IdentityProvider,
  signInThrough,
  startIdentityProvider,
} from '#server/testing/outside/identity-provider.ts'
import { type CookieJar, callOperation, ORIGIN, type Portal, startPortal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'

const people = {
  olga: { email: 'olga@vendor.example', groups: ['LP-Ops'] },
  paul: { email: 'paul@vendor.example', groups: [] },
}
let provider: IdentityProvider
let portal: Portal
const revoked: number[] = []
beforeAll(async () => {
  provider = await startIdentityProvider({
    people,
    refreshTokens: true,
    tamper: (context) => {
      if (context.path === '/token/revocation') revoked.push(context.status)
    },
  })
  portal = await startPortal({
    ...provider.settings,
    OIDC_ROLE_CLAIM: 'groups',
    OIDC_ROLE_MAP: 'LP-Ops=busops',
  })
})
afterAll(async () => {
  await portal.close()
  await provider.close()
})

const status = async (cookie: string) => (await callOperation(portal.app, getUserDetails, cookie, {})).status

async function signOut(jar: CookieJar): Promise<URL> {
  const answer = await portal.app.inject({
    method: 'POST',
    url: '/auth/logout',
    headers: { cookie: jar.header(), 'x-requested-with': 'portal' },
  })
  return new URL(answer.json().data.location, ORIGIN)
}

test('sign-out leads to the provider with the ID token, which ends the session there', async () => {
  const { jar, cookie } = await signInThrough(portal, 'olga')
  const location = await signOut(jar)
  expect(await status(cookie)).toBe(401)
  expect(location.origin).toBe(provider.issuer)
  const hint = location.searchParams.get('id_token_hint') ?? ''
  expect(JSON.parse(Buffer.from(hint.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({ sub: 'olga' })
  expect(location.searchParams.get('post_logout_redirect_uri')).toBe(`${ORIGIN}/`)
  expect((await fetch(location)).status).toBe(200)
})

test('sign-out revokes the refresh token', async () => {
  const { jar } = await signInThrough(portal, 'olga')
  revoked.length = 0
  await signOut(jar)
  await until(() => revoked.length > 0, 'nothing was revoked')
  expect(revoked).toEqual([200])
})

test('sign-out without a session leads to the provider without a hint', async () => {
  const { jar } = await signInThrough(portal, 'olga')
  jar.set('session', 'forged')
  const location = await signOut(jar)
  expect(location.origin).toBe(provider.issuer)
  expect(location.searchParams.has('id_token_hint')).toBe(false)
})

test('the database has tokens in encrypted form only', async () => {
  const { jar } = await signInThrough(portal, 'olga')
  const rows = await portal.db.selectFrom('session_token').selectAll().execute()
  expect(rows.length).toBeGreaterThan(0)
  const hint = (await signOut(jar)).searchParams.get('id_token_hint') ?? 'no hint'
  for (const { id_token, refresh_token } of rows) {
    expect(refresh_token).not.toBeNull()
    for (const sealed of [id_token, refresh_token]) expect(sealed?.toString('latin1')).not.toMatch(/eyJ|olga/)
    expect(id_token.includes(hint)).toBe(false)
  }
})

test('a new sign-in ends the session that the browser had before', async () => {
  const { jar, cookie: first } = await signInThrough(portal, 'olga')
  expect(await status(first)).toBe(200)
  const { cookie: second } = await signInThrough(portal, 'paul', jar)
  expect(await status(first)).toBe(401)
  expect(await status(second)).toBe(200)
  const { cookie: third } = await signInThrough(portal, 'paul', jar)
  expect([await status(second), await status(third)]).toEqual([401, 200])
})

test('a sign-in that is refused leaves the session as it was', async () => {
  const { jar, cookie } = await signInThrough(portal, 'olga')
  const answer = await portal.app.inject({ url: '/auth/callback?state=x&code=y', headers: { cookie: jar.header() } })
  expect(answer.statusCode).toBe(400)
  expect(await status(cookie)).toBe(200)
})
