import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { assignWebLicenses } from '#contract/web-licenses/web-assignments.ts'
import { webCheckoutList, webDenialList } from '#contract/web-licenses/web-checkout-lists.ts'
import { checkInWebLicense, keepWebCheckout, startWebCheckout } from '#contract/web-licenses/web-checkouts.ts'
import { closeSilentCheckouts } from '#server/modules/web-licenses/keep-checkout.ts'
import { countRunningWebCheckouts, countWebDenials } from '#server/modules/web-licenses/web-licenses.public.ts'
import { callOperation, type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { addWebAccount, OPTICS, userOf, WEB_ADMIN, webUseOf } from '#server/testing/web-licenses.ts'

const MINUTE = 60_000
let portal: Portal
let headers: Record<string, string>
beforeAll(async () => {
  portal = await startPortal()
  headers = (await giveServiceKey(portal, 'Web', { scopes: ['web'], days: 30 })).headers
})
afterAll(() => portal.close())

/** Signs in again each time: these tests turn the clock beyond the life of a session. */
async function asAdmin() {
  const cookie = await signIn(portal.app, WEB_ADMIN)
  return (operation: Parameters<typeof callOperation>[1], body: unknown) =>
    callOperation(portal.app, operation, cookie, { body })
}
const assign = async (customerNumber: string, ids: string[], ...names: string[]) => {
  const activationIds = ids.map((id) => `${customerNumber}-${id}`)
  const { body } = await (await asAdmin())(assignWebLicenses, {
    customerNumber,
    activationIds,
    emails: names.map(userOf),
  })
  expect(body.status).toBe('SUCCESS')
}
type Started = { status: string; code?: string; err?: string; data: { checkoutId: string; activationId: string } }
const checkOut = async (customerNumber: string, name: string, change: object = {}) => {
  const nobody = await portal.as(null)
  const body = { customerNumber, product: OPTICS, username: userOf(name), host: 'ws1', ...change }
  return (await nobody(startWebCheckout, { body, headers })).body as unknown as Started
}
const on = async (operation: typeof keepWebCheckout | typeof checkInWebLicense, checkoutId: string) =>
  (await portal.as(null))(operation, { params: { checkoutId }, headers })
const keep = async (checkoutId: string) => (await on(keepWebCheckout, checkoutId)).body
const checkIn = async (checkoutId: string) => (await on(checkInWebLicense, checkoutId)).body
const list = async (operation: typeof webCheckoutList.page | typeof webDenialList.page, customerNumber: string) =>
  (await (await asAdmin())(operation, { customerNumber })).body.data as Record<string, unknown>[]

describe('a checkout', () => {
  it('runs until it is checked in, and answers the same when that is repeated', async () => {
    await addWebAccount(portal.db, 'C1', [{ id: 'S', model: 'Shared Web', quantity: 1 }])
    await assign('C1', ['S'], 'ann')
    const { data } = await checkOut('C1', 'ann', {
      username: ' ANN@web.example',
      version: '2026 R1',
      externalIp: '203.0.113.7',
    })
    expect(data).toMatchObject({ activationId: 'C1-S', heartbeatSeconds: 300 })
    expect(await list(webCheckoutList.page, 'C1')).toMatchObject([
      {
        checkoutId: data.checkoutId,
        product: OPTICS,
        licenseModel: 'Shared Web',
        email: userOf('ann'),
        name: 'Ann',
        host: 'ws1',
        version: '2026 R1',
        externalIp: '203.0.113.7',
        status: 'Active',
        isActive: true,
        endTime: null,
        hours: null,
      },
    ])
    expect(await countRunningWebCheckouts(portal.db, 'C1')).toBe(1)
    portal.clock.forward(10 * MINUTE)
    expect(await keep(data.checkoutId)).toEqual({ status: 'SUCCESS', data: { heartbeatSeconds: 300 } })
    portal.clock.forward(8 * MINUTE)
    const done = { status: 'SUCCESS', data: { status: 'Completed', hours: 0.3 } }
    expect(await checkIn(data.checkoutId)).toEqual(done)
    portal.clock.forward(MINUTE)
    expect(await checkIn(data.checkoutId)).toEqual(done)
    expect(await keep(data.checkoutId)).toMatchObject({ status: 'FAILURE', code: 'CHECKOUT_ENDED' })
    expect(await list(webCheckoutList.page, 'C1')).toMatchObject([{ status: 'Completed', isActive: false, hours: 0.3 }])
    expect(await webUseOf(portal.db, 'C1-S')).toEqual({ seats: 1, running: 0, kept: [1, 0] })
  })

  it('ends 15 minutes after its last heartbeat, whenever that is noticed', async () => {
    await addWebAccount(portal.db, 'C2', [{ id: 'S', model: 'Shared Web' }])
    await assign('C2', ['S'], 'ann')
    const { data } = await checkOut('C2', 'ann')
    portal.clock.forward(14 * MINUTE)
    await closeSilentCheckouts(portal)
    expect(await list(webCheckoutList.page, 'C2')).toMatchObject([{ isActive: true }])
    portal.clock.forward(40 * MINUTE)
    expect(await keep(data.checkoutId)).toMatchObject({ code: 'CHECKOUT_ENDED' })
    await closeSilentCheckouts(portal)
    expect(await list(webCheckoutList.page, 'C2')).toMatchObject([{ status: 'Timed out', hours: 0.25 }])
    expect(await checkIn(data.checkoutId)).toEqual({ status: 'SUCCESS', data: { status: 'Timed out', hours: 0.25 } })
  })

  it('gets the seat of a client without heartbeats', async () => {
    await addWebAccount(portal.db, 'C3', [{ id: 'S', model: 'Shared Web', quantity: 1 }])
    await assign('C3', ['S'], 'ann', 'bob')
    await checkOut('C3', 'ann')
    expect(await checkOut('C3', 'bob')).toMatchObject({ code: 'NO_SEAT' })
    portal.clock.forward(16 * MINUTE)
    expect(await checkOut('C3', 'bob')).toMatchObject({ status: 'SUCCESS' })
    expect(await webUseOf(portal.db, 'C3-S')).toEqual({ seats: 2, running: 1, kept: [2, 1] })
  })

  it('uses the own seat before a shared one', async () => {
    await addWebAccount(portal.db, 'C4', [
      { id: 'S', model: 'Shared Web', quantity: 1 },
      { id: 'N', quantity: 1 },
    ])
    await assign('C4', ['S'], 'ann', 'bob')
    await assign('C4', ['N'], 'ann')
    expect((await checkOut('C4', 'ann')).data.activationId).toBe('C4-N')
    expect((await checkOut('C4', 'ann')).data.activationId).toBe('C4-N')
    expect((await checkOut('C4', 'bob')).data.activationId).toBe('C4-S')
  })

  it('is unknown under another id', async () => {
    for (const operation of [keepWebCheckout, checkInWebLicense]) {
      const answer = await on(operation, 'C1.00000000-0000-4000-8000-000000000000')
      expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND'])
      expect((await on(operation, 'nonsense')).status).toBe(400)
    }
  })
})

describe('the last shared seat', () => {
  test('goes to one of 20 simultaneous checkouts, and 19 are denied', async () => {
    await addWebAccount(portal.db, 'C5', [{ id: 'S', model: 'Shared Web', quantity: 1 }])
    await assign('C5', ['S'], 'ann')
    const answers = await Promise.all(Array.from({ length: 20 }, () => checkOut('C5', 'ann')))
    const codes = answers.map(({ code, status }) => code ?? status)
    expect(codes.filter((code) => code === 'SUCCESS')).toHaveLength(1)
    expect(codes.filter((code) => code === 'NO_SEAT')).toHaveLength(19)
    expect(await webUseOf(portal.db, 'C5-S')).toEqual({ seats: 1, running: 1, kept: [1, 1] })
    expect(await list(webDenialList.page, 'C5')).toHaveLength(19)
  })

  test('is refused by the database itself, and a checkout that is over never changes', async () => {
    await addWebAccount(portal.db, 'C6', [{ id: 'S', model: 'Shared Web', quantity: 1 }])
    const insert = (id: string) =>
      portal.db
        .insertInto('web_checkout')
        .values({
          customer_number: 'C6',
          checkout_id: id,
          activation_id: 'C6-S',
          product: OPTICS,
          kind: 'CONCURRENT',
          email: userOf('ann'),
          host: 'ws1',
          started_at: new Date(),
          last_heartbeat_at: new Date(),
        })
        .execute()
    await insert('one')
    await expect(insert('two')).rejects.toThrow(/no seat left on C6-S/)
    const end = () =>
      sql`update web_checkout set status = 'Completed', ends_at = started_at where checkout_id = 'one'`.execute(
        portal.db,
      )
    await end()
    await expect(end()).rejects.toThrow(/append-only/)
    await insert('three')
    expect(await webUseOf(portal.db, 'C6-S')).toEqual({ seats: 0, running: 1, kept: [0, 1] })
  })
})

describe('a denial', () => {
  it('has a reason, which the account sees', async () => {
    await addWebAccount(portal.db, 'C7', [
      { id: 'S', model: 'Shared Web', quantity: 1 },
      { id: 'old', product: 'Old', to: '2021-01-01' },
      { id: 'new', product: 'New', from: '2090-01-01' },
      { id: 'network', product: 'Solver', model: 'Network' },
    ])
    await assign('C7', ['S'], 'ann', 'bob')
    await checkOut('C7', 'ann')
    const reasons: [string, object, string][] = [
      ['bob', {}, 'NO_SEAT'],
      ['cid', {}, 'USER_NOT_ASSIGNED'],
      ['ann', { product: 'Old' }, 'ENTITLEMENT_EXPIRED'],
      ['ann', { product: 'New' }, 'NOT_STARTED'],
      ['ann', { product: 'Solver' }, 'UNKNOWN_PRODUCT'],
      ['ann', { product: 'nothing' }, 'UNKNOWN_PRODUCT'],
    ]
    for (const [name, change, code] of reasons) expect(await checkOut('C7', name, change)).toMatchObject({ code })
    await sql`update account set export_control_status = 'Pending' where customer_number = 'C7'`.execute(portal.db)
    expect(await checkOut('C7', 'ann')).toMatchObject({
      status: 'FAILURE',
      code: 'EXPORT',
      err: 'Checkouts of this account are denied per Export Compliance restrictions.',
    })
    await sql`update account set export_control_status = '' where customer_number = 'C7'`.execute(portal.db)
    const denials = await list(webDenialList.page, 'C7')
    expect(denials.map(({ reason }) => reason).sort()).toEqual(['EXPORT', ...reasons.map(([, , code]) => code)].sort())
    expect(denials.find(({ reason }) => reason === 'NO_SEAT')).toMatchObject({ email: userOf('bob'), product: OPTICS })
    const weekAgo = new Date(portal.clock.now().getTime() - 7 * 24 * 60 * MINUTE)
    expect(await countWebDenials(portal.db, 'C7', weekAgo)).toBe(7)
    expect(await countWebDenials(portal.db, 'C7', new Date(portal.clock.now().getTime() + 1))).toBe(0)
  })

  it('is not written for an account that does not exist', async () => {
    const nobody = await portal.as(null)
    const body = { customerNumber: 'C-none', product: OPTICS, username: 'a@b.com', host: 'ws1' }
    expect((await nobody(startWebCheckout, { body, headers })).status).toBe(404)
  })
})

describe('a running checkout', () => {
  it.each([
    ['C8', 'export closes the account', `update account set export_control_status = 'Denied'`, 'EXPORT'],
    ['C9', 'its entitlement expires', `update entitlement set end_date = '2021-01-01'`, 'ENTITLEMENT_EXPIRED'],
  ])('of %s learns with its next heartbeat that %s', async (customerNumber, _what, change, code) => {
    await addWebAccount(portal.db, customerNumber, [{ id: 'S', model: 'Shared Web' }])
    await assign(customerNumber, ['S'], 'ann')
    const { data } = await checkOut(customerNumber, 'ann')
    await sql`${sql.raw(change)} where customer_number = ${customerNumber}`.execute(portal.db)
    portal.clock.forward(10 * MINUTE)
    expect(await keep(data.checkoutId)).toMatchObject({ status: 'FAILURE', code })
    portal.clock.forward(6 * MINUTE)
    await closeSilentCheckouts(portal)
    expect(await checkIn(data.checkoutId)).toMatchObject({ data: { status: 'Timed out', hours: 0.25 } })
  })
})

describe('POST /service/v1/web/checkouts', () => {
  const body = { customerNumber: 'C1', product: OPTICS, username: 'a@b.com', host: 'ws1' }
  it('needs a service key with the scope web', async () => {
    const nobody = await portal.as(null)
    expect((await nobody(startWebCheckout, { body })).status).toBe(401)
    const other = await giveServiceKey(portal, 'Other', { scopes: ['sessions'] })
    expect((await nobody(startWebCheckout, { body, headers: other.headers })).status).toBe(403)
  })
  it.each([
    [{ ...body, product: '' }],
    [{ ...body, username: '' }],
    [{ ...body, externalIp: 'somewhere' }],
    [{ ...body, count: 2 }],
  ])('refuses %o', async (wrong) => {
    expect((await (await portal.as(null))(startWebCheckout, { body: wrong, headers })).status).toBe(400)
  })
})
