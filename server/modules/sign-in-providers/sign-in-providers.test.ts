import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accountList } from '#contract/accounts/account-list.ts'
import { getAccountInfo } from '#contract/accounts/get-account-info.ts'
import { getUserDetails } from '#contract/accounts/get-user-details.ts'
import {
  addSignInDomain,
  checkSignInDomain,
  getSignInProvider,
  removeSignInDomain,
  removeSignInProvider,
  type SignInProvider,
  saveSignInProvider,
  switchSignInProvider,
} from '#contract/sign-in-providers/sign-in-providers.ts'
import { createWebGroup } from '#contract/web-licenses/web-groups.ts'
import { ADMINISTRATOR, VIEWER } from '#domain/access/roles.ts'
import { DOMAIN_FREE } from '#domain/sign-in-providers/domain-name.ts'
import { LAPSE_DAYS, recordName } from '#domain/sign-in-providers/domain-proof.ts'
import { BREAK_GLASS_NEEDED, ISSUER_OF_MANY, NO_PROVEN_DOMAIN, NOT_TESTED } from '#domain/sign-in-providers/provider.ts'
import { checkDomains } from '#server/modules/sign-in-providers/check-domain.ts'
import { callbackAfter, type IdentityProvider } from '#server/testing/outside/identity-provider.ts'
import {
  enterEmail,
  giveProvider,
  hostOf,
  proveDomain,
  records,
  as as signedIn,
  startProviderOf,
} from '#server/testing/outside/sign-in-providers.ts'
import { CookieJar, callOperation, follow, type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { recordStatements } from '#server/testing/scale-out/recorded-statements.ts'

const ADA = 'ada.admin@aerodyne.example'
const CORA = 'cora.coordinator@aerodyne.example'
const VIC = 'vic.viewer@aerodyne.example'
const OLIVIA = 'olivia.ops@vendor.example'
const NEW = 'nina.new@aerodyne.example'
const customerNumber = '100001'
const DOMAIN = 'aerodyne.example'
const HOUR = 3_600_000

const dns = records()
const people: Record<string, Record<string, unknown>> = {}
let provider: IdentityProvider
let portal: Portal
let statements: ReturnType<typeof recordStatements>
beforeAll(async () => {
  statements = recordStatements()
  provider = await startProviderOf(customerNumber, { people })
  portal = await startPortal({ WEBHOOK_ALLOW: hostOf(provider) }, { findTexts: dns.findTexts })
})
afterEach(async () => {
  for (const account of [customerNumber, '100003']) {
    await (await as(OLIVIA))(removeSignInProvider, { body: { customerNumber: account } })
    for (const { domain } of (await stateOf(account)).domains)
      await (await as(OLIVIA))(removeSignInDomain, { body: { customerNumber: account, domain } })
  }
  dns.texts.clear()
  for (const name of Object.keys(people)) delete people[name]
  await portal.db.deleteFrom('sign_in_given').execute()
})
afterAll(async () => {
  statements.close()
  await portal.close()
  await provider.close()
})

const as = (email: string | null) => signedIn(portal, email)
async function stateOf(account = customerNumber, email = OLIVIA): Promise<SignInProvider> {
  const answer = await (await as(email))(getSignInProvider, { body: { customerNumber: account } })
  expect(answer.status).toBe(200)
  return answer.body.data as SignInProvider
}
const SETTINGS = () => ({
  customerNumber,
  issuer: provider.issuer,
  clientId: provider.client.id,
  clientAuth: 'client_secret_basic',
  clientSecret: provider.client.secret,
  groupClaim: '',
  rules: [] as object[],
  revision: 0,
})
const give = (given: Partial<Parameters<typeof giveProvider>[3]> = {}) =>
  giveProvider(portal, dns.texts, provider, { account: customerNumber, domain: DOMAIN, ...given })

/** Signs in by entering an email address; returns the cookie of the session. */
async function signInByEmail(email: string, claims: Record<string, unknown> = {}) {
  people[email] = { email, ...claims }
  const jar = new CookieJar()
  const url = await callbackAfter(portal, jar, await enterEmail(portal, jar, email))
  const answer = await portal.app.inject({ url, headers: { cookie: jar.header() } })
  jar.take(answer)
  return { answer, cookie: `session=${jar.get('session')}` }
}
const details = async (cookie: string) => (await callOperation(portal.app, getUserDetails, cookie, {})).body.data
const sees = async (cookie: string, account: string) =>
  (await callOperation(portal.app, getAccountInfo, cookie, { params: { customerNumber: account } })).status
const audited = (action: string) =>
  portal.db
    .selectFrom('audit_log')
    .select(['email', 'principal', 'credential', 'customer_number', 'target', 'text', 'outcome', 'reason'])
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .executeTakeFirst()
const allMails = async () =>
  (await portal.db.selectFrom('mail').select('subject').orderBy('queued_at').execute())
    .map(({ subject }) => subject)
    .filter((subject) => subject.startsWith('Licensing Portal: The '))
let mailsBefore = 0
beforeEach(async () => {
  mailsBefore = (await allMails()).length
})
/** Of this test. */
const mails = async () => (await allMails()).slice(mailsBefore)

describe('who may manage the provider', () => {
  const CALLS = [
    ['sign-in-provider', getSignInProvider, {}],
    [
      'save',
      saveSignInProvider,
      {
        issuer: 'https://id.example.com',
        clientId: 'p',
        clientAuth: 'private_key_jwt',
        groupClaim: '',
        rules: [],
        revision: 0,
      },
    ],
    ['switch', switchSignInProvider, { mode: 'enforced', breakGlass: null, revision: 0 }],
    ['remove', removeSignInProvider, {}],
    ['add', addSignInDomain, { domain: 'who.example' }],
    ['check', checkSignInDomain, { domain: 'none.example' }],
    ['remove a domain', removeSignInDomain, { domain: 'none.example' }],
  ] as const
  const NOT_THERE = ['check', 'remove a domain']

  test.each(CALLS)('%s is for administrators, coordinators and business operations', async (name, operation, body) => {
    for (const [email, account, status] of [
      [null, customerNumber, 401],
      [VIC, customerNumber, 403],
      ['sam.support@vendor.example', customerNumber, 403],
      [ADA, '100003', 404],
      [ADA, customerNumber, NOT_THERE.includes(name) ? 404 : 200],
      [CORA, customerNumber, NOT_THERE.includes(name) ? 404 : 200],
      [OLIVIA, customerNumber, NOT_THERE.includes(name) ? 404 : 200],
    ] as const) {
      const answer = await (await as(email))(operation, { body: { customerNumber: account, ...body } })
      expect(answer.status, `${email} on ${account}: ${answer.body.err}`).toBe(status)
    }
  })

  test.each(CALLS)('%s refuses a body with another field', async (_, operation, body) => {
    const answer = await (await as(ADA))(operation, { body: { customerNumber, ...body, extra: 1 } })
    expect(answer.status).toBe(400)
  })
})

describe('a domain', () => {
  const add = async (domain: string, account = customerNumber) =>
    (await as(OLIVIA))(addSignInDomain, { body: { customerNumber: account, domain } })
  const check = async (domain: string, account = customerNumber) =>
    (await as(OLIVIA))(checkSignInDomain, { body: { customerNumber: account, domain } })

  test('is proven by a TXT record with its own text', async () => {
    const added = await add('AeroDyne.example')
    const { recordName: name, recordValue } = added.body.data as { recordName: string; recordValue: string }
    expect(added.body.data).toMatchObject({
      domain: DOMAIN,
      recordName: `_licensing-portal.${DOMAIN}`,
      state: 'waiting',
    })
    expect((await check(DOMAIN)).body.data).toMatchObject({ state: 'waiting', outcome: 'missing' })
    dns.texts.set(name, undefined)
    expect((await check(DOMAIN)).body.data).toMatchObject({ state: 'waiting', outcome: 'unanswered' })
    dns.texts.set(name, ['v=spf1', `${recordValue}x`])
    expect((await check(DOMAIN)).body.data).toMatchObject({ state: 'waiting' })
    dns.texts.set(name, ['v=spf1', recordValue])
    expect((await check(DOMAIN)).body.data).toMatchObject({ state: 'proven', outcome: 'found', failures: 0 })
    expect(await audited('sign-in-provider/domains/check')).toMatchObject({
      email: OLIVIA,
      target: DOMAIN,
      text: `Checked the domain ${DOMAIN}: proven`,
    })
  })

  test.each([
    ['gmail.com', 400, DOMAIN_FREE],
    ['no domain', 400, 'Enter a domain, such as company.com.'],
  ])('%s is refused', async (domain, status, err) => {
    expect(await add(domain)).toMatchObject({ status, body: { err } })
  })

  test('is added once, and twenty of them at most', async () => {
    await add(DOMAIN)
    expect((await add(DOMAIN)).body).toMatchObject({ code: 'DOMAIN_EXISTS' })
    for (let number = 0; number < 19; number++) await add(`d${number}.example`)
    expect((await add('more.example')).body).toMatchObject({ code: 'TOO_MANY_DOMAINS' })
  })

  test('stays with the account that has proven it, until its record has been missing for some days', async () => {
    await proveDomain(portal, dns.texts, customerNumber, DOMAIN)
    const first = dns.texts.get(recordName(DOMAIN)) ?? []
    const { recordValue } = (await add(DOMAIN, '100003')).body.data as { recordValue: string }
    dns.texts.set(recordName(DOMAIN), [...first, recordValue])
    expect((await check(DOMAIN, '100003')).body).toMatchObject({ code: 'DOMAIN_TAKEN' })
    dns.texts.set(recordName(DOMAIN), [recordValue])
    for (let day = 0; day < 3; day++) {
      expect((await check(DOMAIN, '100003')).body).toMatchObject({ code: 'DOMAIN_TAKEN' })
      portal.clock.forward(24 * HOUR)
      await checkDomains({ ...portal, findTexts: dns.findTexts })
    }
    expect((await stateOf()).domains).toMatchObject([{ state: 'failing' }])
    expect((await check(DOMAIN, '100003')).body.data).toMatchObject({ state: 'proven' })
    expect((await stateOf()).domains).toMatchObject([{ state: 'waiting' }])
    expect((await mails()).at(-1)).toContain(`The domain ${DOMAIN} was proven by another account`)
  })

  test('is checked every day, warns after three failures, and ends after 30 days without locking anybody out', async () => {
    await give({ mode: 'enforced', breakGlass: ADA })
    const { cookie } = await signInByEmail(VIC)
    dns.texts.delete(recordName(DOMAIN))
    const nextDay = async () => {
      portal.clock.forward(24 * HOUR)
      await checkDomains({ ...portal, findTexts: dns.findTexts })
      await checkDomains({ ...portal, findTexts: dns.findTexts })
      return (await stateOf()).domains[0]
    }
    expect(await nextDay()).toMatchObject({ state: 'proven', failures: 1 })
    expect(await nextDay()).toMatchObject({ state: 'proven', failures: 2 })
    expect(await mails()).toEqual([])
    expect(await nextDay()).toMatchObject({ state: 'failing', failures: 3 })
    expect(await mails()).toEqual([expect.stringContaining(`The domain ${DOMAIN} could not be verified`)])
    expect(await audited('sign-in-provider.domain')).toMatchObject({ email: 'operator', target: DOMAIN })
    expect((await signInByEmail(VIC)).answer.statusCode).toBe(302)
    expect(cookie).toContain('session=')
    for (let day = 4; day <= LAPSE_DAYS; day++) expect(await nextDay()).toMatchObject({ state: 'failing' })
    expect(await nextDay()).toMatchObject({ state: 'lapsed' })
    expect(await mails()).toHaveLength(2)
    expect(await nextDay()).toMatchObject({ state: 'lapsed' })
    expect(await mails()).toHaveLength(2)
    // The provider of the installation lets them in again.
    expect(await sees(await signIn(portal.app, VIC), customerNumber)).toBe(200)
  })

  test('that is the last proven one is not removed while the provider is on', async () => {
    await give()
    const remove = async () => (await as(ADA))(removeSignInDomain, { body: { customerNumber, domain: DOMAIN } })
    expect((await remove()).body).toMatchObject({ code: 'SIGN_IN_NOT_READY' })
    await (await as(OLIVIA))(removeSignInProvider, { body: { customerNumber } })
    expect((await remove()).body).toMatchObject({ status: 'SUCCESS' })
  })
})

describe('the provider', () => {
  const save = async (change: object = {}, email = ADA) =>
    (await as(email))(saveSignInProvider, { body: { ...SETTINGS(), ...change } })
  const switchTo = async (mode: string, breakGlass: string | null = null, revision?: number) =>
    (await as(OLIVIA))(switchSignInProvider, {
      body: { customerNumber, mode, breakGlass, revision: revision ?? (await stateOf()).revision },
    })

  test('is saved without telling its secret to anybody', async () => {
    const saved = await save()
    expect(saved.body.data).toMatchObject({
      revision: 1,
      redirectUri: `http://localhost/auth/callback/${customerNumber}`,
      provider: { issuer: provider.issuer, hasSecret: true, mode: 'off', isTested: false, test: null },
    })
    const kept = JSON.stringify([
      saved.body,
      await portal.db.selectFrom('sign_in_provider').selectAll().execute(),
      await portal.db.selectFrom('audit_log').selectAll().where('action', 'like', 'sign-in-provider%').execute(),
    ])
    expect(kept).not.toContain(provider.client.secret)
    expect(await audited('sign-in-provider/save')).toMatchObject({
      email: ADA,
      text: `Added the sign-in provider ${provider.issuer}`,
    })
  })

  test.each<[what: string, change: object, err: string]>([
    ['an issuer of all companies', { issuer: 'https://login.microsoftonline.com/common/v2.0' }, ISSUER_OF_MANY],
    [
      'a private issuer',
      { issuer: 'https://10.0.0.7' },
      'This address is not public. Ask the operator of the portal to allow it.',
    ],
    ['no secret', { clientSecret: undefined }, 'Enter the client secret.'],
    [
      'a web group of nobody',
      { groupClaim: 'g', rules: [{ group: 'a', role: null, webGroupId: '00000000-0000-4000-8000-000000000000' }] },
      'A rule names a web group that the account does not have.',
    ],
    [
      'a role that groups cannot give',
      { groupClaim: 'g', rules: [{ group: 'a', role: 'Ansys Support Coordinator (Administrator)', webGroupId: null }] },
      'body.rules',
    ],
  ])('with %s is refused', async (_, change, err) => {
    const answer = await save(change)
    expect(answer.status).toBe(400)
    expect(answer.body.err).toContain(err)
  })

  test('that somebody else has saved meanwhile is shown to both', async () => {
    await save()
    const answer = await save({ clientId: 'another' }, CORA)
    expect(answer).toMatchObject({ status: 409, body: { code: 'STALE', data: { current: { revision: 1 } } } })
    expect(JSON.stringify(answer.body)).not.toContain(provider.client.secret)
  })

  test('proves itself by a key, whose public part everybody can read', async () => {
    const saved = await save({ clientAuth: 'private_key_jwt', clientSecret: undefined })
    const { publicKey } = (saved.body.data as SignInProvider).provider ?? {}
    const keySet = JSON.parse(publicKey ?? '{}') as { keys: Record<string, string>[] }
    expect(keySet.keys).toMatchObject([{ kty: 'RSA', alg: 'RS256', use: 'sig' }])
    expect(keySet.keys[0]).not.toHaveProperty('d')
    const served = await portal.app.inject(`/auth/keys/${customerNumber}`)
    expect(served.json()).toEqual(keySet)
    expect((await portal.app.inject('/auth/keys/100003')).statusCode).toBe(404)
    const other = await save({ clientAuth: 'private_key_jwt', clientSecret: undefined, newKey: true, revision: 1 })
    expect((other.body.data as SignInProvider).provider?.publicKey).not.toBe(publicKey)
  })

  test('is switched on with a proven domain, after a test, and enforced with a break-glass address', async () => {
    await save()
    expect((await switchTo('optional')).body).toMatchObject({ code: 'SIGN_IN_NOT_READY', err: NO_PROVEN_DOMAIN })
    await proveDomain(portal, dns.texts, customerNumber, DOMAIN)
    expect((await switchTo('optional')).body).toMatchObject({ code: 'SIGN_IN_NOT_READY', err: NOT_TESTED })
    await portal.db.updateTable('sign_in_provider').set({ tested_version: 1 }).execute()
    expect((await switchTo('optional')).body.data).toMatchObject({ provider: { mode: 'optional' } })
    expect((await switchTo('enforced', VIC)).body).toMatchObject({ code: 'SIGN_IN_NOT_READY', err: BREAK_GLASS_NEEDED })
    expect((await switchTo('enforced', CORA, 1)).status).toBe(409)
    expect((await switchTo('enforced', CORA)).body.data).toMatchObject({
      provider: { mode: 'enforced', breakGlass: CORA },
    })
    const moved = await save(
      { issuer: 'https://id.example.com', clientSecret: undefined, revision: (await stateOf()).revision },
      OLIVIA,
    )
    expect(moved.body).toMatchObject({ code: 'SIGN_IN_NOT_READY' })
    const rotated = await save({ revision: (await stateOf()).revision }, OLIVIA)
    expect(rotated.body.data).toMatchObject({ provider: { mode: 'enforced', isTested: false } })
  })

  describe('is tested', () => {
    const testAs = async (email: string | null, account = customerNumber) => {
      const jar = new CookieJar()
      if (email) await follow(portal.app, jar, `/auth/login?login_hint=${email}`)
      const start = await portal.app.inject({ url: `/auth/login?test=${account}`, headers: { cookie: jar.header() } })
      jar.take(start)
      return { jar, start }
    }
    const run = async (email: string, claims: Record<string, unknown> = {}) => {
      people[email] = { email, ...claims }
      const jar = new CookieJar()
      await follow(portal.app, jar, `/auth/login?login_hint=${email}`)
      const before = jar.get('session')
      const url = await callbackAfter(portal, jar, `/auth/login?test=${customerNumber}`)
      const page = await portal.app.inject({ url, headers: { cookie: jar.header() } })
      jar.take(page)
      expect(jar.get('session')).toBe(before)
      return page
    }

    test('by those who may manage it', async () => {
      await save()
      for (const [email, account, status] of [
        [null, customerNumber, 401],
        [VIC, customerNumber, 403],
        [ADA, '100003', 404],
        [OLIVIA, '100003', 404],
        [ADA, customerNumber, 302],
      ] as const)
        expect((await testAs(email, account)).start.statusCode, `${email} on ${account}`).toBe(status)
      expect(await audited('sign-in-provider.test')).toMatchObject({
        email: ADA,
        customer_number: '100003',
        outcome: 'refused',
      })
    })

    test('and shows the claims and the role that they would give, without signing anybody in', async () => {
      await proveDomain(portal, dns.texts, customerNumber, DOMAIN)
      await save({ groupClaim: 'groups', rules: [{ group: '<CFD>', role: VIEWER, webGroupId: null }] })
      const page = await run(ADA, { groups: ['<CFD>'] })
      expect(page.statusCode).toBe(200)
      expect(page.body).toContain('<h1>The sign-in works</h1>')
      expect(page.body).toContain(`The groups give the role ${VIEWER}.`)
      expect(page.body).toContain('&#60;CFD&#62;')
      expect((await stateOf()).provider).toMatchObject({
        isTested: true,
        test: { by: ADA, email: ADA, role: VIEWER, reason: null, isCurrent: true },
      })
      expect(await audited('sign-in-provider.test')).toMatchObject({
        email: ADA,
        text: `Tested the sign-in provider: ${ADA} signed in`,
      })
    })

    test.each<[what: string, claims: Record<string, unknown>, reason: string]>([
      ['whose domain is not proven', { email: 'ada@elsewhere.example' }, 'is none of the proven domains'],
      ['without an email address', { email: undefined }, 'sent no email address'],
      ['whose address is not verified', { email_verified: false }, 'has not verified the email address'],
    ])('and fails for a person %s', async (_, claims, reason) => {
      await proveDomain(portal, dns.texts, customerNumber, DOMAIN)
      await save()
      const page = await run(ADA, claims)
      expect(page.body).toContain('The sign-in does not work yet')
      expect(page.body).toContain(reason)
      expect((await stateOf()).provider).toMatchObject({
        isTested: false,
        test: { reason: expect.stringContaining(reason) },
      })
    })

    test('and says what is wrong with a wrong client secret, or an issuer that does not answer', async () => {
      await proveDomain(portal, dns.texts, customerNumber, DOMAIN)
      await save({ clientSecret: 'wrong' })
      expect((await run(ADA)).body).toContain('The provider answered invalid_client')
      await save({ clientId: 'another', revision: 1 })
      await provider.goAway()
      const { start } = await testAs(ADA)
      await provider.comeBack()
      expect(start.body).toContain('The connection was refused')
      expect(start.body).toContain('The sign-in does not work yet')
    })
  })
})

describe('the sign-in page', () => {
  const normal = (html: string) =>
    html.replaceAll(/nonce="[^"]*"/g, '').replaceAll(/attempt=[A-Za-z0-9_-]+/g, 'attempt')
  const post = (email: string, remoteAddress = '192.0.2.1') =>
    portal.app.inject({
      remoteAddress,
      method: 'POST',
      url: '/auth/realm',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ email, returnTo: '/ssl' }).toString(),
    })

  test('asks for an email address once an account has switched on a provider', async () => {
    expect((await portal.app.inject('/auth/login?returnTo=/ssl')).statusCode).toBe(302)
    await give()
    const page = await portal.app.inject('/auth/login?returnTo=/ssl')
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('name="returnTo" value="/ssl"')
    for (const direct of ['?login_hint=ada', '?portal=1', '?fresh=1'])
      expect((await portal.app.inject(`/auth/login${direct}`)).statusCode, direct).toBe(302)
  })

  test('answers a domain that it knows and one that it does not alike, in text and in headers', async () => {
    await give({ mode: 'enforced', breakGlass: ADA })
    const [known, unknown, glass] = await Promise.all([post(VIC), post('vic@unknown.example'), post(ADA)])
    for (const other of [unknown, glass]) {
      expect(other.statusCode).toBe(known.statusCode)
      expect(normal(other.body)).toBe(normal(known.body))
      expect(Object.keys(other.headers).sort()).toEqual(Object.keys(known.headers).sort())
      expect(normal(String(other.headers.refresh))).toBe(normal(String(known.headers.refresh)))
    }
    expect(known.body).not.toContain('aerodyne')
  })

  test('does the same work for both, so that they take the same time', async () => {
    await give()
    await statements.during('known', async () => void (await post(VIC)))
    await statements.during('unknown', async () => void (await post('vic@unknown.example')))
    const sent = (during: string) => statements.recorded.filter((one) => one.during === during).map(({ text }) => text)
    expect(sent('known')).toEqual(sent('unknown'))
    expect(sent('known')).toHaveLength(3)
  })

  test('refuses what is no email address, and a form of another size or kind', async () => {
    await give()
    const answer = await post('no address')
    expect(answer.statusCode).toBe(400)
    expect(answer.body).toContain('Incorrect Email Format.')
    expect((await post('a'.repeat(20_000))).statusCode).toBe(413)
    const json = await portal.app.inject({ method: 'POST', url: '/auth/realm', payload: { email: VIC } })
    expect(json.statusCode).toBe(415)
  })

  test('allows 30 addresses a minute', async () => {
    await give()
    const answers = []
    for (let count = 0; count < 40; count++) answers.push((await post(VIC, '192.0.2.2')).statusCode)
    expect(answers).toContain(429)
    expect(answers.indexOf(429)).toBeLessThanOrEqual(30)
  })
})

