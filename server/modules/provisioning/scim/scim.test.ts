import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createToken, rollToken } from '#contract/tokens/tokens.ts'
import { matches, parseFilter, USER_FILTER_FIELDS } from '#domain/provisioning/scim-filter.ts'
import { ENTERPRISE_SCHEMA } from '#domain/provisioning/scim-schema.ts'
import { announceAccess } from '#server/identity/access-changes.queries.ts'
import { revokeApiToken, saveTokenPolicyOf } from '#server/identity/api-tokens.queries.ts'
import { giveApiToken } from '#server/testing/api-tokens.ts'
import { type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { type ScimClient, scimClient } from '#server/testing/scim/scim-client.ts'
import { bearer } from '#server/testing/service-keys.ts'
import { addWebAccount, WEB_ADMIN } from '#server/testing/web-licenses.ts'

const NUMBER = 'SC-1'
const OTHER = 'SC-2'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
const NO_ID = '00000000-0000-4000-8000-000000000000'

let portal: Portal
let scim: ScimClient
let other: ScimClient
beforeAll(async () => {
  portal = await startPortal()
  await addWebAccount(portal.db, NUMBER, [])
  await addWebAccount(portal.db, OTHER, [])
  scim = await scimClient(portal, NUMBER)
  other = await scimClient(portal, OTHER)
})
afterAll(() => portal.close())
beforeEach(async () => {
  await portal.db.deleteFrom('scim_group').execute()
  await portal.db.deleteFrom('scim_user').execute()
})

const person = (name: string, more: object = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: `${name}@sc.example`,
  name: { givenName: name, familyName: 'Test' },
  emails: [{ value: `${name}@sc.example`, type: 'work', primary: true }],
  active: true,
  ...more,
})
const isError = (status: number, scimType?: string) => ({
  status,
  body: {
    schemas: [ERROR],
    status: String(status),
    detail: expect.stringMatching(/.{5,}/),
    ...(scimType === undefined ? {} : { scimType }),
  },
})

/** Every call of the interface, on an account and on a resource of it. */
const CALLS = [
  ['GET', '/ServiceProviderConfig'],
  ['GET', '/ResourceTypes'],
  ['GET', '/ResourceTypes/User'],
  ['GET', '/Schemas'],
  ['GET', '/Schemas/urn:ietf:params:scim:schemas:core:2.0:User'],
  ['GET', '/Users'],
  ['POST', '/Users'],
  ['GET', `/Users/${NO_ID}`],
  ['PUT', `/Users/${NO_ID}`],
  ['PATCH', `/Users/${NO_ID}`],
  ['DELETE', `/Users/${NO_ID}`],
  ['GET', '/Groups'],
  ['POST', '/Groups'],
  ['GET', `/Groups/${NO_ID}`],
  ['PUT', `/Groups/${NO_ID}`],
  ['PATCH', `/Groups/${NO_ID}`],
  ['DELETE', `/Groups/${NO_ID}`],
] as const
const ON_RESOURCES = CALLS.filter(([, path]) => path.endsWith(NO_ID))
const bodyOf = (method: string, path: string) => {
  if (method === 'PATCH') return { Operations: [{ op: 'replace', path: 'displayName', value: 'x' }] }
  if (method !== 'POST' && method !== 'PUT') return undefined
  return path.startsWith('/Users') ? person('nobody') : { displayName: 'Nobody' }
}

