import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { assignWebLicenses, unassignWebLicenses } from '#contract/web-licenses/web-assignments.ts'
import { checkInWebLicense, keepWebCheckout, startWebCheckout } from '#contract/web-licenses/web-checkouts.ts'
import { changeWebGroupMembers, createWebGroup, deleteWebGroup } from '#contract/web-licenses/web-groups.ts'
import { webEntitlementList, webGroupAssignmentList, webSeatList } from '#contract/web-licenses/web-lists.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { addWebAccount, OPTICS, userOf, WEB_ADMIN, WEB_VIEWER, webUseOf } from '#server/testing/web-licenses.ts'

let portal: Portal
let admin: Awaited<ReturnType<Portal['as']>>
let headers: Record<string, string>
beforeAll(async () => {
  portal = await startPortal()
  admin = await portal.as(WEB_ADMIN)
  headers = (await giveServiceKey(portal, 'Web', { scopes: ['web'], days: 30 })).headers
})
afterAll(() => portal.close())

type Wanted = { ids: string[]; users?: string[]; groups?: string[] }
const bodyOf = (customerNumber: string, { ids, users = [], groups = [] }: Wanted) => ({
  body: {
    customerNumber,
    activationIds: ids.map((id) => `${customerNumber}-${id}`),
    emails: users.map(userOf),
    groupIds: groups,
  },
})
const assign = async (customerNumber: string, wanted: Wanted) =>
  (await admin(assignWebLicenses, bodyOf(customerNumber, wanted))).body
const unassign = async (customerNumber: string, wanted: Wanted) =>
  (await admin(unassignWebLicenses, bodyOf(customerNumber, wanted))).body
type Line = { email?: string; status: string; code?: string; changed: boolean }
const outcomes = (body: Record<string, unknown>) =>
  (body.data as Line[]).map(({ status, code, changed }) => code ?? `${status} ${changed}`)
const makeGroup = async (customerNumber: string, name: string, ...users: string[]) => {
  const { body } = await admin(createWebGroup, { body: { customerNumber, name } })
  const { groupId } = body.data as { groupId: string }
  const add = users.map(userOf)
  if (add.length > 0) await admin(changeWebGroupMembers, { body: { customerNumber, groupId, add } })
  return groupId
}
const checkOut = async (customerNumber: string, name: string) => {
  const nobody = await portal.as(null)
  const body = { customerNumber, product: OPTICS, username: userOf(name), host: 'ws1' }
  return (await nobody(startWebCheckout, { body, headers })).body as { code?: string; data: { checkoutId: string } }
}
const onCheckout = async (operation: typeof keepWebCheckout | typeof checkInWebLicense, checkoutId: string) =>
  (await (await portal.as(null))(operation, { params: { checkoutId }, headers })).body

