import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assignWebLicenses } from '#contract/web-licenses/web-assignments.ts'
import { startWebCheckout } from '#contract/web-licenses/web-checkouts.ts'
import {
  changeWebGroupMembers,
  createWebGroup,
  deleteWebGroup,
  renameWebGroup,
} from '#contract/web-licenses/web-groups.ts'
import { webGroupList, webMemberList, webUserList } from '#contract/web-licenses/web-lists.ts'
import { deleteWebUsers, saveWebUsers } from '#contract/web-licenses/web-users.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { addWebAccount, OPTICS, userOf, WEB_ADMIN, WEB_VIEWER, webUseOf } from '#server/testing/web-licenses.ts'

let portal: Portal
let admin: Awaited<ReturnType<Portal['as']>>
beforeAll(async () => {
  portal = await startPortal()
  admin = await portal.as(WEB_ADMIN)
})
afterAll(() => portal.close())

const save = async (customerNumber: string, users: object[], dryRun = false) =>
  (await admin(saveWebUsers, { body: { customerNumber, users, dryRun } })).body
const users = async (customerNumber: string) =>
  (await admin(webUserList.page, { body: { customerNumber } })).body.data as Record<string, unknown>[]
const createGroup = async (customerNumber: string, name: string) =>
  (await admin(createWebGroup, { body: { customerNumber, name } })).body as {
    code?: string
    err?: string
    data: { groupId: string; name: string }
  }

