import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { getUserDetails } from '#contract/accounts/get-user-details.ts'
import {
  callbackFrom,
  signInThrough,
  signingKey,
  startIdentityProvider,
  unsigned,
} from '#server/testing/identity-provider.ts'
import { CookieJar, callOperation, type Portal, startPortal } from '#server/testing/portal.ts'

const people = { olga: { email: 'olga@vendor.example', given_name: 'Olga', family_name: 'Ops' } }
type ProviderOptions = Parameters<typeof startIdentityProvider>[0]

async function startProviderAndPortal(options: Partial<ProviderOptions> = {}, settings: Record<string, string> = {}) {
  const provider = await startIdentityProvider({ people, ...options })
  return { provider, portal: await startPortal({ ...provider.settings, ...settings }) }
}

/** The same for one test. */
async function startBoth(...settings: Parameters<typeof startProviderAndPortal>) {
  const both = await startProviderAndPortal(...settings)
  onTestFinished(async () => {
    await both.portal.close()
    await both.provider.close()
  })
  return both
}

const details = async (portal: Portal, cookie: string) =>
  (await callOperation(portal.app, getUserDetails, cookie, {})).body

describe('the signature of the ID token', () => {
  test('lets a person in when it is the provider’s', async () => {
    const { portal } = await startBoth()
    const { answer, cookie } = await signInThrough(portal, 'olga')
    expect(answer.statusCode, answer.body).toBe(302)
    expect(await details(portal, cookie)).toMatchObject({ data: { email: 'olga@vendor.example', firstName: 'Olga' } })
  })

  const { kty, crv, x, y } = signingKey('another')
  const ofAnother = { kty, crv, x, y, use: 'sig', alg: 'ES256', kid: 'its key' }
  test.each<[string, Partial<ProviderOptions>]>([
    [
      'was made with another key',
      {
        tamper: (context) => {
          if (context.path === '/jwks') context.body = { keys: [ofAnother] }
        },
      },
    ],
    ['was made with HS256', { idTokenAlgorithm: 'HS256' }],
    [
      'is missing (alg none)',
      {
        tamper: (context) => {
          const body = context.body as Record<string, unknown>
          if (context.path.includes('openid-configuration'))
            body.id_token_signing_alg_values_supported = ['none', 'ES256']
          if (context.path === '/token') body.id_token = unsigned(String(body.id_token))
        },
      },
    ],
  ])('refuses a person when it %s', async (_case, options) => {
    const { portal } = await startBoth(options)
    const { answer, jar } = await signInThrough(portal, 'olga')
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      status: 'FAILURE',
      err: 'The identity provider did not confirm this sign-in.',
    })
    expect(jar.get('session')).toBeUndefined()
  })
})

describe('the e-mail address', () => {
  const claimed: Record<string, unknown> = {
    wide: '\uff2f.LGA@Vendor.example ',
    upper: 'O.Lga@VENDOR.example',
    none: undefined,
    list: ['olga@vendor.example'],
    word: 'olga',
    long: `${'o'.repeat(300)}@vendor.example`,
    nul: 'o\u0000@vendor.example',
  }
  let both: Awaited<ReturnType<typeof startBoth>>
  beforeAll(async () => {
    const people = Object.fromEntries(Object.entries(claimed).map(([subject, email]) => [subject, { email }]))
    both = await startProviderAndPortal({ people })
  })
  afterAll(async () => {
    await both.portal.close()
    await both.provider.close()
  })

  test.each(['wide', 'upper'])('is compared as contacts are: %s', async (subject) => {
    const { cookie } = await signInThrough(both.portal, subject)
    expect(await details(both.portal, cookie)).toMatchObject({ data: { email: 'o.lga@vendor.example' } })
  })

  test.each(['none', 'list', 'word', 'long', 'nul'])('lets nobody in when it is no address: %s', async (subject) => {
    const { answer } = await signInThrough(both.portal, subject)
    expect(answer.statusCode).toBe(403)
    expect(answer.json().err).toBe('The identity provider sent no e-mail address that the portal can use.')
    const refused = both.portal.db
      .selectFrom('audit_log')
      .select('email')
      .where('request_id', '=', String(answer.headers['x-request-id']))
    expect(await refused.execute()).toEqual([{ email: 'Unknown' }])
  })
})

test.each([
  [{}, 'basic'],
  [{ OIDC_CLIENT_AUTH: 'basic' }, 'basic'],
  [{ OIDC_CLIENT_AUTH: 'post' }, 'post'],
])('with %j the client secret is sent by %s', async (settings, clientAuth) => {
  const { provider, portal } = await startBoth({}, settings as Record<string, string>)
  expect((await signInThrough(portal, 'olga')).answer.statusCode).toBe(302)
  expect(provider.grants).toEqual([{ type: 'authorization_code', clientAuth }])
})

describe('while the provider is away', () => {
  const html = { accept: 'text/html,application/xhtml+xml' }

  test('sign-in shows a page with a retry link, and works again afterwards', async () => {
    const { provider, portal } = await startBoth()
    await provider.goAway()
    const url = '/auth/login?returnTo=%2Fssl%3Fcustomer%3D1%26x%3D%22%3E'
    const page = await portal.app.inject({ url, headers: html })
    expect(page.statusCode).toBe(503)
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.body).toContain('<h1>Sign-in is not available</h1>')
    expect(page.body).toContain('href="/auth/login?returnTo=%2Fssl%3Fcustomer%3D1%26x%3D%22%3E">Retry</a>')
    expect(page.headers['cache-control']).toBe('no-store')
    const program = await portal.app.inject({ url })
    expect(program.statusCode).toBe(503)
    expect(program.json()).toMatchObject({ status: 'FAILURE', err: expect.stringContaining('identity provider') })
    await provider.comeBack()
    expect((await signInThrough(portal, 'olga')).answer.statusCode).toBe(302)
  })

  test.each<[string, (provider: { goAway(): Promise<void> }, broken: { is: boolean }) => void | Promise<void>]>([
    ['cannot be reached', (provider) => provider.goAway()],
    [
      'answers 502',
      (_provider, broken) => {
        broken.is = true
      },
    ],
  ])('a callback whose token exchange %s shows the page', async (_case, breakIt) => {
    const broken = { is: false }
    const { provider, portal } = await startBoth({
      tamper: (context) => {
        if (!broken.is || context.path !== '/token') return
        context.status = 502
        context.body = '<h1>Bad gateway</h1>'
      },
    })
    const jar = new CookieJar()
    const url = await callbackFrom(portal, jar, 'olga', '&returnTo=/ssl')
    await breakIt(provider, broken)
    const page = await portal.app.inject({ url, headers: { ...html, cookie: jar.header() } })
    expect(page.statusCode).toBe(503)
    expect(page.body).toContain('href="/auth/login?returnTo=%2Fssl">Retry</a>')
    expect(page.cookies.find(({ name }) => name === 'session')).toBeUndefined()
  })
})