describe('who may call', () => {
  test.each(CALLS)('%s %s answers 401 without a token, in the form of SCIM', async (method, path) => {
    const answer = await portal.app.inject({
      method,
      url: `/scim/v2/${NUMBER}${path}`,
      payload: bodyOf(method, path) ?? {},
    })
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['content-type']).toContain('application/scim+json')
    expect(answer.json()).toMatchObject({ schemas: [ERROR], status: '401' })
  })

  test.each(CALLS)('%s %s answers 404 to the token of another account', async (method, path) => {
    const answer = await scim.send(method, path, bodyOf(method, path), other.headers as never)
    expect(answer).toMatchObject(isError(404))
  })

  test.each(CALLS)('%s %s answers 403 to a token with other scopes', async (method, path) => {
    const { headers } = await giveApiToken(portal, { customerNumber: NUMBER, scopes: ['access:write'] })
    expect(await scim.send(method, path, bodyOf(method, path), headers as never)).toMatchObject(isError(403))
  })

  test.each(CALLS)('%s %s answers 403 to an administrator who is signed in', async (method, path) => {
    const answer = await portal.app.inject({
      method,
      url: `/scim/v2/${NUMBER}${path}`,
      headers: { cookie: await signIn(portal.app, WEB_ADMIN), 'x-requested-with': 'portal' },
      ...(bodyOf(method, path) ? { payload: bodyOf(method, path) as object } : {}),
    })
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({ schemas: [ERROR] })
  })

  test('a token that is unknown, revoked or expired is refused with 401', async () => {
    expect(await scim.get('/Users', bearer(`lpc_${'0'.repeat(49)}`))).toMatchObject(isError(401))
    const gone = await scimClient(portal, NUMBER)
    await portal.db.transaction().execute((tx) => revokeApiToken(tx, NUMBER, gone.tokenId, portal.clock.now()))
    expect(await gone.get('/Users')).toMatchObject(isError(401))
    const old = await scimClient(portal, NUMBER, { createdDaysAgo: 2, days: 1 })
    expect(await old.get('/Users')).toMatchObject(isError(401))
  })

  test('where the policy allows tokens to read only, changes are refused', async () => {
    const policy = { longestDays: 366, isWriteAllowed: false }
    await portal.db.transaction().execute((tx) => saveTokenPolicyOf(tx, NUMBER, policy))
    expect(await scim.send('POST', '/Users', person('ann'))).toMatchObject(isError(403))
    expect((await scim.get('/Users')).status).toBe(200)
    await portal.db.transaction().execute((tx) => saveTokenPolicyOf(tx, NUMBER, { ...policy, isWriteAllowed: true }))
  })

  test('a token for provisioning has no other scope, and can do nothing else', async () => {
    const ada = await portal.as(WEB_ADMIN)
    const token = { customerNumber: NUMBER, name: 'Entra', days: 30 }
    const both = await ada(createToken, { body: { ...token, scopes: ['scim', 'usage:read'] } })
    expect(both).toMatchObject({ status: 400, body: { err: 'A token for provisioning has no other scope.' } })
    const made = await ada(createToken, { body: { ...token, scopes: ['scim'] } })
    const headers = bearer((made.body.data as { token: string }).token)
    expect((await scim.get('/Users', headers)).status).toBe(200)
    const answer = await portal.app.inject({
      method: 'POST',
      url: '/api/getportalaccess',
      headers,
      payload: { customerNumber: NUMBER },
    })
    expect(answer.statusCode).toBe(403)
  })

  test('two tokens work while one replaces the other', async () => {
    const ada = await portal.as(WEB_ADMIN)
    const made = await ada(createToken, { body: { customerNumber: NUMBER, name: 'Okta', days: 30, scopes: ['scim'] } })
    const first = made.body.data as { id: string; token: string }
    const rolled = await ada(rollToken, { body: { customerNumber: NUMBER, id: first.id, days: 30, overlapHours: 1 } })
    const second = rolled.body.data as { token: string }
    for (const { token } of [first, second]) expect((await scim.get('/Users', bearer(token))).status).toBe(200)
    portal.clock.forward(61 * 60_000)
    expect((await scim.get('/Users', bearer(first.token))).status).toBe(401)
    expect((await scim.get('/Users', bearer(second.token))).status).toBe(200)
  })
})