describe('the last seat', () => {
  test('of two simultaneous assigns one succeeds, and the other gets SEAT_GONE', async () => {
    await addWebAccount(portal.db, 'W1', [{ id: 'A', quantity: 2 }])
    await assign('W1', { ids: ['A'], users: ['ann'] })
    const answers = await Promise.all(['bob', 'cid'].map((user) => assign('W1', { ids: ['A'], users: [user] })))
    expect(answers.map(({ status, code }) => code ?? status).sort()).toEqual(['SEAT_GONE', 'SUCCESS'])
    const refused = answers.find(({ code }) => code === 'SEAT_GONE')
    expect(refused).toMatchObject({
      status: 'FAILURE',
      err: `All 2 seats of ${OPTICS} are assigned. Unassign somebody first.`,
      data: [{ status: 'FAILURE', code: 'SEAT_GONE', changed: false }],
    })
    expect(await webUseOf(portal.db, 'W1-A')).toEqual({ seats: 2, running: 0, kept: [2, 0] })
  })

  test('is refused by the database itself', async () => {
    await addWebAccount(portal.db, 'W2', [
      { id: 'A', quantity: 1 },
      { id: 'N', model: 'Network' },
    ])
    const seat = (id: string, name: string) =>
      portal.db
        .insertInto('web_seat')
        .values({ customer_number: 'W2', activation_id: `W2-${id}`, email: userOf(name), since: new Date() })
        .execute()
    await seat('A', 'ann')
    await expect(seat('A', 'bob')).rejects.toThrow(/no seat left on W2-A/)
    await expect(seat('N', 'bob')).rejects.toThrow(/no seat left on W2-N/)
    const count = portal.db
      .updateTable('web_license_use')
      .set({ seats: 0 })
      .where('customer_number', '=', 'W2')
      .execute()
    await expect(count).rejects.toThrow(/follows seats and checkouts/)
    expect(await webUseOf(portal.db, 'W2-A')).toMatchObject({ seats: 1, kept: [1, 0] })
  })

  test('is gone after an order lowered the quantity, and assigned users stay', async () => {
    await addWebAccount(portal.db, 'W3', [{ id: 'A', quantity: 3 }])
    await assign('W3', { ids: ['A'], users: ['ann', 'bob'] })
    await sql`update entitlement set line_item_quantity = 1 where activation_id = 'W3-A'`.execute(portal.db)
    expect(await assign('W3', { ids: ['A'], users: ['cid'] })).toMatchObject({ code: 'SEAT_GONE' })
    expect(await unassign('W3', { ids: ['A'], users: ['ann'] })).toMatchObject({ status: 'SUCCESS' })
    expect(await webUseOf(portal.db, 'W3-A')).toMatchObject({ seats: 1 })
  })
})