describe('saving users', () => {
  it('adds, renames and groups users line by line', async () => {
    await addWebAccount(portal.db, 'U1', [{ id: 'A', quantity: 1 }])
    const { data: group } = await createGroup('U1', ' Design  team ')
    expect(group.name).toBe('Design team')
    await admin(assignWebLicenses, {
      body: { customerNumber: 'U1', activationIds: ['U1-A'], groupIds: [group.groupId] },
    })
    const lines = [
      { email: 'Eve@Web.Example', name: 'Eve Stone', groups: ['design team'] },
      { email: userOf('ann'), name: 'Ann Lee' },
      { email: userOf('bob') },
      { email: userOf('cid'), groups: ['Design team'] },
      { email: 'eve@web.example', name: 'Again' },
      { email: 'no email' },
      { email: '' },
      { email: 'fay@web.example', groups: ['Optics'] },
      { email: 'gil@web.example', name: 'x'.repeat(101) },
    ]
    const expected = [
      { email: 'eve@web.example', change: 'add', joins: ['Design team'], status: 'SUCCESS' },
      { email: userOf('ann'), change: 'update', renamedFrom: expect.any(String), joins: [], status: 'SUCCESS' },
      { email: userOf('bob'), change: 'none', renamedFrom: null, joins: [], status: 'SUCCESS' },
      { change: 'none', status: 'FAILURE', code: 'SEAT_GONE' },
      { change: 'none', code: 'DUPLICATE_USER', err: 'This user was named before.' },
      { change: 'none', code: 'INVALID_EMAIL', err: 'Incorrect Email Format.' },
      { change: 'none', code: 'INVALID_EMAIL', err: 'Email is required.' },
      { change: 'none', code: 'NO_SUCH_GROUP', err: 'There is no group "Optics". Create it first.' },
      { change: 'none', code: 'INVALID_NAME' },
    ]
    // A dry run answers the same and changes nothing.
    expect((await save('U1', lines, true)).data).toMatchObject(expected)
    expect((await users('U1')).map(({ email, name }) => [email, name])).toEqual(
      ['ann', 'bob', 'cid', 'dan'].map((name) => [userOf(name), name[0]!.toUpperCase() + name.slice(1)]),
    )
    expect((await save('U1', lines)).data).toMatchObject(expected)
    expect(
      (await users('U1')).map(({ email, name, groups, entitlements }) => [email, name, groups, entitlements]),
    ).toEqual([
      [userOf('ann'), 'Ann Lee', '', 0],
      [userOf('bob'), 'Bob', '', 0],
      [userOf('cid'), 'Cid', '', 0],
      [userOf('dan'), 'Dan', '', 0],
      ['eve@web.example', 'Eve Stone', 'Design team', 1],
    ])
    expect(await webUseOf(portal.db, 'U1-A')).toMatchObject({ seats: 1, kept: [1, 0] })
  })

  it('assigns entitlements line by line, each line wholly or not at all', async () => {
    await addWebAccount(portal.db, 'U7', [
      { id: 'A', quantity: 2 },
      { id: 'S', model: 'Shared Web' },
      { id: 'E', to: '2020-12-31' },
    ])
    await addWebAccount(portal.db, 'U8', [{ id: 'A' }])
    const { data: group } = await createGroup('U7', 'Design')
    await admin(assignWebLicenses, {
      body: { customerNumber: 'U7', activationIds: ['U7-A'], groupIds: [group.groupId] },
    })
    const lines = [
      { email: 'eve@web.example', entitlements: ['U7-A', 'U7-S', 'U7-A'] },
      { email: userOf('ann'), groups: ['Design'], entitlements: ['U7-A'] },
      { email: userOf('bob'), name: 'Robert', entitlements: ['U7-S', 'U7-A'] },
      { email: userOf('cid'), entitlements: ['U8-A'] },
      { email: userOf('dan'), entitlements: ['U7-E'] },
    ]
    const [named, shared] = ['A', 'S'].map((id) => ({ activationId: `U7-${id}`, product: OPTICS }))
    const refused = { change: 'none', assigns: [], joins: [], renamedFrom: null, status: 'FAILURE' }
    const expected = [
      { change: 'add', assigns: [named, shared], status: 'SUCCESS' },
      { change: 'update', joins: ['Design'], assigns: [named], status: 'SUCCESS' },
      { ...refused, code: 'SEAT_GONE', err: `All 2 seats of ${OPTICS} are assigned. Unassign somebody first.` },
      { ...refused, code: 'NO_SUCH_ACTIVATION', err: 'The account has no web entitlement "U8-A".' },
      { ...refused, code: 'ENTITLEMENT_EXPIRED', err: `${OPTICS} has expired.` },
    ]
    expect((await save('U7', lines, true)).data).toMatchObject(expected)
    expect(await webUseOf(portal.db, 'U7-A')).toMatchObject({ seats: 0 })
    expect((await save('U7', lines)).data).toMatchObject(expected)
    expect(await webUseOf(portal.db, 'U7-A')).toMatchObject({ seats: 2, kept: [2, 0] })
    expect(await webUseOf(portal.db, 'U7-S')).toMatchObject({ seats: 1 })
    // A second import of the same file changes nothing more.
    expect((await save('U7', lines.slice(0, 2))).data).toMatchObject([{ change: 'none' }, { change: 'none' }])
    // The seat of a member stays when the group is deleted: it was assigned by name as well.
    await admin(deleteWebGroup, { body: { customerNumber: 'U7', groupId: group.groupId } })
    expect(await webUseOf(portal.db, 'U7-A')).toMatchObject({ seats: 2 })
  })

  it('gives the last seat to one of two simultaneous imports', async () => {
    await addWebAccount(portal.db, 'U9', [{ id: 'A', quantity: 1 }])
    const answers = await Promise.all(
      ['eve', 'fay'].map((name) => save('U9', [{ email: userOf(name), entitlements: ['U9-A'] }])),
    )
    expect(answers.map(({ status, code }) => code ?? status).sort()).toEqual(['SEAT_GONE', 'SUCCESS'])
    expect(await webUseOf(portal.db, 'U9-A')).toEqual({ seats: 1, running: 0, kept: [1, 0] })
    expect(await users('U9')).toHaveLength(5)
  })

  it('reports that nothing was done when every line is refused', async () => {
    await addWebAccount(portal.db, 'U2', [])
    expect(await save('U2', [{ email: 'x' }, { email: 'y' }])).toMatchObject({
      status: 'FAILURE',
      code: 'INVALID_EMAIL',
      err: 'Incorrect Email Format. 2 lines were refused.',
      data: [{ status: 'FAILURE' }, { status: 'FAILURE' }],
    })
  })
})

describe('deleting users', () => {
  it('frees their seats and ends their checkouts', async () => {
    await addWebAccount(portal.db, 'U3', [{ id: 'A' }])
    await admin(assignWebLicenses, {
      body: { customerNumber: 'U3', activationIds: ['U3-A'], emails: [userOf('ann'), userOf('bob')] },
    })
    const { headers } = await giveServiceKey(portal, 'Web users', { scopes: ['web'] })
    const body = { customerNumber: 'U3', product: OPTICS, username: userOf('ann'), host: 'ws1' }
    await (await portal.as(null))(startWebCheckout, { body, headers })
    expect(await webUseOf(portal.db, 'U3-A')).toEqual({ seats: 2, running: 1, kept: [2, 1] })
    const answer = await admin(deleteWebUsers, {
      body: { customerNumber: 'U3', emails: [userOf('ann'), 'no@web.example'] },
    })
    expect(answer.body).toMatchObject({
      status: 'SUCCESS',
      endedCheckouts: 1,
      data: [{ changed: true }, { code: 'NO_SUCH_USER', changed: false }],
    })
    expect(await webUseOf(portal.db, 'U3-A')).toEqual({ seats: 1, running: 0, kept: [1, 0] })
    expect((await users('U3')).map(({ email }) => email)).not.toContain(userOf('ann'))
  })
})

