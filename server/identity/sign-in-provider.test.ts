import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { accountList } from '#contract/accounts/account-list.ts'
import { getUserDetails } from '#contract/accounts/get-user-details.ts'
import {
  callbackFrom,
  type IdentityProvider,
  signInThrough,
  startIdentityProvider,
  unsigned,
} from '#server/testing/outside/identity-provider.ts'
import { type ProviderOptions, signingKey } from '#server/testing/outside/openid-provider.ts'
import { CookieJar, callOperation, type Portal, startPortal } from '#server/testing/portal.ts'

const OLGA = { email: 'olga@vendor.example', given_name: 'Olga', family_name: 'Ops' }
const people: ProviderOptions['people'] = { olga: OLGA }

let provider: IdentityProvider
let portal: Portal
let isTokenEndpointBroken = false
beforeAll(async () => {
  provider = await startIdentityProvider({
    people,
    intercept: (context) => {
      if (!isTokenEndpointBroken || context.path !== '/token') return
      context.status = 502
      context.body = '<h1>Bad gateway</h1>'
    },
  })
  portal = await startPortal(provider.settings)
})
afterEach(() => {
  isTokenEndpointBroken = false
})
afterAll(async () => {
  await portal.close()
  await provider.close()
})

const details = async (cookie: string) => (await callOperation(portal.app, getUserDetails, cookie, {})).body

/** Another provider and another portal, for one test. */
async function startOthers(options: Partial<ProviderOptions>, settings: Record<string, string> = {}) {
  const other = await startIdentityProvider({ people, ...options })
  onTestFinished(() => other.close())
  const otherPortal = await startPortal({ ...other.settings, ...settings })
  onTestFinished(() => otherPortal.close())
  return { other, otherPortal }
}

describe('the signature of the ID token', () => {
  test('lets a person in when it is the provider’s', async () => {
    const { answer, cookie } = await signInThrough(portal, 'olga')
    expect(answer.statusCode, answer.body).toBe(302)
    expect(await details(cookie)).toMatchObject({ data: { email: OLGA.email, firstName: 'Olga', lastName: 'Ops' } })
  })

  const { kty, crv, x, y, use, alg } = signingKey()
  const keyOfAnother = { kty, crv, x, y, use, alg }
  test.each<[string, Partial<ProviderOptions>]>([
    [
      'was made with another key',
      {
        tamper: (context) => {
          if (context.path !== '/jwks') return
          const { keys } = context.body as { keys: { kid: string }[] }
          context.body = { keys: keys.map(({ kid }) => ({ ...keyOfAnother, kid })) }
        },
      },
    ],
    ['was made with HS256', { idTokenAlgorithm: 'HS256' }],
    [
      'is missing (alg none)',
      {
        tamper: (context) => {
          const body = context.body as Record<string, unknown>
          if (context.path.includes('openid-configuration')) body.id_token_signing_alg_values_supported = ['none']
          if (context.path === '/token') body.id_token = unsigned(String(body.id_token))
        },
      },
    ],
  ])('refuses a person when it %s', async (_case, options) => {
    const { otherPortal } = await startOthers(options)
    const { answer, jar } = await signInThrough(otherPortal, 'olga')
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      status: 'FAILURE',
      err: 'The identity provider did not confirm this sign-in.',
    })
    expect(jar.get('session')).toBeUndefined()
  })
})