describe('moving a seat', () => {
  const move = async (customerNumber: string, id: string, from: string, to: string) =>
    (
      await admin(assignWebLicenses, {
        body: { ...bodyOf(customerNumber, { ids: [id], users: [to] }).body, insteadOf: userOf(from) },
      })
    ).body

  test('of a named user ends their checkout and gives the seat to the other user at once', async () => {
    await addWebAccount(portal.db, 'M1', [{ id: 'A', quantity: 1 }])
    await assign('M1', { ids: ['A'], users: ['ann'] })
    const { data } = await checkOut('M1', 'ann')
    expect(await checkOut('M1', 'bob')).toMatchObject({ code: 'USER_NOT_ASSIGNED' })
    expect(await move('M1', 'A', 'ANN', 'bob')).toMatchObject({ status: 'SUCCESS', data: [{ changed: true }] })
    expect(await onCheckout(keepWebCheckout, data.checkoutId)).toMatchObject({ status: 'FAILURE' })
    expect(await checkOut('M1', 'bob')).toMatchObject({ data: { checkoutId: expect.any(String) } })
    expect(await webUseOf(portal.db, 'M1-A')).toMatchObject({ seats: 1, running: 1 })
    const { before, after } = await portal.db
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('customer_number', '=', 'M1')
      .where('action', '=', 'web/assign')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(before).toEqual([{ activationId: 'M1-A', email: userOf('ann') }])
    expect(after).toEqual({
      assigned: [{ activationId: 'M1-A', product: 'Optical Ray Studio', email: userOf('bob') }],
      endedCheckouts: 1,
    })
  })

  test('of a shared license frees the seat of a user for another who is assigned already', async () => {
    await addWebAccount(portal.db, 'M2', [{ id: 'S', model: 'Shared Web', quantity: 1 }])
    await assign('M2', { ids: ['S'], users: ['ann', 'bob'] })
    await checkOut('M2', 'ann')
    expect(await checkOut('M2', 'bob')).toMatchObject({ code: 'NO_SEAT' })
    expect(await move('M2', 'S', 'ann', 'bob')).toMatchObject({ status: 'SUCCESS', data: [{ changed: false }] })
    expect(await checkOut('M2', 'bob')).toMatchObject({ data: { checkoutId: expect.any(String) } })
  })

  test('is refused as a whole, and everybody keeps their seats', async () => {
    await addWebAccount(portal.db, 'M3', [
      { id: 'A', quantity: 2 },
      { id: 'old', to: '2021-01-01' },
    ])
    const team = await makeGroup('M3', 'Team', 'cid')
    await assign('M3', { ids: ['A'], users: ['ann', 'cid'], groups: [team] })
    expect(await move('M3', 'A', 'ann', 'nobody')).toMatchObject({ code: 'NO_SUCH_USER' })
    expect(await move('M3', 'A', 'bob', 'dan')).toMatchObject({ code: 'NOT_ASSIGNED' })
    expect(await move('M3', 'A', 'nobody', 'dan')).toMatchObject({ code: 'NO_SUCH_USER' })
    expect(await move('M3', 'A', 'cid', 'dan')).toMatchObject({ code: 'ASSIGNED_BY_GROUP' })
    expect(await move('M3', 'none', 'ann', 'dan')).toMatchObject({ code: 'NO_SUCH_ACTIVATION' })
    expect(await webUseOf(portal.db, 'M3-A')).toMatchObject({ seats: 2 })
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from web_user_assignment where customer_number = 'M3'`.execute(portal.db)
    expect(rows).toEqual([{ count: 2 }])
  })

  test.each([
    ['two entitlements', { activationIds: ['M3-A', 'M3-old'], emails: [userOf('dan')] }],
    ['two users', { activationIds: ['M3-A'], emails: [userOf('dan'), userOf('bob')] }],
    ['the same user', { activationIds: ['M3-A'], emails: [userOf('ann')] }],
  ])('of %s is a 400', async (_, body) => {
    const asked = await admin(assignWebLicenses, { body: { customerNumber: 'M3', ...body, insteadOf: userOf('ann') } })
    expect(asked).toMatchObject({ status: 400, body: { err: expect.stringContaining('insteadOf') } })
  })
})

describe('assigning in bulk', () => {
  it('answers every line', async () => {
    await addWebAccount(portal.db, 'W4', [
      { id: 'A', quantity: 1 },
      { id: 'S', model: 'Shared Web', quantity: 1 },
      { id: 'old', to: '2021-01-01' },
    ])
    const body = await assign('W4', { ids: ['A', 'S', 'old', 'none'], users: ['ann', 'bob', 'nobody'] })
    expect(outcomes(body)).toEqual([
      ...['SUCCESS true', 'SEAT_GONE', 'NO_SUCH_USER'],
      ...['SUCCESS true', 'SUCCESS true', 'NO_SUCH_USER'],
      ...['ENTITLEMENT_EXPIRED', 'ENTITLEMENT_EXPIRED', 'NO_SUCH_USER'],
      ...['NO_SUCH_ACTIVATION', 'NO_SUCH_ACTIVATION', 'NO_SUCH_USER'],
    ])
    expect(body.status).toBe('SUCCESS')
    expect(outcomes(await assign('W4', { ids: ['A', 'S'], users: ['ann'] }))).toEqual([
      'SUCCESS false',
      'SUCCESS false',
    ])
    const unknown = { status: 'FAILURE', code: 'NO_SUCH_ACTIVATION' }
    expect(await assign('W4', { ids: ['none'], users: ['ann'] })).toMatchObject(unknown)
    expect(await unassign('W4', { ids: ['none'], users: ['ann'] })).toMatchObject(unknown)
    const { body: list } = await admin(webEntitlementList.page, { body: { customerNumber: 'W4' } })
    expect(list.data).toMatchObject([
      { activationId: 'W4-old', assigned: 0 },
      { activationId: 'W4-A', licenseModel: 'Named User', quantity: 1, assigned: 1, groups: 0, running: 0 },
      { activationId: 'W4-S', licenseModel: 'Shared Web', quantity: 1, assigned: 2 },
    ])
  })

  it('takes an email in any case', async () => {
    await addWebAccount(portal.db, 'W5', [{ id: 'A' }])
    const answer = await admin(assignWebLicenses, {
      body: { customerNumber: 'W5', activationIds: ['W5-A'], emails: [' ANN@Web.Example'] },
    })
    expect(answer.body).toMatchObject({ status: 'SUCCESS', data: [{ email: userOf('ann'), changed: true }] })
  })
})

describe('a group', () => {
  it('gets seats for all of its members, or none', async () => {
    await addWebAccount(portal.db, 'W6', [{ id: 'A', quantity: 2 }])
    const group = await makeGroup('W6', 'Design', 'ann', 'bob', 'cid')
    expect(await assign('W6', { ids: ['A'], groups: [group] })).toMatchObject({
      code: 'SEAT_GONE',
      err: `Design needs 3 seats of ${OPTICS}, and 2 are free.`,
    })
    expect(await webUseOf(portal.db, 'W6-A')).toEqual({ seats: 0, running: 0, kept: null })
    await admin(changeWebGroupMembers, { body: { customerNumber: 'W6', groupId: group, remove: [userOf('cid')] } })
    expect(await assign('W6', { ids: ['A'], groups: [group] })).toMatchObject({ status: 'SUCCESS' })
    expect(await webUseOf(portal.db, 'W6-A')).toMatchObject({ seats: 2 })
    const { body } = await admin(webGroupAssignmentList.page, { body: { customerNumber: 'W6' } })
    expect(body.data).toMatchObject([{ activationId: 'W6-A', groupId: group, group: 'Design', members: 2 }])
  })

  it('takes a seat for each new member, and frees one when a member leaves', async () => {
    await addWebAccount(portal.db, 'W7', [{ id: 'A', quantity: 1 }])
    const group = await makeGroup('W7', 'Design')
    await assign('W7', { ids: ['A'], groups: [group] })
    const members = (change: object) =>
      admin(changeWebGroupMembers, { body: { customerNumber: 'W7', groupId: group, ...change } })
    const joined = await members({ add: [userOf('ann'), userOf('bob')] })
    expect(joined.body.data).toMatchObject([{ status: 'SUCCESS' }, { status: 'FAILURE', code: 'SEAT_GONE' }])
    const swapped = await members({ add: [userOf('bob')], remove: [userOf('ann')] })
    expect(swapped.body.data).toMatchObject([{ status: 'SUCCESS', changed: true }, { changed: true }])
    const { body } = await admin(webSeatList.page, { body: { customerNumber: 'W7' } })
    expect(body.data).toMatchObject([
      { email: userOf('bob'), name: 'Bob', isDirect: false, assignment: 'Through Design' },
    ])
  })

  it('keeps a seat that a member holds by name as well', async () => {
    await addWebAccount(portal.db, 'W8', [{ id: 'A', quantity: 2 }])
    const group = await makeGroup('W8', 'Design', 'ann', 'bob')
    await assign('W8', { ids: ['A'], users: ['ann'], groups: [group] })
    expect(outcomes(await unassign('W8', { ids: ['A'], users: ['bob'] }))).toEqual(['ASSIGNED_BY_GROUP'])
    await admin(deleteWebGroup, { body: { customerNumber: 'W8', groupId: group } })
    const { body } = await admin(webSeatList.page, { body: { customerNumber: 'W8' } })
    expect(body.data).toMatchObject([{ email: userOf('ann'), isDirect: true, assignment: 'By name' }])
    expect(await webUseOf(portal.db, 'W8-A')).toEqual({ seats: 1, running: 0, kept: [1, 0] })
  })
})

describe('unassigning', () => {
  it('ends the running checkouts of the user at once, and of nobody else', async () => {
    await addWebAccount(portal.db, 'W9', [{ id: 'A' }])
    await assign('W9', { ids: ['A'], users: ['ann', 'bob'] })
    const [first, second, other] = [
      await checkOut('W9', 'ann'),
      await checkOut('W9', 'ann'),
      await checkOut('W9', 'bob'),
    ]
    expect(await webUseOf(portal.db, 'W9-A')).toEqual({ seats: 2, running: 3, kept: [2, 3] })
    expect(await unassign('W9', { ids: ['A'], users: ['ann'] })).toMatchObject({ status: 'SUCCESS', endedCheckouts: 2 })
    expect(await onCheckout(keepWebCheckout, first.data.checkoutId)).toMatchObject({ code: 'CHECKOUT_ENDED' })
    expect(await onCheckout(checkInWebLicense, second.data.checkoutId)).toMatchObject({ data: { status: 'Revoked' } })
    expect(await onCheckout(keepWebCheckout, other.data.checkoutId)).toMatchObject({ status: 'SUCCESS' })
    expect(await checkOut('W9', 'ann')).toMatchObject({ code: 'USER_NOT_ASSIGNED' })
    expect(await webUseOf(portal.db, 'W9-A')).toEqual({ seats: 1, running: 1, kept: [1, 1] })
  })

  it('counts what was unassigned and refuses what was not assigned', async () => {
    await addWebAccount(portal.db, 'W10', [{ id: 'A' }, { id: 'B' }])
    const group = await makeGroup('W10', 'Design')
    await assign('W10', { ids: ['A'], users: ['ann', 'bob'] })
    const ids = ['A', 'B', 'none']
    const answer = await unassign('W10', { ids, users: ['ann', 'nobody'], groups: [group, 'none'] })
    expect(answer).toMatchObject({ status: 'SUCCESS', unassigned: 1, endedCheckouts: 0 })
    expect(outcomes(answer)).toEqual([
      ...['SUCCESS true', 'NO_SUCH_USER', 'NOT_ASSIGNED', 'NO_SUCH_GROUP'],
      ...['NOT_ASSIGNED', 'NO_SUCH_USER', 'NOT_ASSIGNED', 'NO_SUCH_GROUP'],
      ...['NO_SUCH_ACTIVATION', 'NO_SUCH_USER', 'NO_SUCH_ACTIVATION', 'NO_SUCH_GROUP'],
    ])
    expect(await unassign('W10', { ids: ['A'], users: ['ann'] })).toMatchObject({
      status: 'FAILURE',
      code: 'NOT_ASSIGNED',
      err: 'The user is not assigned to this entitlement.',
    })
    expect(await webUseOf(portal.db, 'W10-A')).toMatchObject({ seats: 1 })
  })

  it('is possible on an expired entitlement', async () => {
    await addWebAccount(portal.db, 'W11', [{ id: 'A' }])
    await assign('W11', { ids: ['A'], users: ['ann'] })
    await sql`update entitlement set end_date = '2021-01-01' where activation_id = 'W11-A'`.execute(portal.db)
    expect(await unassign('W11', { ids: ['A'], users: ['ann'] })).toMatchObject({ status: 'SUCCESS' })
  })
})

describe.each([assignWebLicenses, unassignWebLicenses])('the operation $path', (operation) => {
  const body = { customerNumber: '100001', activationIds: ['x'], emails: ['a@b.com'] }
  it.each([
    [{ ...body, emails: [] }, 'body.emails or body.groupIds must name somebody'],
    [{ ...body, activationIds: [] }, 'body.activationIds'],
    [{ ...body, everybody: true }, "unknown field 'everybody'"],
    [
      { ...body, activationIds: ['x', 'y'], emails: Array.from({ length: 2501 }, (_, at) => `a${at}@b.com`) },
      'Send 5000 at most.',
    ],
  ])('refuses %o', async (wrong, err) => {
    expect(await admin(operation, { body: wrong })).toMatchObject({
      status: 400,
      body: { err: expect.stringContaining(err) },
    })
  })
  it('needs a session, the right to write, and an account that the caller sees', async () => {
    const status = async (email: string | null) => (await (await portal.as(email))(operation, { body })).status
    expect(await status(null)).toBe(401)
    expect(await status(WEB_VIEWER)).toBe(403)
    expect(await status('sam.support@vendor.example')).toBe(403)
    expect(await status('nina.nimbus@nimbus.example')).toBe(404)
  })
})
