import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { getPin, getUsers, saveUsers } from '#contract/elastic/credentials/credentials.ts'
import { OPERATIONS } from '#contract/operations.ts'
import { createCalendarFeed } from '#contract/reminders/reminders.ts'
import { getPortalAccess } from '#contract/settings/portal-access.ts'
import { createToken, tokenList } from '#contract/tokens/tokens.ts'
import { replayDeliveries, resendDelivery } from '#contract/webhooks/webhooks.ts'
import { elasticServerId } from '#server/demo/parts/elastic-servers.demo.ts'
import { giveApiToken } from '#server/testing/api-tokens.ts'
import {
  callbackFrom,
  type IdentityProvider,
  signInThrough,
  startIdentityProvider,
} from '#server/testing/outside/identity-provider.ts'
import { CookieJar, callOperation, type Portal, signIn, startPortal } from '#server/testing/portal.ts'

const ADA = 'ada.admin@aerodyne.example'
const MINUTE = 60_000
const NEW = { customerNumber: '100001', name: 'ERP', scopes: ['usage:read'], days: 30 }

let provider: IdentityProvider
let portal: Portal
/** Somebody who controls the address bar removes max_age from the request. */
let isMaxAgeRemoved = false
beforeAll(async () => {
  provider = await startIdentityProvider({
    people: { ada: { email: ADA }, vic: { email: 'vic.viewer@aerodyne.example' } },
    intercept: (context) => {
      if (!isMaxAgeRemoved || context.path !== '/auth') return
      const { max_age: _, ...query } = context.query
      context.query = query
    },
  })
  portal = await startPortal(provider.settings)
})
// The provider goes by the time of the machine.
beforeEach(() => portal.clock.forward(Date.now() - portal.clock.now().getTime()))
afterAll(async () => {
  await portal.close()
  await provider.close()
})

const create = (cookie: string) => callOperation(portal.app, createToken, cookie, { body: NEW })

/** The session would end after 30 minutes without a call. */
async function letAnHourPass(cookie: string): Promise<void> {
  for (let passed = 0; passed < 61; passed += 20) {
    portal.clock.forward(20.5 * MINUTE)
    const answer = await callOperation(portal.app, getPortalAccess, cookie, { body: { customerNumber: '100001' } })
    expect(answer.status).toBe(200)
  }
}

test('is on with an identity provider, and off in the demo', async () => {
  expect(portal.config.freshSignInMinutes).toBe(60)
  const demo = await startPortal()
  expect(demo.config.freshSignInMinutes).toBe(0)
  const cookie = await signIn(demo.app, ADA)
  expect((await callOperation(demo.app, createToken, cookie, { body: NEW })).status).toBe(200)
  await demo.close()
})

test('a fresh sign-in is accepted only if the provider has asked the person', async () => {
  const freshly = async () => {
    const jar = new CookieJar()
    const url = await callbackFrom(portal, jar, 'ada', '&fresh=1')
    const answer = await portal.app.inject({ url, headers: { cookie: jar.header() } })
    jar.take(answer)
    return { status: answer.statusCode, cookie: `session=${jar.get('session')}` }
  }
  const { status, cookie } = await freshly()
  expect(status).toBe(302)
  expect((await create(cookie)).status).toBe(200)
  isMaxAgeRemoved = true
  expect((await freshly()).status).toBe(400)
  // An ordinary sign-in without auth_time is no fresh one.
  const ordinary = await signInThrough(portal, 'ada')
  isMaxAgeRemoved = false
  expect(ordinary.answer.statusCode).toBe(302)
  expect(await create(ordinary.cookie)).toMatchObject({ status: 403, body: { code: 'FRESH_SIGN_IN_NEEDED' } })
})

