import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '#contract/kit/operation.ts'
import {
  getProvisioning,
  getScimCall,
  previewGroupMapping,
  replayScimCall,
  saveGroupMapping,
  scimCallList,
  scimGroupList,
  scimPersonList,
} from '#contract/provisioning/provisioning.ts'
import { getPortalAccess, setPortalAccess } from '#contract/settings/portal-access.ts'
import { changeWebGroupMembers, createWebGroup, deleteWebGroup } from '#contract/web-licenses/web-groups.ts'
import { webMemberList, webUserList } from '#contract/web-licenses/web-lists.ts'
import { deleteWebUsers, saveWebUsers } from '#contract/web-licenses/web-users.ts'
import { ADMINISTRATOR, VIEWER } from '#domain/access/roles.ts'
import { MANAGED_PERSON, MANAGED_ROLE } from '#domain/provisioning/managed.ts'
import { ADA, OLIVIA } from '#server/testing/activations.ts'
import { giveApiToken } from '#server/testing/api-tokens.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { NO_ID } from '#server/testing/samples/given.ts'

const VIC = 'vic.viewer@aerodyne.example'
const NINA = 'nina.nimbus@nimbus.example'
const customerNumber = '100001'
const NOTHING = { role: null, webGroupId: null }
const AS_VIEWER = { role: VIEWER, webGroupId: null }
const AS_ADMINISTRATOR = { role: ADMINISTRATOR, webGroupId: null }

let portal: Portal
const providers = new Map<string, Record<string, string>>()
beforeAll(async () => {
  portal = await startPortal()
  for (const account of [customerNumber, '100007']) {
    const { headers } = await giveApiToken(portal, {
      customerNumber: account,
      owner: account === customerNumber ? ADA : NINA,
      scopes: ['scim'],
    })
    providers.set(account, headers)
  }
})
afterAll(() => portal.close())

/** A call of the identity provider. */
async function scim(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
  account = customerNumber,
) {
  const answer = await portal.app.inject({
    method,
    url: `/scim/v2/${account}${path}`,
    headers: { ...providers.get(account), ...(body && { 'content-type': 'application/scim+json' }) },
    ...(body && { payload: JSON.stringify(body) }),
  })
  return { status: answer.statusCode, body: (answer.body === '' ? {} : answer.json()) as { id: string } }
}
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const newUser = (email: string, more: object = {}) => ({
  schemas: [USER],
  userName: email,
  displayName: email.split('@')[0],
  emails: [{ value: email, primary: true }],
  active: true,
  ...more,
})
async function addUser(email: string, account = customerNumber, more: object = {}): Promise<string> {
  const { status, body } = await scim('POST', '/Users', newUser(email, more), account)
  expect(status).toBe(201)
  return body.id
}
async function addGroup(displayName: string, members: readonly string[], account = customerNumber): Promise<string> {
  const group = { schemas: [GROUP], displayName, members: members.map((value) => ({ value })) }
  const { status, body } = await scim('POST', '/Groups', group, account)
  expect(status).toBe(201)
  return body.id
}

async function ask(operation: Operation, body: object = {}, email: string | null = ADA) {
  const call = await portal.as(email)
  return call(operation, { body: { customerNumber, ...body } })
}
const map = (groupId: string, target: object, oldTarget: object = NOTHING, email = ADA, account = customerNumber) =>
  ask(saveGroupMapping, { customerNumber: account, groupId, target, oldTarget }, email)
const preview = async (groupId: string, target: object) =>
  (await ask(previewGroupMapping, { groupId, target })).body.data as {
    email: string
    gets: string[]
    loses: string[]
  }[]
const contacts = async (account = customerNumber) =>
  (await ask(getPortalAccess, { customerNumber: account }, OLIVIA)).body.data as {
    email: string
    role: string
    isManaged: boolean
  }[]
const rowsOf = async (operation: Operation, body: object = {}) =>
  (await ask(operation, body)).body.data as Record<string, unknown>[]

