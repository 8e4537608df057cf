import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { getUserDetails } from '#contract/accounts/get-user-details.ts'
import { listServers } from '#contract/activations/hosts/servers.ts'
import { usageList } from '#contract/elastic/usage/usage-list.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { getReminders, setReminders } from '#contract/reminders/reminders.ts'
import { whoami } from '#contract/service/whoami.ts'
import { getPortalAccess, setPortalAccess } from '#contract/settings/portal-access.ts'
import { listTasks } from '#contract/tasks/tasks.ts'
import {
  createToken,
  getTokenPolicy,
  revokeToken,
  rollToken,
  saveTokenPolicy,
  tokenList,
} from '#contract/tokens/tokens.ts'
import { ADMINISTRATOR, VIEWER } from '#domain/access/roles.ts'
import { NO_REMINDERS } from '#domain/reminders/reminders.ts'
import { NOT_BY_TOKEN } from '#domain/settings/contacts.ts'
import { isTokenText } from '#domain/tokens/token-text.ts'
import { buildApp } from '#server/app.ts'
import type { Pool } from '#server/db/database.ts'
import { SIGN_IN_PEOPLE } from '#server/demo/sign-in-people.ts'
import { announceAccess } from '#server/identity/access-changes.queries.ts'
import { type RememberedCallers, rememberCallers } from '#server/identity/remembered-callers.ts'
import { warnOfExpiry } from '#server/modules/tokens/warn-of-expiry.ts'
import { giveApiToken } from '#server/testing/api-tokens.ts'
import { type Answer, type CallParts, callOperation, type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { recordStatements } from '#server/testing/scale-out/recorded-statements.ts'
import { bearer } from '#server/testing/service-keys.ts'

const ADA = 'ada.admin@aerodyne.example'
const CORA = 'cora.coordinator@aerodyne.example'
const VIC = 'vic.viewer@aerodyne.example'
const OLIVIA = 'olivia.ops@vendor.example'
const customerNumber = '100001'
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Two processes of one installation, each with a cache of callers. */
let portal: Portal
let other: FastifyInstance
const memories: RememberedCallers[] = []
const remember = (pool: Pool) => {
  const memory = rememberCallers(pool)
  memories.push(memory)
  return memory
}
let statements: ReturnType<typeof recordStatements>
beforeAll(async () => {
  statements = recordStatements()
  portal = await startPortal({}, { callers: remember })
  // Removes the tokens of the demo account.
  await portal.db.deleteFrom('api_token').execute()
  other = await buildApp({ ...portal, people: SIGN_IN_PEOPLE, callers: remember })
  await other.ready()
})
afterEach(async () => {
  await portal.db.deleteFrom('api_token').execute()
  await portal.db.deleteFrom('api_token_policy').execute()
  await portal.db.deleteFrom('saved_revision').where('subject', '=', 'token policy').execute()
  await portal.db.transaction().execute((tx) => announceAccess(tx, [customerNumber]))
  for (const memory of memories) await memory.settled()
})
afterAll(async () => {
  statements.close()
  await other.close()
  await portal.close()
})

/** A sign-in is over after 30 minutes without a call, and tests turn the clock. */
const cookies = new Map<string, string>()
async function as(email: string | null) {
  const key = `${email} ${Math.floor(portal.clock.now().getTime() / (10 * MINUTE))}`
  const cookie = email === null ? undefined : (cookies.get(key) ?? (await signIn(portal.app, email)))
  if (cookie) cookies.set(key, cookie)
  return (operation: Operation, parts: CallParts) => callOperation(portal.app, operation, cookie, parts)
}

const NEW = { customerNumber, name: 'ERP', scopes: ['usage:read', 'entitlements:read'], days: 30 }
type Made = { id: string; token: string; expires: string }
async function make(body: object = {}, email = ADA): Promise<Made & { headers: Record<string, string> }> {
  const answer = await (await as(email))(createToken, { body: { ...NEW, ...body } })
  expect(answer).toMatchObject({ status: 200, body: { status: 'SUCCESS' } })
  const made = answer.body.data as Made
  return { ...made, headers: bearer(made.token) }
}
const send = (operation: Operation, headers: Record<string, string>, body: object = {}, app = portal.app) =>
  callOperation(app, operation, undefined, { headers, body: { customerNumber, ...body } })
const readUsage = (headers: Record<string, string>, app = portal.app): Promise<Answer> =>
  send(usageList.page, headers, { limit: 1 }, app)
const listed = async () => {
  const { body } = await (await as(ADA))(tokenList.page, { body: { customerNumber } })
  return body.data as Record<string, unknown>[]
}
async function lastAudited(action?: string) {
  return portal.db
    .selectFrom('audit_log')
    .select(['email', 'principal', 'action', 'customer_number', 'target', 'outcome', 'reason', 'before', 'after'])
    .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
}

describe('making a token', () => {
  test('answers the token once, keeps only a hash of it, and audits it', async () => {
    const { id, token, expires } = await make({ name: ' ERP  system ', addresses: ['192.0.2.77/24', '127.0.0.1'] })
    expect(isTokenText(token)).toBe(true)
    expect(new Date(expires).getTime() - portal.clock.now().getTime()).toBe(30 * DAY)
    const kept = await sql<{ row: string }>`select api_token::text as row from api_token`.execute(portal.db)
    expect(kept.rows).toHaveLength(1)
    expect(JSON.stringify(kept.rows)).not.toContain(token.slice(4, 20))
    expect(await listed()).toEqual([
      {
        id,
        name: expect.stringContaining('ERP'),
        owner: ADA,
        scopes: ['entitlements:read', 'usage:read'],
        addresses: ['192.0.2.0/24', '127.0.0.1'],
        created: portal.clock.now().toISOString(),
        expires,
        lastUsed: null,
        lastAddress: null,
        revoked: null,
        replacedBy: null,
      },
    ])
    const audited = await lastAudited('tokens/create')
    expect(audited).toMatchObject({ email: ADA, principal: 'session', customer_number: customerNumber, target: id })
    expect(JSON.stringify(audited)).not.toContain(token)
  })

  test.each<[what: string, body: object, err: string]>([
    ['no name', { name: ' ' }, 'body.name'],
    ['no scope', { scopes: [] }, 'body.scopes'],
    ['an unknown scope', { scopes: ['everything:read'] }, 'body.scopes'],
    ['0 days', { days: 0 }, 'body.days'],
    ['367 days', { days: 367 }, 'body.days'],
    ['an address that is none', { addresses: ['office'] }, 'office: Enter an IPv4 or IPv6 address'],
    ['an unknown field', { owner: VIC }, "unknown field 'owner'"],
  ])('is refused with the reason: %s', async (_, body, err) => {
    const answer = await (await as(ADA))(createToken, { body: { ...NEW, ...body } })
    expect(answer.status).toBe(400)
    expect(answer.body.err).toContain(err)
  })

  test.each([
    [null, customerNumber, 401],
    [VIC, customerNumber, 403],
    [OLIVIA, customerNumber, 403],
    [ADA, '100003', 404],
    [CORA, customerNumber, 200],
  ])('%s on %s gets %s', async (email, number, status) => {
    const answer = await (await as(email))(createToken, { body: { ...NEW, customerNumber: number } })
    expect(answer.status).toBe(status)
  })

  test('stops at 100 tokens of an account', async () => {
    await sql`insert into api_token (customer_number, id, secret_hash, name, owner, scopes, addresses, created_at, expires_at)
      select ${customerNumber}, gen_random_uuid(), sha256(n::text::bytea), 'many', ${ADA}, '{usage:read}', '{}',
             ${portal.clock.now()}, ${new Date(portal.clock.now().getTime() + DAY)} from generate_series(1, 100) n`.execute(
      portal.db,
    )
    const ada = await as(ADA)
    expect(await ada(createToken, { body: NEW })).toMatchObject({ status: 200, body: { code: 'TOO_MANY_TOKENS' } })
  })
})

describe('a call with a token', () => {
  test('is answered without a cookie or cross-site header, and audited as the token of its owner', async () => {
    const { headers } = await make({ scopes: ['entitlements:write'] })
    const { data } = (await send(getReminders, headers)).body as { data: { reminders: { revision: number } } }
    const answer = await portal.app.inject({
      method: 'POST',
      url: setReminders.path,
      headers,
      payload: {
        customerNumber,
        reminders: { ...NO_REMINDERS, recipients: [VIC], leadDays: [45] },
        revision: data.reminders.revision,
      },
    })
    expect(answer.statusCode).toBe(200)
    expect(await lastAudited('setreminders')).toMatchObject({ email: ADA, principal: 'token', outcome: 'done' })
  })

  test('reads, and the scope to write includes reading', async () => {
    expect((await readUsage((await make()).headers)).status).toBe(200)
    expect((await readUsage((await make({ scopes: ['usage:write'] })).headers)).status).toBe(200)
  })

  test('is refused without the scope, and the refusal is audited', async () => {
    const { headers } = await make()
    expect(await send(listServers, headers)).toMatchObject({
      status: 403,
      body: { code: 'NOT_ALLOWED', err: 'This token does not have the scope activations:read' },
    })
    expect(await lastAudited()).toMatchObject({
      email: ADA,
      principal: 'token',
      customer_number: customerNumber,
      outcome: 'refused',
    })
  })

  test('sees no other account, not even one of its owner', async () => {
    const ada = await as(ADA)
    expect((await ada(usageList.page, { body: { customerNumber: '100002', limit: 1 } })).status).toBe(200)
    const { headers } = await make()
    for (const number of ['100002', '100003', '999999'])
      expect(await send(usageList.page, headers, { customerNumber: number })).toMatchObject({
        status: 404,
        body: { err: 'No such account' },
      })
  })

  test('adds and removes Viewers, but never gives or takes the other roles', async () => {
    const { headers } = await make({ scopes: ['access:write'] })
    const { data } = (await send(getPortalAccess, headers)).body as { data: { email: string; role: string }[] }
    const contacts = data.map(({ email, role }) => ({ email, role }))
    const save = (oldContacts: object[], newContacts: object[]) =>
      send(setPortalAccess, headers, { oldContacts, newContacts })
    const added = (role: string) => [...contacts, { email: 'new@aerodyne.example', role }]
    for (const wanted of [added(ADMINISTRATOR), contacts.filter(({ email }) => email !== CORA)])
      expect(await save(contacts, wanted)).toMatchObject({ status: 403, body: { err: NOT_BY_TOKEN } })
    expect(await lastAudited('setportalaccess')).toMatchObject({ principal: 'token', outcome: 'refused' })
    expect((await save(contacts, added(VIEWER))).status).toBe(200)
    expect((await save(added(VIEWER), contacts)).status).toBe(200)
  })

  test('must name its account where people may leave it out', async () => {
    const { headers } = await make()
    expect((await callOperation(portal.app, listTasks, undefined, { headers })).status).toBe(403)
    const named = await callOperation(portal.app, listTasks, undefined, { headers, query: { customerNumber } })
    expect(named.status).toBe(200)
  })

  test.each<[what: string, operation: Operation]>([
    ['its owner', getUserDetails],
    ['tokens', tokenList.page],
    ['the vendor', whoami],
  ])('is refused with 401 by an operation about %s', async (_, operation) => {
    const { headers } = await giveApiToken(portal)
    const body = operation === tokenList.page ? { body: { customerNumber } } : {}
    expect((await callOperation(portal.app, operation, undefined, { headers, ...body })).status).toBe(401)
  })

  test('takes precedence over the cookie of the same request', async () => {
    const ada = await as(ADA)
    const { headers } = await make()
    expect((await ada(tokenList.page, { body: { customerNumber }, headers })).status).toBe(401)
  })

  test('with a wrong checksum is refused without a statement, with a right one after a look', async () => {
    const { token } = await giveApiToken(portal)
    const { token: unknown } = await giveApiToken(portal)
    await portal.db.deleteFrom('api_token').execute()
    const wrong = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')
    await statements.during('wrong', async () => {
      for (const sent of ['lpc_', wrong, `${token}x`, token.toLowerCase(), 'lpc_é'])
        expect(await readUsage(bearer(sent))).toMatchObject({ status: 401, body: { err: 'This token is not valid' } })
    })
    await statements.during('unknown', async () => {
      expect(await readUsage(bearer(unknown))).toMatchObject({ status: 401, body: { err: 'This token is not valid' } })
    })
    const recorded = (during: string) => statements.recorded.filter((one) => one.during === during)
    expect(recorded('wrong')).toEqual([])
    expect(recorded('unknown')).toMatchObject([{ text: expect.stringContaining('from api_token') }])
  })

  test('is refused from the instant of its expiry on', async () => {
    const { headers } = await giveApiToken(portal, { days: 1 / 24 / 60 })
    portal.clock.forward(MINUTE - 1)
    expect((await readUsage(headers)).status).toBe(200)
    portal.clock.forward(1)
    expect(await readUsage(headers)).toMatchObject({ status: 401, body: { err: 'This token has expired' } })
    expect(await lastAudited()).toMatchObject({ principal: 'token', reason: 'This token has expired' })
  })

  test('is refused from an address that is not in its list', async () => {
    const { headers } = await giveApiToken(portal, { addresses: ['192.0.2.0/24'] })
    expect(await readUsage(headers)).toMatchObject({
      status: 403,
      body: { err: 'This token cannot be used from 127.0.0.1' },
    })
    const answer = await portal.app.inject({
      method: 'POST',
      url: usageList.page.path,
      headers,
      remoteAddress: '192.0.2.9',
      payload: { customerNumber, limit: 1 },
    })
    expect(answer.statusCode).toBe(200)
  })

  test('saves time and address of the last use at most once a minute', async () => {
    const { headers } = await make()
    const first = portal.clock.now().toISOString()
    await readUsage(headers)
    portal.clock.forward(MINUTE - 1)
    await readUsage(headers)
    await readUsage(headers, other)
    expect(await listed()).toMatchObject([{ lastUsed: first, lastAddress: '127.0.0.1' }])
    portal.clock.forward(1)
    await readUsage(headers)
    expect(await listed()).toMatchObject([{ lastUsed: portal.clock.now().toISOString() }])
  })
})

describe('a token whose owner loses rights', () => {
  const changeRole = (role: string | null) =>
    portal.db.transaction().execute(async (tx) => {
      const contact = { customer_number: customerNumber, email: ADA }
      await tx.deleteFrom('contact').where('customer_number', '=', customerNumber).where('email', '=', ADA).execute()
      if (role)
        await tx
          .insertInto('contact')
          .values({ ...contact, role: role as typeof VIEWER })
          .execute()
      await announceAccess(tx, [customerNumber])
    })
  afterEach(() => changeRole('Licensing Portal Administrator'))
  const write = (headers: Record<string, string>, app: FastifyInstance) =>
    send(setReminders, headers, { reminders: NO_REMINDERS, revision: 0 }, app)

  test('reads like a viewer, writes nothing, and sees no account when the owner is no contact any more', async () => {
    const { headers } = await giveApiToken(portal)
    for (const app of [portal.app, other]) {
      expect((await readUsage(headers, app)).status).toBe(200)
      expect([200, 409]).toContain((await write(headers, app)).status)
    }
    await changeRole(VIEWER)
    for (const memory of memories) await memory.settled()
    for (const app of [portal.app, other]) {
      expect((await readUsage(headers, app)).status).toBe(200)
      expect((await write(headers, app)).status).toBe(403)
    }
    await changeRole(null)
    for (const memory of memories) await memory.settled()
    for (const app of [portal.app, other]) expect((await readUsage(headers, app)).status).toBe(404)
  })

  test('has no rights from a staff role', async () => {
    const { headers } = await giveApiToken(portal, { owner: OLIVIA })
    expect((await readUsage(headers)).status).toBe(404)
  })

  test('is refused while access to the account is disabled, as its owner is', async () => {
    const { headers } = await giveApiToken(portal, { customerNumber: '100008', owner: 'hal.heritage@heritage.example' })
    expect((await send(getReminders, headers, { customerNumber: '100008' })).status).toBe(403)
  })

  test('is refused on an account that export compliance has closed', async () => {
    const { headers } = await giveApiToken(portal, {
      customerNumber: '100004',
      owner: 'ella.export@restricted.example',
    })
    expect((await send(usageList.page, headers, { customerNumber: '100004' })).status).toBe(403)
  })
})

describe('revoking a token', () => {
  test('counts at once on every process, and is audited', async () => {
    const { id, headers } = await make()
    for (const app of [portal.app, other]) expect((await readUsage(headers, app)).status).toBe(200)
    const ada = await as(ADA)
    expect((await ada(revokeToken, { body: { customerNumber, id } })).status).toBe(200)
    expect(await readUsage(headers)).toMatchObject({ status: 401, body: { err: 'This token was revoked' } })
    for (const memory of memories) await memory.settled()
    expect((await readUsage(headers, other)).status).toBe(401)
    expect(await lastAudited('tokens/revoke')).toMatchObject({ email: ADA, target: id, outcome: 'done' })
    expect(await ada(revokeToken, { body: { customerNumber, id } })).toMatchObject({ status: 404 })
  })

  test('while calls are running, no call that begins after the answer is let through', async () => {
    const { id, headers } = await make()
    const ada = await as(ADA)
    const statuses: number[] = []
    let isRevoked = false
    const caller = async () => {
      while (!isRevoked) statuses.push((await readUsage(headers)).status)
      return (await readUsage(headers)).status
    }
    const callers = [caller(), caller(), caller(), caller()]
    expect((await readUsage(headers)).status).toBe(200)
    expect((await ada(revokeToken, { body: { customerNumber, id } })).status).toBe(200)
    isRevoked = true
    expect(await Promise.all(callers)).toEqual([401, 401, 401, 401])
    expect(statuses).toContain(200)
  })

  test('two at once: one is answered, the other finds nothing', async () => {
    const { id } = await make()
    const ada = await as(ADA)
    const answers = await Promise.all([1, 2].map(() => ada(revokeToken, { body: { customerNumber, id } })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
  })

  test.each([
    [null, 401],
    [VIC, 403],
    [OLIVIA, 200],
  ])('%s gets %s', async (email, status) => {
    const { id } = await make()
    expect((await (await as(email))(revokeToken, { body: { customerNumber, id } })).status).toBe(status)
  })

  test('an id that is none is a 400, and a token of another account is a 404', async () => {
    const ada = await as(ADA)
    expect((await ada(revokeToken, { body: { customerNumber, id: 'x' } })).status).toBe(400)
    const foreign = await giveApiToken(portal, { customerNumber: '100003' })
    expect((await ada(revokeToken, { body: { customerNumber, id: foreign.id } })).status).toBe(404)
  })
})

describe('replacing a token', () => {
  const roll = async (id: string, body: object = {}) =>
    (await as(CORA))(rollToken, { body: { customerNumber, id, days: 30, ...body } })

  test('gives a new one like it, and both work during the overlap', async () => {
    const old = await make({ addresses: ['127.0.0.1'] })
    const rolled = await roll(old.id, { overlapHours: 2 })
    const made = rolled.body.data as Made
    const headers = bearer(made.token)
    expect([(await readUsage(old.headers)).status, (await readUsage(headers)).status]).toEqual([200, 200])
    expect(await listed()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: old.id, replacedBy: made.id, owner: ADA }),
        expect.objectContaining({
          id: made.id,
          name: 'ERP',
          owner: CORA,
          addresses: ['127.0.0.1'],
          scopes: ['entitlements:read', 'usage:read'],
        }),
      ]),
    )
    portal.clock.forward(120 * MINUTE)
    expect([(await readUsage(old.headers)).status, (await readUsage(headers)).status]).toEqual([401, 200])
    expect(await lastAudited('tokens/roll')).toMatchObject({ email: CORA, target: made.id })
  })

  test('without an overlap ends the old one at once, on every process', async () => {
    const old = await make()
    for (const app of [portal.app, other]) expect((await readUsage(old.headers, app)).status).toBe(200)
    expect((await roll(old.id, { overlapHours: 0 })).status).toBe(200)
    for (const memory of memories) await memory.settled()
    for (const app of [portal.app, other]) expect((await readUsage(old.headers, app)).status).toBe(401)
  })

  test('is refused for a token that is replaced, revoked or unknown, and beyond the limits', async () => {
    const old = await make()
    await roll(old.id)
    expect(await roll(old.id)).toMatchObject({ status: 200, body: { code: 'TOKEN_NOT_ACTIVE' } })
    expect((await roll('00000000-0000-4000-8000-000000000000')).status).toBe(404)
    const next = await make()
    expect((await roll(next.id, { overlapHours: 169 })).status).toBe(400)
    expect((await roll(next.id, { days: 400 })).status).toBe(400)
    const vic = await as(VIC)
    expect((await vic(rollToken, { body: { customerNumber, id: next.id, days: 1 } })).status).toBe(403)
    const nobody = await as(null)
    expect((await nobody(rollToken, { body: { customerNumber, id: next.id, days: 1 } })).status).toBe(401)
  })
})