describe('the email address', () => {
  test('is matched whatever the case of its ASCII letters', async () => {
    people.another = { email: 'O.Lga@VENDOR.example ' }
    const { cookie } = await signInThrough(portal, 'another')
    expect(await details(cookie)).toMatchObject({ data: { email: 'o.lga@vendor.example' } })
  })

  test.each([
    ['a fullwidth letter', '\uff41da.admin@aerodyne.example'],
    ['a fullwidth capital', '\uff21da.admin@aerodyne.example'],
    ['a dotless i', 'ada.adm\u0131n@aerodyne.example'],
    ['a dotted capital I', 'ada.adm\u0130n@aerodyne.example'],
    ['a long s', 'olga.op\u017f@vendor.example'],
    ['a Kelvin sign', 'ni\u212ae@vendor.example'],
    ['a capital with an accent', '\u00c9va@vendor.example'],
  ])('identifies another person with %s', async (_, email) => {
    people.another = { email }
    const { answer, cookie } = await signInThrough(portal, 'another')
    expect(answer.statusCode, answer.body).toBe(302)
    expect(await details(cookie)).toMatchObject({ data: { email } })
    const accounts = await callOperation(portal.app, accountList.page, cookie, { body: {} })
    expect(accounts.body.data).toEqual([])
  })

  test.each([
    [undefined],
    [['olga@vendor.example']],
    ['olga'],
    [`${'o'.repeat(300)}@vendor.example`],
    ['o\0@x.example'],
  ])('does not sign anybody in with %j', async (email) => {
    people.another = { email }
    const { answer } = await signInThrough(portal, 'another')
    expect(answer.statusCode).toBe(403)
    expect(answer.json().err).toBe('The identity provider sent no email address that the portal can use.')
    const requestId = String(answer.headers['x-request-id'])
    const audit = portal.db.selectFrom('audit_log').select(['email', 'outcome']).where('request_id', '=', requestId)
    expect(await audit.execute()).toEqual([{ email: 'Unknown', outcome: 'refused' }])
  })
})

test('OIDC_CLIENT_AUTH says how the client secret is sent', async () => {
  provider.clientAuth.length = 0
  await signInThrough(portal, 'olga')
  expect(provider.clientAuth).toEqual(['basic'])
  const { other, otherPortal } = await startOthers({}, { OIDC_CLIENT_AUTH: 'post' })
  expect((await signInThrough(otherPortal, 'olga')).answer.statusCode).toBe(302)
  expect(other.clientAuth).toEqual(['post'])
})

describe('while the provider is unreachable', () => {
  const html = { accept: 'text/html,application/xhtml+xml' }

  test('sign-in shows a page with a retry link, and works again afterwards', async () => {
    // A portal that has not yet asked the provider for anything.
    const fresh = await startPortal(provider.settings)
    onTestFinished(() => fresh.close())
    await provider.goAway()
    const url = '/auth/login?returnTo=%2Fssl%3Fcustomer%3D1%26x%3D%22%3E'
    const page = await fresh.app.inject({ url, headers: html })
    const program = await fresh.app.inject(url)
    await provider.comeBack()
    expect(page.statusCode).toBe(503)
    expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    expect(page.body).toContain('<h1>Sign-in is not available</h1>')
    expect(page.body).toContain(`<a href="${url}">Retry</a>`)
    expect(program.statusCode).toBe(503)
    expect(program.json()).toEqual({
      status: 'FAILURE',
      code: 'UNAVAILABLE',
      err: `The identity provider does not answer. Please try again. reference id [${program.headers['x-request-id']}]`,
    })
    expect((await signInThrough(fresh, 'olga')).answer.statusCode).toBe(302)
  })

  test.each(['cannot be reached', 'answers 502'])('a callback whose token endpoint %s shows the page', async (how) => {
    const jar = new CookieJar()
    const url = await callbackFrom(portal, jar, 'olga', '&returnTo=/ssl')
    if (how === 'answers 502') isTokenEndpointBroken = true
    else await provider.goAway()
    const page = await portal.app.inject({ url, headers: { ...html, cookie: jar.header() } })
    if (how !== 'answers 502') await provider.comeBack()
    expect(page.statusCode).toBe(503)
    expect(page.body).toContain('<a href="/auth/login?returnTo=%2Fssl">Retry</a>')
    expect(page.cookies.find(({ name }) => name === 'session')).toBeUndefined()
  })
})