const ONE = { groupId: NO_ID, target: NOTHING }
const CALLS: readonly (readonly [operation: Operation, body: object])[] = [
  [getProvisioning, {}],
  [scimPersonList.page, {}],
  [scimGroupList.page, {}],
  [scimCallList.page, {}],
  [getScimCall, { id: 1 }],
  [previewGroupMapping, ONE],
  [saveGroupMapping, { ...ONE, oldTarget: NOTHING }],
  [replayScimCall, { id: 1 }],
]

describe.each(CALLS.map(([operation, body]) => ({ name: operation.name, operation, body })))('$name', (one) => {
  test.each([
    [null, customerNumber, 401],
    [VIC, customerNumber, 403],
    ['sam.support@vendor.example', customerNumber, 403],
    [ADA, '100003', 404],
    ['hal.heritage@heritage.example', '100008', 403],
  ])('answers %s on %s with %i', async (email, number, status) => {
    expect((await ask(one.operation, { ...one.body, customerNumber: number }, email)).status).toBe(status)
  })

  test('refuses a number that is none with 400', async () => {
    expect((await ask(one.operation, { ...one.body, customerNumber: 1 })).status).toBe(400)
  })
})

test('the state has the base address, and counts people, groups and failed calls', async () => {
  const before = (await ask(getProvisioning)).body.data as Record<string, unknown>
  expect(before).toMatchObject({ baseAddress: 'http://localhost/scim/v2/100001', lastCallAt: null, people: 0 })
  const person = await addUser('state@aerodyne.example')
  await addGroup('State', [person])
  await scim('GET', '/Users/unknown')
  expect((await ask(getProvisioning)).body.data).toEqual({
    baseAddress: 'http://localhost/scim/v2/100001',
    lastCallAt: portal.clock.now().toISOString(),
    lastChangeAt: portal.clock.now().toISOString(),
    failedCalls: 1,
    people: 1,
    groups: 1,
    mappedGroups: 0,
  })
  const [row] = await rowsOf(scimPersonList.page)
  expect(row).toMatchObject({
    userName: 'state@aerodyne.example',
    name: 'state',
    isActive: true,
    groups: 'State',
    role: null,
  })
  expect(await rowsOf(scimGroupList.page)).toMatchObject([{ name: 'State', members: 1, gives: 'Nothing' }])
})

