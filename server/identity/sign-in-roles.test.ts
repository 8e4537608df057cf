import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { getUserDetails } from '#contract/accounts/get-user-details.ts'
import { buildApp } from '#server/app.ts'
import {
  type IdentityProvider,
  signInThrough,
  startIdentityProvider,
} from '#server/testing/outside/identity-provider.ts'
import type { ProviderOptions } from '#server/testing/outside/openid-provider.ts'
import { callOperation, type Portal, startPortal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'

const MINUTE = 60_000
const ROLES = { OIDC_ROLE_CLAIM: 'groups', OIDC_ROLE_MAP: 'LP-Ops=busops,LP-Help=support' }

type Both = { provider: IdentityProvider; portal: Portal }
async function start(options: Partial<ProviderOptions>, settings: Record<string, string> = ROLES): Promise<Both> {
  const provider = await startIdentityProvider({ people: {}, refreshTokens: true, ...options })
  return { provider, portal: await startPortal({ ...provider.settings, ...settings }) }
}
const stop = async ({ portal, provider }: Both) => {
  await portal.close()
  await provider.close()
}
async function startForOneTest(...options: Parameters<typeof start>): Promise<Both> {
  const both = await start(...options)
  onTestFinished(() => stop(both))
  return both
}

const details = (cookie: string, { app }: Pick<Portal, 'app'>) => callOperation(app, getUserDetails, cookie, {})
async function loadRoles(cookie: string, at: Pick<Portal, 'app'>): Promise<string[]> {
  const { status, body } = await details(cookie, at)
  expect(status, JSON.stringify(body)).toBe(200)
  return (body.data as { roles: string[] }).roles.filter((role) => role !== 'user')
}

describe('roles from a claim', () => {
  const people: ProviderOptions['people'] = {}
  /** A fixed answer of the token endpoint. */
  let broken: { status: number; body: unknown } | undefined
  let lastAnswer: unknown
  let both: Both
  let portal: Portal
  let provider: IdentityProvider
  beforeAll(async () => {
    both = await start({
      people,
      intercept: (context) => {
        if (!broken || context.path !== '/token') return
        context.status = broken.status
        context.body = broken.body
      },
      tamper: (context) => {
        if (context.path === '/token') lastAnswer = context.body
      },
    })
    ;({ portal, provider } = both)
    return () => stop(both)
  })
  afterEach(() => {
    broken = undefined
    provider.clientAuth.length = 0
  })

  let number = 0
  async function signedIn(groups: unknown): Promise<{ subject: string; email: string; cookie: string }> {
    const subject = `olga${number++}`
    const email = `${subject}@vendor.example`
    people[subject] = { email, groups }
    const { answer, cookie } = await signInThrough(portal, subject)
    expect(answer.statusCode, answer.body).toBe(302)
    provider.clientAuth.length = 0
    return { subject, email, cookie }
  }
  const requestCount = () => provider.clientAuth.length

  test('come from the role map only, other groups are ignored', async () => {
    expect(await loadRoles((await signedIn(['LP-Ops', 'admin', ['LP-Help']])).cookie, portal)).toEqual(['busops'])
    expect(await loadRoles((await signedIn({ 'LP-Ops': true })).cookie, portal)).toEqual([])
  })

  test('are requested again in the background after ten minutes, and taken away when they are gone', async () => {
    const { subject, email, cookie } = await signedIn(['LP-Ops'])
    people[subject] = { email, groups: [] }
    portal.clock.forward(9 * MINUTE)
    expect(await loadRoles(cookie, portal)).toEqual(['busops'])
    expect(requestCount()).toBe(0)
    portal.clock.forward(2 * MINUTE)
    await until(async () => (await loadRoles(cookie, portal)).length === 0, 'the role was kept')
    expect(requestCount()).toBe(1)
    const audit = portal.db.selectFrom('audit_log').select(['before', 'after']).where('action', '=', 'claim-roles')
    expect(await audit.where('email', '=', email).execute()).toEqual([{ before: ['busops'], after: [] }])
  })

  test('are not relied on after fifteen minutes without being confirmed', async () => {
    const { subject, email, cookie } = await signedIn(['LP-Ops'])
    people[subject] = { email, groups: ['LP-Help'] }
    portal.clock.forward(15 * MINUTE)
    expect(await loadRoles(cookie, portal)).toEqual(['support'])
  })

  test('stay while the provider confirms them, each time with the newest refresh token', async () => {
    const { cookie } = await signedIn(['LP-Ops'])
    for (let round = 1; round <= 3; round++) {
      portal.clock.forward(16 * MINUTE)
      expect(await loadRoles(cookie, portal)).toEqual(['busops'])
      expect(requestCount()).toBe(round)
    }
  })

  test('are requested once, however many calls and processes need them', async () => {
    const { cookie } = await signedIn(['LP-Ops'])
    const other = await buildApp({ ...portal, people: [] })
    onTestFinished(() => other.close())
    portal.clock.forward(16 * MINUTE)
    const calls = Array.from({ length: 8 }, (_, n) => loadRoles(cookie, n % 2 ? portal : { app: other }))
    expect(await Promise.all(calls)).toEqual(calls.map(() => ['busops']))
    expect(requestCount()).toBe(1)
  })

  test('end with the session when the provider refuses', async () => {
    const { subject, email, cookie } = await signedIn(['LP-Ops'])
    delete people[subject]
    portal.clock.forward(16 * MINUTE)
    expect((await details(cookie, portal)).status).toBe(401)
    expect(await portal.db.selectFrom('session').select('email').where('email', '=', email).execute()).toEqual([])
    const audit = portal.db.selectFrom('audit_log').select(['action', 'outcome']).where('email', '=', email)
    expect(await audit.orderBy('id').execute()).toEqual([
      { action: 'sign-in', outcome: 'done' },
      { action: 'sign-out', outcome: 'refused' },
    ])
  })

  test('end with the session when the provider answers for another person', async () => {
    const { cookie } = await signedIn(['LP-Ops'])
    await signedIn(['LP-Ops'])
    broken = { status: 200, body: lastAnswer }
    portal.clock.forward(16 * MINUTE)
    expect((await details(cookie, portal)).status).toBe(401)
  })

  test('do not count while the provider answers 503, are retried once a minute, and count again afterwards', async () => {
    const { cookie } = await signedIn(['LP-Ops'])
    broken = { status: 503, body: 'away' }
    portal.clock.forward(11 * MINUTE)
    expect(await loadRoles(cookie, portal)).toEqual(['busops'])
    await until(() => requestCount() === 1, 'the roles are never requested')
    portal.clock.forward(4 * MINUTE)
    for (let call = 0; call < 5; call++) expect(await loadRoles(cookie, portal)).toEqual([])
    expect(requestCount()).toBe(2)
    broken = undefined
    expect(await loadRoles(cookie, portal)).toEqual([])
    portal.clock.forward(1 * MINUTE)
    expect(await loadRoles(cookie, portal)).toEqual(['busops'])
  })

  test('do not count while the provider cannot be reached, and the session goes on', async () => {
    const { cookie } = await signedIn(['LP-Ops'])
    await provider.goAway()
    portal.clock.forward(16 * MINUTE)
    expect(await loadRoles(cookie, portal)).toEqual([])
    await provider.comeBack()
    portal.clock.forward(1 * MINUTE)
    expect(await loadRoles(cookie, portal)).toEqual(['busops'])
  })

  test('do not count while the provider refuses the portal itself, and the session goes on', async () => {
    const { cookie } = await signedIn(['LP-Ops'])
    broken = { status: 401, body: { error: 'invalid_client' } }
    portal.clock.forward(16 * MINUTE)
    expect(await loadRoles(cookie, portal)).toEqual([])
  })

  test('stay as they were when the answer has no ID token', async () => {
    const { cookie } = await signedIn(['LP-Ops'])
    broken = { status: 200, body: { access_token: 'x', token_type: 'bearer' } }
    portal.clock.forward(16 * MINUTE)
    expect(await loadRoles(cookie, portal)).toEqual(['busops'])
  })

  test('do not wait for a process that died during the request', async () => {
    const { cookie, email } = await signedIn(['LP-Ops'])
    portal.clock.forward(16 * MINUTE)
    const leased = new Date(portal.clock.now().getTime() + MINUTE)
    await portal.db
      .updateTable('session')
      .set({ claim_roles_asking_until: leased })
      .where('email', '=', email)
      .execute()
    portal.clock.forward(2 * MINUTE)
    expect(await loadRoles(cookie, portal)).toEqual(['busops'])
  })

  test('are requested with the scope offline_access', async () => {
    const login = await portal.app.inject('/auth/login')
    expect(new URL(String(login.headers.location)).searchParams.get('scope')).toBe(
      'openid email profile offline_access',
    )
  })
})

test('without refresh tokens, roles last until the session ends', async () => {
  const people = { olga: { email: 'olga@vendor.example', groups: ['LP-Ops'] } }
  const { portal } = await startForOneTest({ people, refreshTokens: false })
  const login = await portal.app.inject('/auth/login')
  expect(new URL(String(login.headers.location)).searchParams.get('scope')).toBe('openid email profile')
  const { cookie } = await signInThrough(portal, 'olga')
  for (let round = 0; round < 3; round++) {
    portal.clock.forward(16 * MINUTE)
    expect(await loadRoles(cookie, portal)).toEqual(['busops'])
  }
})

test('without a role claim no refresh token is requested or kept', async () => {
  const { portal } = await startForOneTest({ people: { olga: { email: 'olga@vendor.example' } } }, {})
  const login = await portal.app.inject('/auth/login')
  expect(new URL(String(login.headers.location)).searchParams.get('scope')).toBe('openid email profile')
  await signInThrough(portal, 'olga')
  expect(await portal.db.selectFrom('session_token').select('refresh_token').execute()).toEqual([
    { refresh_token: null },
  ])
})