describe('groups', () => {
  it('have names that differ in more than case', async () => {
    await addWebAccount(portal.db, 'U4', [])
    const { data: first } = await createGroup('U4', 'Design')
    expect(await createGroup('U4', 'DESIGN')).toMatchObject({
      code: 'NAME_TAKEN',
      err: 'The account has a group "DESIGN" already.',
    })
    const { data: second } = await createGroup('U4', 'Test')
    const rename = (groupId: string, name: string) =>
      admin(renameWebGroup, { body: { customerNumber: 'U4', groupId, name } })
    expect((await rename(second.groupId, 'design')).body).toMatchObject({ code: 'NAME_TAKEN' })
    expect((await rename(first.groupId, 'design')).body).toMatchObject({ data: { name: 'design' } })
    expect((await rename(first.groupId, ' ')).body).toMatchObject({ code: 'INVALID_NAME', err: 'Name is required.' })
    expect((await rename('none', 'x')).status).toBe(404)
  })

  it('have members, who stay users when the group is deleted', async () => {
    await addWebAccount(portal.db, 'U5', [])
    const { data: group } = await createGroup('U5', 'Design')
    const body = { customerNumber: 'U5', groupId: group.groupId }
    const change = await admin(changeWebGroupMembers, { body: { ...body, add: [userOf('ann'), 'no@web.example'] } })
    expect(change.body.data).toMatchObject([{ changed: true }, { code: 'NO_SUCH_USER' }])
    const members = await admin(webMemberList.page, { body: { customerNumber: 'U5' } })
    expect(members.body.data).toEqual([
      { groupId: group.groupId, group: 'Design', email: userOf('ann'), name: 'Ann', isManaged: false },
    ])
    const groups = await admin(webGroupList.page, { body: { customerNumber: 'U5' } })
    expect(groups.body.data).toMatchObject([{ name: 'Design', members: 1, entitlements: 0 }])
    expect((await admin(deleteWebGroup, { body })).body).toMatchObject({ status: 'SUCCESS', endedCheckouts: 0 })
    expect((await admin(deleteWebGroup, { body })).status).toBe(404)
    expect(await users('U5')).toHaveLength(4)
  })

  it.each([
    [{}, 'body.add or body.remove must name somebody'],
    [{ add: ['a@b.com'], remove: ['A@b.com'] }, 'must not name the same user'],
  ])('refuse members %o', async (change, err) => {
    await addWebAccount(portal.db, `U6-${Object.keys(change).length}`, [])
    const customerNumber = `U6-${Object.keys(change).length}`
    const { data } = await createGroup(customerNumber, 'Design')
    const answer = await admin(changeWebGroupMembers, { body: { customerNumber, groupId: data.groupId, ...change } })
    expect(answer).toMatchObject({ status: 400, body: { err: expect.stringContaining(err) } })
  })
})

describe.each([
  [createWebGroup, { name: 'x' }],
  [renameWebGroup, { groupId: 'x', name: 'x' }],
  [deleteWebGroup, { groupId: 'x' }],
  [changeWebGroupMembers, { groupId: 'x', add: ['a@b.com'] }],
  [saveWebUsers, { users: [{ email: 'a@b.com' }] }],
  [deleteWebUsers, { emails: ['a@b.com'] }],
] as const)('the operation $path', (operation, fields) => {
  const body = { customerNumber: '100001', ...fields }
  const status = async (email: string | null) => (await (await portal.as(email))(operation, { body })).status
  it('is allowed for those who may write on an account that they see', async () => {
    expect(await status(null)).toBe(401)
    expect(await status(WEB_VIEWER)).toBe(403)
    expect(await status('nina.nimbus@nimbus.example')).toBe(404)
    expect((await admin(operation, { body: { ...body, more: 1 } })).status).toBe(400)
  })
})