describe('the policy of an account', () => {
  const save = async (policy: object, revision = 0, email: string | null = ADA) =>
    (await as(email))(saveTokenPolicy, { body: { customerNumber, policy, revision } })
  const READ_ONLY = { longestDays: 20, isWriteAllowed: false }

  test('allows everything at first, is saved, audited and loaded', async () => {
    const ada = await as(ADA)
    const load = async () => (await ada(getTokenPolicy, { body: { customerNumber } })).body.data
    expect(await load()).toEqual({ longestDays: 366, isWriteAllowed: true, revision: 0 })
    expect(await save(READ_ONLY)).toMatchObject({ status: 200, body: { data: { ...READ_ONLY, revision: 1 } } })
    expect(await load()).toEqual({ ...READ_ONLY, revision: 1 })
    expect(await lastAudited('tokens/policy/save')).toMatchObject({ email: ADA, after: READ_ONLY })
  })

  test('bounds new tokens', async () => {
    await save(READ_ONLY)
    const ada = await as(ADA)
    const refusal = async (body: object) => (await ada(createToken, { body: { ...NEW, days: 20, ...body } })).body.err
    expect(await refusal({ days: 21 })).toBe('The policy of this account allows at most 20 days.')
    expect(await refusal({ scopes: ['usage:write'] })).toBe('The policy of this account allows tokens to read only.')
    expect(await refusal({})).toBeUndefined()
  })

  test('counts at once for tokens that exist, on every process', async () => {
    const { headers } = await make({ scopes: ['entitlements:write'], days: 366 })
    const write = (app: FastifyInstance) => send(setReminders, headers, { reminders: NO_REMINDERS, revision: 0 }, app)
    for (const app of [portal.app, other]) expect([200, 409]).toContain((await write(app)).status)
    await save(READ_ONLY)
    for (const memory of memories) await memory.settled()
    for (const app of [portal.app, other])
      expect(await write(app)).toMatchObject({ status: 403, body: { err: expect.stringContaining('read only') } })
    const [row] = await listed()
    expect(new Date(String(row?.expires)).getTime() - portal.clock.now().getTime()).toBe(20 * DAY)
  })

  test('is not saved over a change of somebody else', async () => {
    await save(READ_ONLY)
    expect(await save({ ...READ_ONLY, longestDays: 5 }, 0)).toMatchObject({
      status: 409,
      body: { code: 'STALE', data: { current: { ...READ_ONLY, revision: 1 } } },
    })
  })

  test.each<[policy: object, email: string | null, status: number]>([
    [{ ...READ_ONLY, longestDays: 0 }, ADA, 400],
    [{ ...READ_ONLY, longestDays: 367 }, ADA, 400],
    [READ_ONLY, null, 401],
    [READ_ONLY, VIC, 403],
    [READ_ONLY, 'greta.generator@partner.example', 404],
  ])('%j saved by %s is answered with %s', async (policy, email, status) => {
    expect((await save(policy, 0, email)).status).toBe(status)
  })
})