describe('a person who signed in through the provider of the account', () => {
  test('has the rights of a contact on that account alone', async () => {
    await give()
    const { cookie } = await signInByEmail(ADA, { given_name: 'Ada', family_name: 'Admin' })
    expect(await sees(cookie, customerNumber)).toBe(200)
    // Ada is a contact of this account as well.
    expect(await sees(cookie, '100002')).toBe(404)
    expect(await sees(await signIn(portal.app, ADA), '100002')).toBe(200)
    const accounts = await callOperation(portal.app, accountList.page, cookie, { body: {} })
    expect((accounts.body.data as { AccountID: string }[]).map(({ AccountID }) => AccountID)).toEqual([customerNumber])
    expect(await audited('sign-in')).toMatchObject({ email: ADA, principal: 'session', credential: null })
    expect(await audited('getaccountinfo')).toMatchObject({
      email: ADA,
      principal: 'session',
      credential: `sign-in provider of ${customerNumber}`,
      outcome: 'refused',
    })
  })

  test('is never staff, and never somebody of another domain', async () => {
    await give()
    for (const email of [OLIVIA, 'petra.principal@partner.example']) {
      people[VIC] = { email }
      const jar = new CookieJar()
      const url = await callbackAfter(portal, jar, await enterEmail(portal, jar, VIC))
      const answer = await portal.app.inject({ url, headers: { cookie: jar.header() } })
      expect(answer.statusCode).toBe(403)
      expect(answer.json().err).toContain('is none of the proven domains of the account')
    }
    await portal.db.insertInto('staff_role').values({ email: VIC, role: 'busops', granted_by: 'test' }).execute()
    const { cookie } = await signInByEmail(VIC)
    await portal.db.deleteFrom('staff_role').where('email', '=', VIC).execute()
    expect(await details(cookie)).toMatchObject({ roles: ['user', 'portalview'] })
  })

  test('is refused with an address that the provider has not verified', async () => {
    await give()
    expect((await signInByEmail(VIC, { email_verified: false })).answer.statusCode).toBe(403)
  })

  test('signs in again there before a sensitive change, and signs out there', async () => {
    await give()
    const { cookie } = await signInByEmail(VIC)
    const fresh = await portal.app.inject({ url: '/auth/login?fresh=1', headers: { cookie } })
    expect(String(fresh.headers.location)).toContain(`${provider.issuer}/auth?`)
    expect(String(fresh.headers.location)).toContain('max_age=60')
    const out = await portal.app.inject({
      method: 'POST',
      url: '/auth/logout',
      headers: { cookie, 'x-requested-with': 'portal' },
    })
    expect(out.json().data.location).toContain(`${provider.issuer}/session/end`)
  })

  test('is signed out when the provider is switched off or removed', async () => {
    await give()
    const { cookie } = await signInByEmail(VIC)
    await (await as(OLIVIA))(switchSignInProvider, {
      body: { customerNumber, mode: 'off', breakGlass: null, revision: 2 },
    })
    expect(await sees(cookie, customerNumber)).toBe(401)
  })

  test('gets and loses a role and a web group by the groups of the directory', async () => {
    const made = await (await as(OLIVIA))(createWebGroup, { body: { customerNumber, name: 'Directory' } })
    const { groupId } = made.body.data as { groupId: string }
    await give({
      settings: {
        groupClaim: 'groups',
        rules: [
          { group: 'License admins', role: ADMINISTRATOR, webGroupId: null },
          { group: 'Engineers', role: VIEWER, webGroupId: groupId },
        ],
      },
    })
    const contact = async () =>
      (
        await portal.db
          .selectFrom('contact')
          .select('role')
          .where('customer_number', '=', customerNumber)
          .where('email', '=', NEW)
          .executeTakeFirst()
      )?.role
    const member = async () =>
      (await portal.db.selectFrom('web_group_member').select('email').where('group_id', '=', groupId).execute()).map(
        ({ email }) => email,
      )

    const none = await signInByEmail(NEW, { groups: ['Others'] })
    expect(await sees(none.cookie, customerNumber)).toBe(404)
    await signInByEmail(NEW, { groups: ['Engineers', 'License admins'] })
    expect(await contact()).toBe(ADMINISTRATOR)
    expect(await member()).toEqual([NEW])
    expect(await audited('sign-in-provider.access')).toMatchObject({
      email: NEW,
      target: NEW,
      customer_number: customerNumber,
      text: `Access of ${NEW} by the groups of the directory: ${ADMINISTRATOR}`,
    })
    await signInByEmail(NEW, { groups: 'Engineers' })
    expect(await contact()).toBe(VIEWER)
    // A claim that is missing says nothing.
    await signInByEmail(NEW)
    expect(await contact()).toBe(VIEWER)
    await signInByEmail(NEW, { groups: [] })
    expect(await contact()).toBeUndefined()
    expect(await member()).toEqual([])
    // What was given by hand stays where no group says otherwise.
    await signInByEmail(VIC, { groups: [] })
    const vic = await portal.db.selectFrom('contact').select('role').where('email', '=', VIC).executeTakeFirst()
    expect(vic?.role).toBe(VIEWER)
  })
})