test('an hour after the sign-in, sensitive changes are refused with their own code, and other calls are not', async () => {
  const { cookie } = await signInThrough(portal, 'ada')
  expect((await create(cookie)).status).toBe(200)
  await letAnHourPass(cookie)
  expect(await create(cookie)).toMatchObject({
    status: 403,
    body: { code: 'FRESH_SIGN_IN_NEEDED', err: expect.stringContaining('Sign in again') },
  })
  const audited = await portal.db
    .selectFrom('audit_log')
    .select(['email', 'action', 'outcome', 'customer_number'])
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(audited).toEqual({ email: ADA, action: 'tokens/create', outcome: 'refused', customer_number: '100001' })
  const list = await callOperation(portal.app, tokenList.page, cookie, { body: { customerNumber: '100001' } })
  expect(list.status).toBe(200)
})

test('somebody without the right is refused as always, and not sent to sign in again', async () => {
  const { cookie } = await signInThrough(portal, 'vic')
  portal.clock.forward(25 * MINUTE)
  expect(await create(cookie)).toMatchObject({ status: 403, body: { code: 'NOT_ALLOWED' } })
})

test('an hour after the sign-in, a PIN is not shown, while the list of allowed usernames is', async () => {
  const { cookie } = await signInThrough(portal, 'ada')
  const body = { customerNumber: '100001', clsId: elasticServerId('100001') }
  const read = async (operation: typeof getPin | typeof getUsers) =>
    (await callOperation(portal.app, operation, cookie, { body })).status
  expect(await read(getPin)).toBe(200)
  await letAnHourPass(cookie)
  expect(await read(getUsers)).toBe(200)
  for (const operation of [getPin, saveUsers, createCalendarFeed, resendDelivery, replayDeliveries])
    expect(await callOperation(portal.app, operation, cookie, { body }), operation.name).toMatchObject({
      status: 403,
      body: { code: 'FRESH_SIGN_IN_NEEDED' },
    })
})

test('a sign-in of the future is not fresh', async () => {
  const early = await startIdentityProvider({ people: { ada: { email: ADA } }, secondsSignedIn: -600 })
  const other = await startPortal(early.settings)
  onTestFinished(async () => {
    await other.close()
    await early.close()
  })
  const { answer, cookie } = await signInThrough(other, 'ada')
  expect(answer.statusCode).toBe(302)
  const refused = await callOperation(other.app, createToken, cookie, { body: NEW })
  expect(refused).toMatchObject({ status: 403, body: { code: 'FRESH_SIGN_IN_NEEDED' } })
})

test('the sign-in asks the provider for max_age, a fresh one for a short one', async () => {
  const maxAgeOf = async (query: string) => {
    const { headers } = await portal.app.inject({ url: `/auth/login?${query}` })
    return new URL(String(headers.location)).searchParams.get('max_age')
  }
  expect(await maxAgeOf('')).toBe('43200')
  expect(await maxAgeOf('fresh=1')).toBe('60')
})

test('every operation that shows a secret or changes who gets in is marked', () => {
  const marked = OPERATIONS.filter(({ freshSignIn }) => freshSignIn).map(({ name }) => name)
  expect(marked).toEqual(
    expect.arrayContaining([
      'getpin',
      'changepin',
      'saveUsers',
      'setips',
      'createcalendarfeed',
      'setportalaccess',
      'setaccountswitches',
      'tokens/create',
      'tokens/roll',
      'tokens/policy/save',
      'webhooks/save',
      'webhooks/rotate',
      'webhooks/remove',
      'webhooks/resend',
      'webhooks/replay',
      'provisioning/mapping',
      'provisioning/replay',
    ]),
  )
  expect(marked, 'revoking a token has to be quick').not.toContain('tokens/revoke')
})

test('a token is not asked to sign in again', async () => {
  const { headers } = await giveApiToken(portal)
  const body = { customerNumber: '100001', newContacts: [], oldContacts: [] }
  const save = OPERATIONS.find(({ name }) => name === 'setportalaccess')!
  expect((await callOperation(portal.app, save, undefined, { headers, body })).body.code).not.toBe(
    'FRESH_SIGN_IN_NEEDED',
  )
})