describe('mails before the end of a token', () => {
  const mails = () =>
    portal.db
      .selectFrom('mail')
      .select(['subject', 'recipients', 'body_text'])
      .where('customer_number', '=', customerNumber)
      .where('subject', 'like', '%API token%')
      .orderBy('queued_at')
      .execute()
  afterEach(() =>
    portal.db
      .deleteFrom('mail')
      .where('customer_number', '=', customerNumber)
      .where('subject', 'like', '%API token%')
      .execute(),
  )
  const warn = () => Promise.all([warnOfExpiry(portal), warnOfExpiry(portal)])

  test('go to the owner 7 days and 1 day before, each once', async () => {
    await make()
    await make({ days: 1, name: 'short' })
    await warn()
    expect(await mails()).toEqual([])
    portal.clock.forward(23 * DAY)
    await warn()
    await warn()
    const [first] = await mails()
    expect(first).toMatchObject({ recipients: [ADA], subject: expect.stringContaining('"ERP" ends in 7 days') })
    expect(first?.body_text).toContain('Usage (read)')
    portal.clock.forward(6 * DAY)
    await warn()
    await warn()
    expect((await mails()).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('ends in 7 days'),
      expect.stringContaining('ends in 1 day'),
    ])
  })

  test('go to the other owners if one cannot be sent, and that one is sent with the next run', async () => {
    await make({ days: 2, name: 'first' })
    await make({ days: 2, name: 'second' })
    portal.clock.forward(1.5 * DAY)
    let texts = 0
    const failOnce = () => {
      if (texts++ === 0) throw new Error('no origin')
      return portal.config.origin
    }
    const config = Object.defineProperty({ ...portal.config }, 'origin', { get: failOnce })
    await expect(warnOfExpiry({ ...portal, config })).rejects.toThrow('owners of tokens could not be warned')
    expect(await mails()).toHaveLength(1)
    await warn()
    expect((await mails()).map(({ subject }) => subject)).toHaveLength(2)
  })

  test('go to the administrators for a token for provisioning, whose maker may have left', async () => {
    await giveApiToken(portal, { owner: 'gone@aerodyne.example', days: 30, scopes: ['scim'] })
    portal.clock.forward(25 * DAY)
    await warn()
    const sent = await portal.db
      .selectFrom('mail')
      .select(['recipients', 'subject'])
      .where('customer_number', '=', customerNumber)
      .where('subject', 'like', '%token for provisioning%')
      .execute()
    expect(sent).toMatchObject([{ recipients: [ADA, CORA], subject: expect.stringContaining('ends in 7 days') }])
  })

  test('are not sent for a token that is revoked or replaced, nor to somebody who is no contact any more', async () => {
    const revoked = await make()
    const replaced = await make()
    await giveApiToken(portal, { owner: 'gone@aerodyne.example', days: 30 })
    const ada = await as(ADA)
    await ada(revokeToken, { body: { customerNumber, id: revoked.id } })
    await ada(rollToken, { body: { customerNumber, id: replaced.id, days: 300 } })
    portal.clock.forward(25 * DAY)
    await warn()
    expect(await mails()).toEqual([])
  })
})