describe('the service', () => {
  test('says what it supports', async () => {
    const config = await scim.get('/ServiceProviderConfig')
    expect(config).toMatchObject({ status: 200, body: { patch: { supported: true }, etag: { supported: true } } })
    expect(config.headers['content-type']).toContain('application/scim+json')
    const types = await scim.get('/ResourceTypes')
    expect(types.body.Resources.map((one: { endpoint: string }) => one.endpoint)).toEqual(['/Users', '/Groups'])
    expect((await scim.get('/ResourceTypes/Group')).body.id).toBe('Group')
    const schemas = await scim.get('/Schemas')
    for (const { id } of schemas.body.Resources) expect((await scim.get(`/Schemas/${id}`)).body.id).toBe(id)
    expect(await scim.get('/Schemas/none')).toMatchObject(isError(404))
  })

  test.each(['/Bulk', '/Me', '/Users/.search', '/Nothing/at/all'])(
    'refuses POST %s in the form of SCIM',
    async (path) => {
      expect(await scim.send('POST', path, {})).toMatchObject(isError(404))
    },
  )

  test.each(ON_RESOURCES)('%s %s answers 404 where there is no such resource', async (method, path) => {
    expect(await scim.send(method, path, bodyOf(method, path))).toMatchObject(isError(404))
  })

  test.each([
    ['no JSON', '{"userName": '],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['a number', '5'],
    ['null', 'null'],
    ['nothing', ''],
    ['too deep', `${'['.repeat(100)}${']'.repeat(100)}`],
    ['a prototype', '{"__proto__": {"x": 1}}'],
    ['U+0000', '{"userName": "a\\u0000b"}'],
    ['half a character', '{"userName": "\\ud800"}'],
    ['a huge text', JSON.stringify({ userName: 'x'.repeat(200_000) })],
    ['deep values', JSON.stringify({ userName: { a: { b: [1] } }, emails: [[[]]], name: 7, active: {} })],
  ])('refuses a body of %s with 400', async (_what, body) => {
    for (const [method, path] of CALLS.filter(([name]) => ['POST', 'PUT', 'PATCH'].includes(name))) {
      const answer = await scim.send(method, path, body)
      expect([400, 404], JSON.stringify(answer.body)).toContain(answer.status)
      expect(answer.body).toMatchObject({ schemas: [ERROR] })
    }
  })

  test('refuses a body of another type with 415 and one that is too large with 413', async () => {
    const xml = await scim.send('POST', '/Users', '<user/>', { 'content-type': 'application/xml' })
    expect(xml).toMatchObject(isError(415))
    expect(await scim.send('POST', '/Users', { userName: 'x'.repeat(1_100_000) })).toMatchObject(isError(413))
    expect(await scim.send('POST', '/Users', {}, { 'content-encoding': 'gzip' })).toMatchObject(isError(415))
  })

  test('answers 401 to a large body of an unknown caller without parsing it', async () => {
    const none = bearer(`lpc_${'0'.repeat(49)}`)
    const answer = await scim.send('POST', '/Users', '{'.repeat(2_000_000), none)
    expect(answer).toMatchObject({ ...isError(401), headers: { connection: 'close' } })
  })
})