describe('an enforced provider', () => {
  test('closes the account to its people who signed in otherwise, and to nobody else', async () => {
    const cookies = {
      ada: await signIn(portal.app, ADA),
      vic: await signIn(portal.app, VIC),
      olivia: await signIn(portal.app, OLIVIA),
    }
    await give({ mode: 'enforced', breakGlass: CORA })
    expect(await sees(cookies.vic, customerNumber)).toBe(404)
    expect(await sees(cookies.ada, customerNumber)).toBe(404)
    expect(await sees(cookies.ada, '100002')).toBe(200)
    expect(await sees(cookies.olivia, customerNumber)).toBe(200)
    const accounts = await callOperation(portal.app, accountList.page, cookies.ada, { body: {} })
    expect((accounts.body.data as { AccountID: string }[]).map(({ AccountID }) => AccountID)).not.toContain(
      customerNumber,
    )
    const { cookie } = await signInByEmail(ADA)
    expect(await sees(cookie, customerNumber)).toBe(200)
  })

  test('turns away those who would find nothing, and says where to go', async () => {
    await give({ mode: 'enforced', breakGlass: CORA })
    const end = await follow(portal.app, new CookieJar(), `/auth/login?login_hint=${VIC}`)
    expect(end.statusCode).toBe(403)
    expect(end.json().err).toContain('Your company requires its own sign-in.')
  })

  test('leaves the break-glass address a way in, which is logged and mailed', async () => {
    await give({ mode: 'enforced', breakGlass: CORA })
    const jar = new CookieJar()
    await follow(portal.app, jar, await enterEmail(portal, jar, CORA))
    const cookie = `session=${jar.get('session')}`
    expect(await sees(cookie, customerNumber)).toBe(200)
    expect(await audited('sign-in.break-glass')).toMatchObject({
      email: CORA,
      customer_number: customerNumber,
      text: `Signed in with the break-glass address ${CORA}`,
    })
    expect(await mails()).toEqual([expect.stringContaining('The break-glass address has signed in')])
  })

  test('leads nobody astray when the provider is away: the other way stays open to staff', async () => {
    await give({ mode: 'enforced', breakGlass: CORA })
    expect(await sees(await signIn(portal.app, OLIVIA), customerNumber)).toBe(200)
  })
})
