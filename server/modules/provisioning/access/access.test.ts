import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMINISTRATOR, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import { writeAudit } from '#server/audit/audit.queries.ts'
import { announceAccess } from '#server/identity/access-changes.queries.ts'
import { contextOfPortal } from '#server/identity/principal.ts'
import { applyAccess, planAccess } from '#server/modules/provisioning/access/apply-access.ts'
import { applyHeldBack } from '#server/modules/provisioning/access/apply-held-back.ts'
import { replayScim } from '#server/modules/provisioning/scim/replay.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { addWebGroup, mapGroup, type ScimClient, scimClient } from '#server/testing/scim/scim-client.ts'
import { addWebAccount, userOf, WEB_ADMIN, WEB_VIEWER } from '#server/testing/web-licenses.ts'

let portal: Portal
let scim: ScimClient
/** Each test has an account of its own: Ada administers it, Vic views it, and there are two seats. */
let account = ''
let made = 0
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

async function newAccount(): Promise<void> {
  account = `SA-${++made}`
  await addWebAccount(portal.db, account, [{ id: 'N', quantity: 2 }])
  scim = await scimClient(portal, account)
}

const person = (name: string, more: object = {}) => ({
  userName: userOf(name),
  displayName: name,
  emails: [{ value: userOf(name), primary: true }],
  ...more,
})
const deactivate = { op: 'replace', path: 'active', value: false }
const activate = { op: 'replace', path: 'active', value: true }
const add = (...ids: string[]) => ({ op: 'add', path: 'members', value: ids.map((value) => ({ value })) })
const remove = (id: string) => ({ op: 'remove', path: `members[value eq "${id}"]` })

async function contacts(): Promise<Record<string, string>> {
  const rows = await portal.db
    .selectFrom('contact')
    .select(['email', 'role'])
    .where('customer_number', '=', account)
    .execute()
  return Object.fromEntries(rows.map(({ email, role }) => [email, role]))
}
async function webUsers(): Promise<Record<string, string>> {
  const rows = await portal.db
    .selectFrom('web_user')
    .select(['email', 'name'])
    .where('customer_number', '=', account)
    .execute()
  return Object.fromEntries(rows.map(({ email, name }) => [email, name]))
}
async function seats(): Promise<string[]> {
  const rows = await portal.db
    .selectFrom('web_seat')
    .select('email')
    .where('customer_number', '=', account)
    .orderBy('email')
    .execute()
  return rows.map(({ email }) => email)
}
const lastEntry = (action: string) =>
  portal.db
    .selectFrom('audit_log')
    .selectAll()
    .where('customer_number', '=', account)
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

describe('a person from outside', () => {
  test('becomes a web user under the name that the provider has, and no contact', async () => {
    await newAccount()
    const id = await scim.add('Users', person('eve'))
    expect(await webUsers()).toMatchObject({ [userOf('eve')]: 'eve' })
    expect(await contacts()).toEqual({ [WEB_ADMIN]: ADMINISTRATOR, [WEB_VIEWER]: VIEWER })
    await scim.patch(`/Users/${id}`, { op: 'replace', path: 'displayName', value: 'Eve Example' })
    expect(await webUsers()).toMatchObject({ [userOf('eve')]: 'Eve Example' })
    expect(await lastEntry('web/users/save')).toMatchObject({ email: 'SCIM', principal: 'token' })
  })

  test('without an email address gets nothing until there is one', async () => {
    await newAccount()
    const before = await webUsers()
    const id = await scim.add('Users', { userName: 'eve', emails: [{ value: 'none' }] })
    expect(await webUsers()).toEqual(before)
    await scim.patch(`/Users/${id}`, { op: 'replace', path: 'emails', value: [{ value: userOf('eve') }] })
    expect(Object.keys(await webUsers())).toContain(userOf('eve'))
  })

  test('with the address of a web user made by hand takes over the name, and keeps the seats', async () => {
    await newAccount()
    const group = await addWebGroup(portal.db, account, 'By hand')
    await portal.db
      .insertInto('web_group_member')
      .values({ customer_number: account, group_id: group, email: userOf('ann') })
      .execute()
    await scim.add('Users', person('ann', { displayName: 'Ann from outside' }))
    expect(await webUsers()).toMatchObject({ [userOf('ann')]: 'Ann from outside' })
    const members = await portal.db
      .selectFrom('web_group_member')
      .select('email')
      .where('group_id', '=', group)
      .execute()
    expect(members).toEqual([{ email: userOf('ann') }])
  })

  test('who is no longer active leaves, and is a web user again when they come back', async () => {
    await newAccount()
    const id = await scim.add('Users', person('eve'))
    await scim.patch(`/Users/${id}`, deactivate)
    expect(Object.keys(await webUsers())).not.toContain(userOf('eve'))
    expect(await lastEntry('access.end')).toMatchObject({ email: 'SCIM', target: userOf('eve') })
    await scim.patch(`/Users/${id}`, activate)
    expect(Object.keys(await webUsers())).toContain(userOf('eve'))
  })

  test('stays while another active user has the address', async () => {
    await newAccount()
    const first = await scim.add('Users', person('eve'))
    const second = await scim.add('Users', person('eve', { userName: 'eve2' }))
    await scim.send('DELETE', `/Users/${first}`)
    expect(Object.keys(await webUsers())).toContain(userOf('eve'))
    await scim.send('DELETE', `/Users/${second}`)
    expect(Object.keys(await webUsers())).not.toContain(userOf('eve'))
  })

  test('under a new address leaves the old one', async () => {
    await newAccount()
    const id = await scim.add('Users', person('eve'))
    await scim.patch(`/Users/${id}`, { op: 'replace', path: 'emails', value: [{ value: userOf('eva') }] })
    const emails = Object.keys(await webUsers())
    expect(emails).toContain(userOf('eva'))
    expect(emails).not.toContain(userOf('eve'))
  })
})