describe('people', () => {
  test('a person is created, read, replaced, patched and deleted', async () => {
    const created = await scim.send('POST', '/Users', person('ann', { [ENTERPRISE_SCHEMA]: { department: 'Design' } }))
    const { id } = created.body
    expect(created).toMatchObject({
      status: 201,
      headers: { etag: 'W/"1"', location: `http://localhost/scim/v2/${NUMBER}/Users/${id}` },
      body: { userName: 'ann@sc.example', active: true, [ENTERPRISE_SCHEMA]: { department: 'Design' } },
    })
    expect((await scim.get(`/Users/${id}`)).body).toEqual(created.body)
    const replaced = await scim.send('PUT', `/Users/${id}`, person('ann', { displayName: 'Ann' }))
    expect(replaced).toMatchObject({ status: 200, body: { displayName: 'Ann', meta: { version: 'W/"2"' } } })
    expect(replaced.body).not.toHaveProperty(ENTERPRISE_SCHEMA)
    const patched = await scim.patch(`/Users/${id}`, {
      op: 'Add',
      path: `${ENTERPRISE_SCHEMA}:costCenter`,
      value: '4711',
    })
    expect(patched).toMatchObject({ status: 204, body: undefined, headers: { etag: 'W/"3"' } })
    const kept = await portal.db.selectFrom('scim_user').selectAll().executeTakeFirstOrThrow()
    expect(kept).toMatchObject({ cost_center: '4711', department: null, email: 'ann@sc.example' })
    expect(await scim.send('DELETE', `/Users/${id}`)).toMatchObject({ status: 204, body: undefined })
    expect(await scim.get(`/Users/${id}`)).toMatchObject(isError(404))
  })

  test('a PATCH answers the person if attributes are asked for', async () => {
    const id = await scim.add('Users', person('ann'))
    const operation = { Operations: [{ op: 'replace', value: { displayName: 'Ann' } }] }
    expect(await scim.send('PATCH', `/Users/${id}?attributes=displayName`, operation)).toMatchObject({
      status: 200,
      body: { id, displayName: 'Ann' },
    })
  })

  test('the same once more changes nothing, and is in no log', async () => {
    const id = await scim.add('Users', person('ann'))
    const count = () =>
      portal.db
        .selectFrom('audit_log')
        .select('id')
        .execute()
        .then((rows) => rows.length)
    const before = await count()
    expect((await scim.send('PUT', `/Users/${id}`, person('ann'))).headers.etag).toBe('W/"1"')
    expect((await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: 'True' })).headers.etag).toBe(
      'W/"1"',
    )
    expect(await count()).toBe(before)
  })

  test('user names are unique without case', async () => {
    const ann = await scim.add('Users', person('ann'))
    const ben = await scim.add('Users', person('ben'))
    const taken = person('ann', { userName: 'ANN@SC.example' })
    expect(await scim.send('POST', '/Users', taken)).toMatchObject(isError(409, 'uniqueness'))
    expect(await scim.send('PUT', `/Users/${ben}`, taken)).toMatchObject(isError(409, 'uniqueness'))
    const rename = { op: 'replace', path: 'userName', value: 'Ann@sc.example' }
    expect(await scim.patch(`/Users/${ben}`, rename)).toMatchObject(isError(409, 'uniqueness'))
    expect((await scim.patch(`/Users/${ann}`, rename)).status).toBe(204)
    expect((await other.send('POST', '/Users', taken)).status).toBe(201)
  })

  test('two creates of one name at once make one person', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => scim.send('POST', '/Users', person('race'))))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409])
  })

  test('If-Match of another version is refused with 412, and nothing changes', async () => {
    const id = await scim.add('Users', person('ann'))
    const stale = { 'if-match': 'W/"7"' }
    const patch = { Operations: [{ op: 'replace', path: 'active', value: false }] }
    expect(await scim.send('PATCH', `/Users/${id}`, patch, stale)).toMatchObject(isError(412))
    expect(await scim.send('PUT', `/Users/${id}`, person('ann', { active: false }), stale)).toMatchObject(isError(412))
    expect(await scim.send('DELETE', `/Users/${id}`, undefined, stale)).toMatchObject(isError(412))
    expect((await scim.get(`/Users/${id}`)).body).toMatchObject({ active: true, meta: { version: 'W/"1"' } })
    expect((await scim.send('PATCH', `/Users/${id}`, patch, { 'if-match': '"3", W/"1"' })).status).toBe(204)
    expect((await scim.send('DELETE', `/Users/${id}`, undefined, { 'if-match': '*' })).status).toBe(204)
  })

  test('If-None-Match of the current version is answered with 304', async () => {
    const id = await scim.add('Users', person('ann'))
    expect((await scim.get(`/Users/${id}`, { 'if-none-match': 'W/"1"' })).status).toBe(304)
    expect((await scim.get(`/Users/${id}`, { 'if-none-match': 'W/"0"' })).status).toBe(200)
  })

  test('a list is read page by page', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await scim.add('Users', person(name))
      portal.clock.forward(1000)
    }
    const page = await scim.get('/Users?startIndex=2&count=2&attributes=userName')
    expect(page.body).toMatchObject({ totalResults: 5, startIndex: 2, itemsPerPage: 2 })
    expect(page.body.Resources.map((one: { userName: string }) => one.userName)).toEqual([
      'b@sc.example',
      'c@sc.example',
    ])
    expect(page.body.Resources[0]).not.toHaveProperty('emails')
    expect((await scim.get('/Users?startIndex=-3&count=-1')).body).toMatchObject({
      startIndex: 1,
      itemsPerPage: 0,
      totalResults: 5,
    })
    expect((await scim.get('/Users?startIndex=99')).body).toMatchObject({
      itemsPerPage: 0,
      totalResults: 5,
      Resources: [],
    })
    expect(await scim.get('/Users?count=many')).toMatchObject(isError(400, 'invalidValue'))
    expect((await scim.get('/Users?unknown=parameter')).status).toBe(200)
    expect((await scim.get('/Users/?count=1')).body).toMatchObject({ totalResults: 5, itemsPerPage: 1 })
  })

  test('people are found by userName without case, and by the other attributes', async () => {
    const id = await scim.add('Users', person('Ann', { externalId: 'E-1', displayName: 'Ann Lee' }))
    await scim.add('Users', person('ben', { active: false }))
    const found = async (filter: string) =>
      (await scim.get(`/Users?filter=${encodeURIComponent(filter)}`)).body.Resources.map(
        (one: { id: string }) => one.id,
      )
    for (const filter of [
      'userName eq "ANN@sc.EXAMPLE"',
      'externalId eq "E-1"',
      `id eq "${id}"`,
      'displayName sw "ann"',
      'emails[type eq "work" and value co "ann"]',
      'emails.value eq "ann@sc.example" and active eq true',
      'active eq "True"',
      'externalId pr',
    ])
      expect(await found(filter), filter).toEqual([id])
    expect(await scim.get('/Users?filter=userName%20gt%20%22a%22')).toMatchObject(isError(400, 'invalidFilter'))
    expect(await scim.get('/Users?filter=title%20eq%20%22a%22')).toMatchObject(isError(400, 'invalidFilter'))
  })

  test('SQL finds whom the rule finds', async () => {
    const names = ['ann', 'ANN', 'Bo%', 'b_o', 'ä', 'Ä', '"q"', 'a\\b']
    for (const [at, name] of names.entries())
      await scim.add('Users', {
        userName: `${name}${at}`,
        ...(at % 2 ? { externalId: name, displayName: name } : {}),
        ...(at % 3
          ? { emails: [{ value: `${name}@x.example`, type: at % 2 ? 'work' : 'Home', primary: at % 4 === 1 }] }
          : {}),
        active: at % 2 === 0,
      })
    const all = (await scim.get('/Users')).body.Resources as Record<string, unknown>[]
    const value = fc.oneof(
      fc.constantFrom(...names, 'work', '@x', ''),
      fc.string({ maxLength: 2 }).filter((text) => text.isWellFormed() && !text.includes('\0')),
    )
    const text = fc.record({
      path: fc.constantFrom('userName', 'externalId', 'displayName', 'id', 'emails', 'emails.value', 'emails.type'),
      op: fc.constantFrom('eq', 'co', 'sw'),
      value,
    })
    const term = fc.oneof(
      text.map(({ path, op, value }) => `${path} ${op} ${JSON.stringify(value)}`),
      fc.constantFrom(
        'active eq true',
        'active eq false',
        'active pr',
        'externalId pr',
        'externalId eq null',
        'emails pr',
        'emails[primary eq true]',
        'emails[primary eq false]',
      ),
      fc
        .tuple(fc.constantFrom('work', 'home'), value)
        .map(([type, part]) => `emails[type eq "${type}" and value co ${JSON.stringify(part)}]`),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(term, { minLength: 1, maxLength: 3 }), async (terms) => {
        const filter = terms.join(' and ')
        const { body } = await scim.get(`/Users?filter=${encodeURIComponent(filter)}`)
        const expected = all.filter((one) => matches(USER_FILTER_FIELDS, parseFilter(USER_FILTER_FIELDS, filter), one))
        expect(
          body.Resources?.map((one: { id: string }) => one.id),
          `${filter} ${body.detail}`,
        ).toEqual(expected.map(({ id }) => id))
      }),
    )
  })
})

