import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getUserDetails } from '#contract/accounts/get-user-details.ts'
import { whoami } from '#contract/service/whoami.ts'
import { revokeServiceKey } from '#server/identity/service-keys.queries.ts'
import { type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { bearer, giveServiceKey } from '#server/testing/service-keys.ts'

const ADA = 'ada.admin@aerodyne.example'
const MINUTE = 60_000

let portal: Portal
let call: Awaited<ReturnType<Portal['as']>>
let key: Awaited<ReturnType<typeof giveServiceKey>>
const lines: string[] = []
beforeAll(async () => {
  portal = await startPortal({ LOG_LEVEL: 'debug' }, { logStream: { write: (line) => lines.push(line) } })
  call = await portal.as(null)
})
beforeEach(async () => {
  await portal.db.deleteFrom('service_key').execute()
  key = await giveServiceKey(portal, 'ERP system', { scopes: ['usage', 'catalog'] })
})
afterAll(() => portal.close())

const whoIs = (headers: Record<string, string>) => call(whoami, { headers })

async function lastAudited() {
  const { id: _, ...row } = await portal.db
    .selectFrom('audit_log')
    .select(['id', 'email', 'principal', 'action', 'target', 'outcome', 'reason'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return row
}
async function countAudited(): Promise<number> {
  const rows = await portal.db.selectFrom('audit_log').select('id').execute()
  return rows.length
}

test('whoami answers the name, the scopes and the expiry of the key', async () => {
  expect(await whoIs(key.headers)).toMatchObject({
    status: 200,
    body: {
      status: 'SUCCESS',
      data: { name: 'ERP system', scopes: ['usage', 'catalog'], expires: key.expiresAt.toISOString() },
    },
  })
  expect((await whoIs({ authorization: `bearer ${key.key}` })).status).toBe(200)
})

test('a service path that does not exist is 404, and U+0000 in one is 400', async () => {
  const sendForStatus = async (url: string) => (await portal.app.inject({ url, headers: key.headers })).statusCode
  expect(await sendForStatus('/service/v1/nothing')).toBe(404)
  expect(await sendForStatus(`${whoami.path}?a=%00`)).toBe(400)
})

describe('a request without a usable key', () => {
  test.each([
    ['no key', {}],
    ['HTTP Basic', { authorization: 'Basic dXNlcjpwYXNzd29yZA==' }],
    ['another token', bearer('abc')],
    ['a key without Bearer', { authorization: 'lpk_0123456789ab_x' }],
    ['nothing after Bearer', { authorization: 'Bearer ' }],
  ])('a request with %s is answered that it needs a key', async (_, headers) => {
    const before = await countAudited()
    const answer = await whoIs(headers as Record<string, string>)
    expect(answer).toMatchObject({
      status: 401,
      body: { code: 'NOT_SIGNED_IN', err: 'Send a service key in the header Authorization: Bearer lpk_…' },
    })
    expect(answer.headers['www-authenticate']).toBe('Bearer')
    expect(await countAudited()).toBe(before)
  })

  test.each(['lpk_', 'lpk_0123456789ab_', `lpk_0123456789ab_${'x'.repeat(43)}`, `lpk_${'x'.repeat(5000)}`, 'lpk_é'])(
    'a key that does not exist is not valid: %s',
    async (token) => {
      expect(await whoIs(bearer(token))).toMatchObject({ status: 401, body: { err: 'This service key is not valid' } })
    },
  )

  test('a wrong secret is answered like an unknown key, and audited as an unauthenticated attempt that names the key', async () => {
    const other = await giveServiceKey(portal, 'other')
    const answer = await whoIs(bearer(key.key.replace(key.secret, other.secret)))
    expect(answer).toMatchObject({ status: 401, body: { err: 'This service key is not valid' } })
    expect(await lastAudited()).toEqual({
      email: 'Unknown',
      principal: null,
      action: 'service/whoami',
      target: `service key ERP system (${key.id})`,
      outcome: 'refused',
      reason: 'This service key is not valid',
    })
  })

  test('a revoked key is refused from the next call on, and is in the audit log', async () => {
    expect((await whoIs(key.headers)).status).toBe(200)
    await portal.db.transaction().execute((tx) => revokeServiceKey(tx, 'ERP system', portal.clock.now()))
    expect(await whoIs(key.headers)).toMatchObject({ status: 401, body: { err: 'This service key was revoked' } })
    expect(await lastAudited()).toMatchObject({ principal: 'service key', reason: 'This service key was revoked' })
  })

  test('a key is refused from the instant of its expiry on, and is in the audit log', async () => {
    const { headers } = await giveServiceKey(portal, 'short', { days: 1 / 24 / 60 })
    portal.clock.forward(MINUTE - 1)
    expect((await whoIs(headers)).status).toBe(200)
    portal.clock.forward(1)
    expect(await whoIs(headers)).toMatchObject({ status: 401, body: { err: 'This service key has expired' } })
    expect(await lastAudited()).toMatchObject({ principal: 'service key', reason: 'This service key has expired' })
  })
})

describe('a session and a key', () => {
  test('a session does not open the service API, is not extended there, and is in the audit log', async () => {
    const cookie = await signIn(portal.app, ADA)
    const lastSeen = () =>
      portal.db.selectFrom('session').select('last_seen_at').where('email', '=', ADA).orderBy('created_at').execute()
    const before = await lastSeen()
    portal.clock.forward(2 * MINUTE)
    const answer = await whoIs({ cookie })
    expect(answer).toMatchObject({ status: 401, body: { err: expect.stringContaining('Send a service key') } })
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(await lastSeen()).toEqual(before)
    expect(await lastAudited()).toMatchObject({ email: ADA, principal: 'session', action: 'service/whoami' })
  })

  test("a key does not open people's operations, also together with a cookie, and is in the audit log", async () => {
    const cookie = await signIn(portal.app, ADA)
    for (const headers of [key.headers, { ...key.headers, cookie }]) {
      expect(await call(getUserDetails, { headers })).toMatchObject({
        status: 401,
        body: { err: 'Sign in to continue. A service key cannot make this call.' },
      })
      expect(await lastAudited()).toMatchObject({
        email: `ERP system (${key.id})`,
        principal: 'service key',
        action: getUserDetails.name,
      })
    }
  })

  test("a proxy's own Authorization header does not get in the way of a session", async () => {
    const cookie = await signIn(portal.app, ADA)
    for (const authorization of ['Basic dXNlcjpwYXNzd29yZA==', 'Bearer eyJhbGciOiJub25lIn0'])
      expect((await call(getUserDetails, { headers: { cookie, authorization } })).status).toBe(200)
  })
})

describe('the last use', () => {
  const lastUse = async () =>
    (
      await portal.db
        .selectFrom('service_key')
        .select('last_used_at')
        .where('id', '=', key.id)
        .executeTakeFirstOrThrow()
    ).last_used_at

  test('is saved at most once a minute', async () => {
    const first = portal.clock.now()
    await Promise.all(Array.from({ length: 4 }, () => whoIs(key.headers)))
    expect(await lastUse()).toEqual(first)
    portal.clock.forward(MINUTE - 1)
    await whoIs(key.headers)
    expect(await lastUse()).toEqual(first)
    portal.clock.forward(1)
    await whoIs(key.headers)
    expect(await lastUse()).toEqual(portal.clock.now())
  })

  test('does not count a call with a wrong secret', async () => {
    const other = await giveServiceKey(portal, 'other')
    await whoIs(bearer(key.key.replace(key.secret, other.secret)))
    expect(await lastUse()).toBeNull()
  })
})

test('logs never contain a key', async () => {
  lines.length = 0
  await whoIs(key.headers)
  await whoIs(bearer(key.key.slice(0, -1)))
  await call(getUserDetails, { headers: key.headers })
  await portal.app.inject({ url: '/service/v1/nothing', headers: key.headers })
  for (const url of [`${whoami.path}?key=${key.key}`, `/service/${key.key}`, `/api/environment?key=${key.key}`])
    await portal.app.inject(url)
  await portal.db.schema.alterTable('service_key').renameTo('key_away').execute()
  expect((await whoIs(key.headers)).status).toBe(500)
  await portal.db.schema.alterTable('key_away').renameTo('service_key').execute()
  const text = lines.join('')
  expect(text).toContain('"url":"/service/v1/whoami"')
  expect(text).toContain('request failed')
  expect(text).not.toContain(key.secret.slice(0, 20))
  expect(text).not.toMatch(/authorization|bearer/i)
})