describe('a group with a role', () => {
  test('makes contacts with the highest role, and takes away what it gave', async () => {
    await newAccount()
    const eve = await scim.add('Users', person('eve'))
    const [admins, readers] = [
      await scim.add('Groups', { displayName: 'Admins' }),
      await scim.add('Groups', { displayName: 'Readers' }),
    ]
    await mapGroup(portal.db, account, admins, { role: ADMINISTRATOR })
    await mapGroup(portal.db, account, readers, { role: VIEWER })
    await scim.patch(`/Groups/${readers}`, add(eve))
    expect(await contacts()).toMatchObject({ [userOf('eve')]: VIEWER })
    await scim.patch(`/Groups/${admins}`, add(eve))
    expect(await contacts()).toMatchObject({ [userOf('eve')]: ADMINISTRATOR })
    expect(await lastEntry('setportalaccess')).toMatchObject({
      email: 'SCIM',
      after: [{ email: userOf('eve'), role: ADMINISTRATOR }],
    })
    await scim.patch(`/Groups/${admins}`, remove(eve))
    expect(await contacts()).toMatchObject({ [userOf('eve')]: VIEWER })
    await scim.send('DELETE', `/Groups/${readers}`)
    expect(await contacts()).toEqual({ [WEB_ADMIN]: ADMINISTRATOR, [WEB_VIEWER]: VIEWER })
    const mails = await portal.db
      .selectFrom('mail')
      .select('recipients')
      .where('customer_number', '=', account)
      .execute()
    expect(mails.filter(({ recipients }) => recipients.includes(userOf('eve')))).toHaveLength(1)
  })

  test('takes over a contact made by hand, and other contacts stay', async () => {
    await newAccount()
    const vic = await scim.add('Users', { userName: WEB_VIEWER })
    expect(await contacts()).toMatchObject({ [WEB_VIEWER]: VIEWER })
    const admins = await scim.add('Groups', { displayName: 'Admins' })
    await mapGroup(portal.db, account, admins, { role: ADMINISTRATOR })
    await scim.patch(`/Groups/${admins}`, add(vic))
    expect(await contacts()).toMatchObject({ [WEB_VIEWER]: ADMINISTRATOR, [WEB_ADMIN]: ADMINISTRATOR })
    await scim.patch(`/Groups/${admins}`, remove(vic))
    expect(await contacts()).toEqual({ [WEB_ADMIN]: ADMINISTRATOR })
  })

  test('leaves a Support Coordinator alone', async () => {
    await newAccount()
    await portal.db
      .updateTable('contact')
      .set({ role: SUPPORT_COORDINATOR })
      .where('customer_number', '=', account)
      .where('email', '=', WEB_VIEWER)
      .execute()
    const vic = await scim.add('Users', { userName: WEB_VIEWER })
    const readers = await scim.add('Groups', { displayName: 'Readers', members: [{ value: vic }] })
    await mapGroup(portal.db, account, readers, { role: VIEWER })
    await portal.db
      .transaction()
      .execute((tx) => applyAccess(tx, services(), { customerNumber: account }, contextOfPortal(portal.clock.now())))
    expect(await contacts()).toMatchObject({ [WEB_VIEWER]: SUPPORT_COORDINATOR })
  })
})