describe('groups', () => {
  test('a group is created, read, replaced, patched and deleted', async () => {
    const [ann, ben] = [
      await scim.add('Users', person('ann')),
      await scim.add('Users', person('ben', { displayName: 'Ben' })),
    ]
    const created = await scim.send('POST', '/Groups', {
      displayName: 'Engineering',
      externalId: 'G-1',
      members: [{ value: ann }],
    })
    const { id } = created.body
    expect(created).toMatchObject({
      status: 201,
      headers: { etag: 'W/"1"', location: `http://localhost/scim/v2/${NUMBER}/Groups/${id}` },
      body: {
        members: [
          {
            value: ann,
            display: 'ann@sc.example',
            type: 'User',
            $ref: `http://localhost/scim/v2/${NUMBER}/Users/${ann}`,
          },
        ],
      },
    })
    expect((await scim.get(`/Groups/${id}`)).body).toEqual(created.body)
    expect((await scim.get(`/Users/${ann}`)).body.groups).toMatchObject([{ value: id, display: 'Engineering' }])
    const replaced = await scim.send('PUT', `/Groups/${id}`, { displayName: 'Design', members: [{ value: ben }] })
    expect(replaced).toMatchObject({
      status: 200,
      body: { displayName: 'Design', members: [{ value: ben, display: 'Ben' }] },
    })
    expect((await scim.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: ann }] })).status).toBe(
      204,
    )
    expect((await scim.get(`/Groups/${id}`)).body.members).toHaveLength(2)
    expect((await scim.get(`/Groups/${id}?excludedAttributes=members`)).body).not.toHaveProperty('members')
    expect((await scim.send('DELETE', `/Groups/${id}`)).status).toBe(204)
    expect(await scim.get(`/Groups/${id}`)).toMatchObject(isError(404))
    expect((await scim.get(`/Users/${ann}`)).body).not.toHaveProperty('groups')
  })

  test('a PUT without members keeps them, and the answer has them', async () => {
    const ann = await scim.add('Users', person('ann'))
    const id = await scim.add('Groups', { displayName: 'Engineering', members: [{ value: ann }] })
    const renamed = await scim.send('PUT', `/Groups/${id}`, { displayName: 'Design' })
    expect(renamed).toMatchObject({ status: 200, body: { displayName: 'Design', members: [{ value: ann }] } })
    const emptied = await scim.send('PUT', `/Groups/${id}`, { displayName: 'Design', members: [] })
    expect(emptied.body.members).toEqual([])
  })

  test('unknown members are refused, and nobody joins', async () => {
    const ann = await scim.add('Users', person('ann'))
    const id = await scim.add('Groups', { displayName: 'Engineering' })
    const members = [{ value: ann }, { value: NO_ID }]
    expect(await scim.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: members })).toMatchObject(
      isError(400, 'invalidValue'),
    )
    expect(await scim.send('PUT', `/Groups/${id}`, { displayName: 'x', members })).toMatchObject(
      isError(400, 'invalidValue'),
    )
    expect(await scim.send('POST', '/Groups', { displayName: 'x', members })).toMatchObject(
      isError(400, 'invalidValue'),
    )
    const foreign = await other.add('Users', person('foreign'))
    expect(await scim.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: foreign })).toMatchObject(
      isError(400, 'invalidValue'),
    )
    expect((await scim.get(`/Groups/${id}`)).body.members).toEqual([])
  })

  test('changes of one group at once lose no member', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, (_, at) => scim.add('Users', person(`p${at}`))))
    const id = await scim.add('Groups', {
      displayName: 'Engineering',
      members: ids.slice(0, 4).map((value) => ({ value })),
    })
    await Promise.all([
      ...ids.slice(4).map((value) => scim.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value }] })),
      ...ids
        .slice(0, 2)
        .map((value) => scim.patch(`/Groups/${id}`, { op: 'remove', path: `members[value eq "${value}"]` })),
    ])
    const members = (await scim.get(`/Groups/${id}`)).body.members.map((one: { value: string }) => one.value)
    expect(members.sort()).toEqual(ids.slice(2).sort())
  })

  test('a thousand members join in one PATCH, and leave in another', async () => {
    const rows = Array.from({ length: 1000 }, (_, at) => `many${at}`)
    await sql`
      insert into scim_user (customer_number, user_id, user_name, user_name_key, email, is_active, attributes, created_at, changed_at)
      select ${NUMBER}, name, name, name, name || '@sc.example', true, '{}', now(), now() from unnest(${rows}::text[]) name`.execute(
      portal.db,
    )
    const id = await scim.add('Groups', { displayName: 'Everybody' })
    const value = rows.map((one) => ({ value: one }))
    expect((await scim.patch(`/Groups/${id}`, { op: 'Add', path: 'members', value })).status).toBe(204)
    expect((await scim.get(`/Groups/${id}`)).body.members).toHaveLength(1000)
    expect((await scim.patch(`/Groups/${id}`, { op: 'Remove', path: 'members', value: value.slice(1) })).status).toBe(
      204,
    )
    expect((await scim.get(`/Groups/${id}`)).body.members).toHaveLength(1)
  })

  test('groups are found by name and by member, and their version is asked for', async () => {
    const ann = await scim.add('Users', person('ann'))
    const id = await scim.add('Groups', { displayName: 'Engineering', externalId: 'G-1', members: [{ value: ann }] })
    await scim.add('Groups', { displayName: 'Design' })
    for (const filter of [
      'displayName eq "ENGINEERING"',
      'externalId eq "G-1"',
      `members eq "${ann}"`,
      `members[value eq "${ann}"]`,
      `id eq "${id}"`,
      'displayName co "gin" and members pr',
    ]) {
      const { body } = await scim.get(`/Groups?excludedAttributes=members&filter=${encodeURIComponent(filter)}`)
      expect(
        body.Resources?.map((one: { id: string }) => one.id),
        filter,
      ).toEqual([id])
    }
    expect(await scim.get('/Groups?filter=userName%20pr')).toMatchObject(isError(400, 'invalidFilter'))
    const stale = { 'if-match': 'W/"9"' }
    const patch = { Operations: [{ op: 'remove', path: 'members' }] }
    expect(await scim.send('PATCH', `/Groups/${id}`, patch, stale)).toMatchObject(isError(412))
    expect(await scim.send('PUT', `/Groups/${id}`, { displayName: 'x' }, stale)).toMatchObject(isError(412))
    expect(await scim.send('DELETE', `/Groups/${id}`, undefined, stale)).toMatchObject(isError(412))
    expect((await scim.get(`/Groups/${id}`, { 'if-none-match': 'W/"1"' })).status).toBe(304)
  })

  test('unknown operations and paths are refused with 400, and nothing changes', async () => {
    const id = await scim.add('Groups', { displayName: 'Engineering' })
    expect(await scim.patch(`/Groups/${id}`, { op: 'move', path: 'members' })).toMatchObject(
      isError(400, 'invalidSyntax'),
    )
    expect(await scim.patch(`/Groups/${id}`, { op: 'replace', path: 'members' })).toMatchObject(
      isError(400, 'invalidValue'),
    )
    expect(await scim.patch(`/Groups/${id}`, { op: 'replace', path: 'shoes', value: 1 })).toMatchObject(
      isError(400, 'invalidPath'),
    )
    expect(await scim.send('POST', '/Groups', {})).toMatchObject(isError(400, 'invalidValue'))
    expect((await scim.get(`/Groups/${id}`)).body.meta.version).toBe('W/"1"')
  })
})