describe('what a group gives', () => {
  let groupId: string
  beforeAll(async () => {
    const people = [await addUser('anna@aerodyne.example'), await addUser('ben@aerodyne.example')]
    groupId = await addGroup('Design <script>', people)
  })

  test('is shown by name before it is saved, and then done', async () => {
    const effects = await preview(groupId, AS_VIEWER)
    expect(effects).toEqual([
      { email: 'anna@aerodyne.example', name: 'anna', gets: [VIEWER], loses: [] },
      { email: 'ben@aerodyne.example', name: 'ben', gets: [VIEWER], loses: [] },
    ])
    expect((await contacts()).filter(({ email }) => email.startsWith('anna@'))).toEqual([])
    expect(await map(groupId, AS_VIEWER)).toMatchObject({ status: 200, body: { data: { people: 2, heldBack: [] } } })
    expect((await contacts()).filter(({ isManaged }) => isManaged)).toMatchObject([
      { email: 'anna@aerodyne.example', role: VIEWER },
      { email: 'ben@aerodyne.example', role: VIEWER },
    ])
    const [audited] = await portal.db
      .selectFrom('audit_log')
      .select(['email', 'before', 'after'])
      .where('action', '=', 'provisioning/mapping')
      .where('outcome', '=', 'done')
      .execute()
    expect(audited).toEqual({
      email: ADA,
      before: { group: 'Design <script>', gives: 'nothing' },
      after: { group: 'Design <script>', gives: VIEWER, people: 2 },
    })
  })

  test('cannot be saved over a choice that somebody else has made', async () => {
    expect(await map(groupId, AS_ADMINISTRATOR)).toMatchObject({
      status: 409,
      body: { code: 'STALE', data: { current: AS_VIEWER, yours: AS_ADMINISTRATOR } },
    })
    const both = await Promise.all([
      map(groupId, AS_ADMINISTRATOR, AS_VIEWER),
      map(groupId, NOTHING, AS_VIEWER, OLIVIA),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const now = (await rowsOf(scimGroupList.page)).find(({ id }) => id === groupId)
    await map(groupId, AS_VIEWER, { role: now?.role, webGroupId: now?.webGroupId })
    expect(await map(groupId, AS_VIEWER, NOTHING)).toMatchObject({ status: 200, body: { data: { people: 0 } } })
  })

  test('is a role or a web group of the account, and not both', async () => {
    expect((await map(groupId, { role: VIEWER, webGroupId: NO_ID }, AS_VIEWER)).status).toBe(400)
    expect((await map(groupId, { role: null, webGroupId: NO_ID }, AS_VIEWER)).status).toBe(404)
    expect((await map(NO_ID, NOTHING)).status).toBe(404)
    const coordinator = { role: 'Ansys Support Coordinator (Administrator)', webGroupId: null }
    expect((await map(groupId, coordinator, AS_VIEWER)).status).toBe(400)
  })

  test('is taken away when the group gives nothing any more', async () => {
    expect(await preview(groupId, NOTHING)).toMatchObject([
      { email: 'anna@aerodyne.example', gets: [], loses: [VIEWER] },
      { email: 'ben@aerodyne.example', gets: [], loses: [VIEWER] },
    ])
    await map(groupId, NOTHING, AS_VIEWER)
    expect((await contacts()).filter(({ isManaged }) => isManaged)).toEqual([])
  })

  test('never takes the last administrator', async () => {
    const nina = await addUser(NINA, '100007')
    const group = await addGroup('Administrators', [nina], '100007')
    expect((await map(group, AS_ADMINISTRATOR, NOTHING, NINA, '100007')).status).toBe(200)
    for (const target of [NOTHING, AS_VIEWER]) {
      const about = { customerNumber: '100007', groupId: group, target }
      expect(await ask(previewGroupMapping, about, NINA)).toMatchObject({ body: { code: 'LAST_ADMINISTRATOR' } })
      expect(await map(group, target, AS_ADMINISTRATOR, NINA, '100007')).toMatchObject({
        body: { code: 'LAST_ADMINISTRATOR' },
      })
    }
    expect(await contacts('100007')).toMatchObject([{ email: NINA, role: ADMINISTRATOR, isManaged: true }])
  })
})

describe('what the identity provider manages', () => {
  let groupId: string
  let webGroupId: string
  beforeAll(async () => {
    const carl = await addUser('carl@aerodyne.example')
    const roles = await addGroup('Roles', [carl])
    await map(roles, AS_VIEWER)
    groupId = await addGroup('Web', [carl])
    webGroupId = ((await ask(createWebGroup, { name: 'By SCIM' })).body.data as { groupId: string }).groupId
    expect((await map(groupId, { role: null, webGroupId })).body).toMatchObject({ data: { people: 1 } })
  })

  test('keeps its role in Portal Access, while other contacts are changed there', async () => {
    const before = await contacts()
    const carl = before.find(({ email }) => email === 'carl@aerodyne.example')
    expect(carl).toMatchObject({ role: VIEWER, isManaged: true })
    const save = (newContacts: object[]) => ask(setPortalAccess, { oldContacts: before, newContacts })
    const others = before.filter((one) => one !== carl)
    for (const wanted of [others, [...others, { ...carl, role: ADMINISTRATOR }]])
      expect((await save(wanted)).body).toMatchObject({ code: 'MANAGED_BY_SCIM', err: MANAGED_ROLE })
    const added = [...before, { email: 'by.hand@aerodyne.example', role: VIEWER }]
    expect((await save(added)).body).toMatchObject({ status: 'SUCCESS' })
  })

  test('is marked among web users and members, and changed there by nobody else', async () => {
    await ask(saveWebUsers, { users: [{ email: 'dora@aerodyne.example', name: 'Dora' }] })
    const users = await rowsOf(webUserList.page, {
      filter: {
        condition: 'ANY',
        criteria: [
          { name: 'email', method: 'CONTAINS', value: 'a@aerodyne' },
          { name: 'email', method: 'CONTAINS', value: 'carl@' },
        ],
      },
    })
    expect(users.map(({ email, isManaged }) => [email, isManaged])).toEqual(
      expect.arrayContaining([
        ['carl@aerodyne.example', true],
        ['dora@aerodyne.example', false],
      ]),
    )
    const renamed = { users: ['carl', 'dora'].map((who) => ({ email: `${who}@aerodyne.example`, name: 'Renamed' })) }
    expect((await ask(saveWebUsers, renamed)).body.data).toMatchObject([
      { status: 'FAILURE', code: 'MANAGED_BY_SCIM', err: MANAGED_PERSON },
      { status: 'SUCCESS', renamedFrom: 'Dora' },
    ])
    const emails = ['carl@aerodyne.example', 'dora@aerodyne.example']
    await ask(changeWebGroupMembers, { groupId: webGroupId, add: ['dora@aerodyne.example'] })
    const ofGroup = { condition: 'ALL', criteria: [{ name: 'groupId', method: 'EQUALS', value: webGroupId }] }
    expect(await rowsOf(webMemberList.page, { filter: ofGroup })).toMatchObject([
      { email: emails[0], isManaged: true },
      { email: emails[1], isManaged: false },
    ])
    expect((await ask(changeWebGroupMembers, { groupId: webGroupId, remove: emails })).body.data).toMatchObject([
      { status: 'FAILURE', code: 'MANAGED_BY_SCIM', changed: false },
      { status: 'SUCCESS', changed: true },
    ])
    expect((await ask(deleteWebGroup, { groupId: webGroupId })).body).toMatchObject({ code: 'MANAGED_BY_SCIM' })
    expect((await ask(deleteWebUsers, { emails })).body.data).toMatchObject([
      { status: 'FAILURE', code: 'MANAGED_BY_SCIM', changed: false },
      { status: 'SUCCESS', changed: true },
    ])
  })
})

describe('a call of the log', () => {
  const newest = async () =>
    (await rowsOf(scimCallList.page, { limit: 1 }))[0] as { id: number } & Record<string, unknown>

  test('has both sides, why it failed, and no token', async () => {
    await addUser('twice@aerodyne.example')
    expect((await scim('POST', '/Users', newUser('twice@aerodyne.example'))).status).toBe(409)
    const call = await newest()
    expect(call).toMatchObject({ method: 'POST', path: '/Users', status: 409, isFailed: true, by: 'a test' })
    expect(call.reason).not.toBe('')
    const { body, answer } = (await ask(getScimCall, { id: call.id })).body.data as { body: string; answer: string }
    expect(JSON.parse(body)).toMatchObject({ userName: 'twice@aerodyne.example' })
    expect(JSON.parse(answer)).toMatchObject({ status: '409' })
    expect(`${body}${answer}`).not.toContain('lpc_')
  })

  test('is done again after its cause is mended', async () => {
    const failed = await newest()
    expect((await ask(replayScimCall, { id: failed.id })).body.data).toMatchObject({
      status: 409,
      reason: failed.reason,
    })
    const [twice] = await rowsOf(scimPersonList.page, {
      filter: { condition: 'ALL', criteria: [{ name: 'userName', method: 'EQUALS', value: 'twice@aerodyne.example' }] },
    })
    expect((await scim('DELETE', `/Users/${twice?.id}`)).status).toBe(204)
    const { data } = (await ask(replayScimCall, { id: failed.id })).body as { data: { id: number } }
    expect(data).toMatchObject({ status: 201, reason: '' })
    expect(await newest()).toMatchObject({ id: data.id, status: 201, isFailed: false, by: ADA })
  })

  test('that succeeded or is not there cannot be replayed', async () => {
    const { id } = await newest()
    expect((await ask(replayScimCall, { id })).body).toMatchObject({ code: 'NOTHING_TO_DO' })
    expect((await ask(replayScimCall, { id: 999_999_999 })).status).toBe(404)
    expect((await ask(getScimCall, { id: 'x' })).status).toBe(400)
  })
})