const services = () => ({ clock: portal.clock, config: portal.config, db: portal.db })

describe('the last administrator', () => {
  const isRefused = { status: 409, body: { status: '409', detail: expect.stringContaining('last Administrator') } }
  const mails = () =>
    portal.db.selectFrom('mail').select(['recipients', 'subject']).where('customer_number', '=', account).execute()

  test('is not removed, deactivated, renamed or replaced, and is told so', async () => {
    await newAccount()
    const ada = await scim.add('Users', { userName: WEB_ADMIN })
    expect(await scim.patch(`/Users/${ada}`, deactivate)).toMatchObject(isRefused)
    expect(await scim.send('PUT', `/Users/${ada}`, { userName: WEB_ADMIN, active: 'False' })).toMatchObject(isRefused)
    expect(await scim.send('DELETE', `/Users/${ada}`)).toMatchObject(isRefused)
    expect(
      await scim.patch(`/Users/${ada}`, { op: 'replace', path: 'userName', value: 'someone@else.example' }),
    ).toMatchObject(isRefused)
    expect((await scim.get(`/Users/${ada}`)).body).toMatchObject({
      userName: WEB_ADMIN,
      active: true,
      meta: { version: 'W/"1"' },
    })
    expect(await contacts()).toMatchObject({ [WEB_ADMIN]: ADMINISTRATOR })
    const [mail] = await mails()
    expect(mail).toMatchObject({
      recipients: [WEB_ADMIN],
      subject: expect.stringContaining('cannot remove the last administrator'),
    })
    expect((await lastEntry('scim/users/delete'))?.outcome).toBe('refused')
  })

  test('keeps the role when the last group takes it away', async () => {
    await newAccount()
    const ada = await scim.add('Users', { userName: WEB_ADMIN })
    const admins = await scim.add('Groups', { displayName: 'Admins' })
    await mapGroup(portal.db, account, admins, { role: ADMINISTRATOR })
    await scim.patch(`/Groups/${admins}`, add(ada))
    expect(await scim.patch(`/Groups/${admins}`, remove(ada))).toMatchObject(isRefused)
    expect(await scim.patch(`/Groups/${admins}`, { op: 'replace', path: 'members', value: [] })).toMatchObject(
      isRefused,
    )
    expect(await scim.send('DELETE', `/Groups/${admins}`)).toMatchObject(isRefused)
    expect((await scim.get(`/Groups/${admins}`)).body.members).toHaveLength(1)
    expect(await contacts()).toMatchObject({ [WEB_ADMIN]: ADMINISTRATOR })
  })

  test('may leave once there is another one', async () => {
    await newAccount()
    const [ada, eve] = [await scim.add('Users', { userName: WEB_ADMIN }), await scim.add('Users', person('eve'))]
    const admins = await scim.add('Groups', { displayName: 'Admins' })
    await mapGroup(portal.db, account, admins, { role: ADMINISTRATOR })
    await scim.patch(`/Groups/${admins}`, add(ada, eve))
    expect((await scim.send('DELETE', `/Users/${ada}`)).status).toBe(204)
    expect(await contacts()).toEqual({ [WEB_VIEWER]: VIEWER, [userOf('eve')]: ADMINISTRATOR })
  })

  test('stays when two administrators leave at the same time', async () => {
    await newAccount()
    const [ada, eve] = [await scim.add('Users', { userName: WEB_ADMIN }), await scim.add('Users', person('eve'))]
    const admins = await scim.add('Groups', { displayName: 'Admins' })
    await mapGroup(portal.db, account, admins, { role: ADMINISTRATOR })
    await scim.patch(`/Groups/${admins}`, add(ada, eve))
    const answers = await Promise.all([ada, eve].map((id) => scim.send('DELETE', `/Users/${id}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
    expect(Object.values(await contacts()).filter((role) => role === ADMINISTRATOR)).toHaveLength(1)
  })
})

describe('a group with a web group', () => {
  test('gives seats, holds back who finds none, and gives it when one is free', async () => {
    await newAccount()
    const webGroupId = await addWebGroup(portal.db, account, 'Design', 'N')
    const ids = [
      await scim.add('Users', person('eve')),
      await scim.add('Users', person('fay')),
      await scim.add('Users', person('gus')),
    ] as const
    const designers = await scim.add('Groups', { displayName: 'Designers' })
    await mapGroup(portal.db, account, designers, { webGroupId })
    expect((await scim.patch(`/Groups/${designers}`, add(...ids))).status).toBe(204)
    expect(await seats()).toEqual([userOf('eve'), userOf('fay')])
    const plan = await planAccess(portal.db, account)
    expect(plan.changes.flatMap(({ email, joins }) => joins.map(() => email))).toEqual([userOf('gus')])
    await scim.send('DELETE', `/Users/${ids[0]}`)
    expect(await seats()).toEqual([userOf('fay')])
    await applyHeldBack(services())
    expect(await seats()).toEqual([userOf('fay'), userOf('gus')])
    await scim.patch(`/Groups/${designers}`, { op: 'replace', path: 'members', value: [] })
    expect(await seats()).toEqual([])
    expect(await lastEntry('web/groups/members')).toMatchObject({ email: 'SCIM' })
  })

  test('leaves members made by hand in the web group', async () => {
    await newAccount()
    const webGroupId = await addWebGroup(portal.db, account, 'Design')
    await portal.db
      .insertInto('web_group_member')
      .values({ customer_number: account, group_id: webGroupId, email: userOf('ann') })
      .execute()
    const eve = await scim.add('Users', person('eve'))
    const designers = await scim.add('Groups', { displayName: 'Designers' })
    await mapGroup(portal.db, account, designers, { webGroupId })
    await scim.patch(`/Groups/${designers}`, add(eve))
    await scim.patch(`/Groups/${designers}`, remove(eve))
    const members = await portal.db
      .selectFrom('web_group_member')
      .select('email')
      .where('group_id', '=', webGroupId)
      .execute()
    expect(members).toEqual([{ email: userOf('ann') }])
  })
})

test('other mappings are a dry run, and a saved one is applied to everybody', async () => {
  await newAccount()
  const eve = await scim.add('Users', person('eve'))
  const groupId = await scim.add('Groups', { displayName: 'Readers', members: [{ value: eve }] })
  const mappings = [{ groupId, role: VIEWER, webGroupId: null } as const]
  const plan = await planAccess(portal.db, account, { mappings })
  expect(plan.changes).toMatchObject([{ email: userOf('eve'), role: VIEWER }])
  expect(await contacts()).not.toHaveProperty([userOf('eve')])
  await mapGroup(portal.db, account, groupId, { role: VIEWER })
  await portal.db
    .transaction()
    .execute((tx) => applyAccess(tx, services(), { customerNumber: account }, contextOfPortal(portal.clock.now())))
  expect(await contacts()).toMatchObject({ [userOf('eve')]: VIEWER })
})

test('a logged call is done again, and refused again', async () => {
  await newAccount()
  await portal.db.transaction().execute((tx) => announceAccess(tx, [account]))
  const replay = (method: string, path: string, body?: unknown) =>
    portal.db.transaction().execute((tx) => {
      const by = contextOfPortal(portal.clock.now())
      const audit = (entry: object) =>
        writeAudit(tx, by, { action: 'scim/users/create', customerNumber: account, ...entry })
      const base = `http://localhost/scim/v2/${account}`
      return replayScim(
        { db: tx, services: services(), customerNumber: account, base, now: portal.clock.now(), by, audit },
        { method, path, body },
      )
    })
  const created = await replay('POST', '/Users', person('eve'))
  expect(created.status).toBe(201)
  const { id } = created.body as { id: string }
  expect((await replay('GET', '/Users?filter=userName%20sw%20%22eve%22')).body).toMatchObject({ totalResults: 1 })
  expect((await replay('PATCH', `/Users/${id}`, { Operations: [deactivate] })).status).toBe(204)
  await expect(replay('POST', '/Users', person('eve'))).rejects.toMatchObject({
    statusCode: 409,
    scimType: 'uniqueness',
  })
  await expect(replay('GET', '/Schemas')).rejects.toMatchObject({ statusCode: 400 })
})