describe('the log of calls', () => {
  const calls = () =>
    portal.db.selectFrom('scim_call').selectAll().where('customer_number', '=', NUMBER).orderBy('call_number').execute()

  test('has every call of a token with body and answer, without secrets', async () => {
    await portal.db.deleteFrom('scim_call').execute()
    await scim.send('POST', '/Users', person('ann', { password: 'p4ssw0rd' }))
    await scim.get('/Users?filter=userName%20eq%20%22nobody%22')
    await scim.send('POST', '/Users', { userName: '' })
    await scim.get('/Users', other.headers as never)
    const [created, listed, refused, ...more] = await calls()
    expect(more).toEqual([])
    expect(created).toMatchObject({
      method: 'POST',
      path: '/Users',
      status: 201,
      token_id: scim.tokenId,
      token_name: 'a test',
      is_cut: false,
    })
    expect(created?.request_body).toContain('[removed]')
    expect(JSON.stringify(created)).not.toContain('p4ssw0rd')
    expect(JSON.parse(created?.answer_body ?? '')).toMatchObject({ userName: 'ann@sc.example' })
    expect(listed).toMatchObject({ method: 'GET', path: '/Users?filter=userName%20eq%20%22nobody%22', status: 200 })
    expect(refused).toMatchObject({ status: 400, answer_body: expect.stringContaining('invalidValue') })
  })

  test('keeps the last 200 of an account', async () => {
    for (let at = 0; at < 205; at++) await scim.get(`/ServiceProviderConfig?at=${at}`)
    const kept = await calls()
    expect(kept).toHaveLength(200)
    expect(kept.at(-1)?.path).toBe('/ServiceProviderConfig?at=204')
  })
})

test('the audit log names SCIM and the token', async () => {
  const id = await scim.add('Users', person('ann'))
  const entry = await portal.db
    .selectFrom('audit_log')
    .selectAll()
    .where('customer_number', '=', NUMBER)
    .where('action', '=', 'scim/users/create')
    .where('target', '=', id)
    .executeTakeFirstOrThrow()
  expect(entry).toMatchObject({
    email: 'SCIM',
    principal: 'token',
    outcome: 'done',
    text: 'Added the person ann@sc.example',
  })
  expect(entry.credential).toContain(scim.tokenId)
})

test('access that is disabled stops the provider as well', async () => {
  const disable = (is_access_disabled: boolean) =>
    portal.db.transaction().execute(async (tx) => {
      await tx.updateTable('account').set({ is_access_disabled }).where('customer_number', '=', NUMBER).execute()
      await announceAccess(tx, [NUMBER])
    })
  await disable(true)
  await expect.poll(async () => (await scim.get('/Users')).status).toBe(403)
  await disable(false)
  await expect.poll(async () => (await scim.get('/Users')).status).toBe(200)
})
