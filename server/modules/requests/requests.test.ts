import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createFulfillments } from '#contract/activations/seats/change-seats.ts'
import type { Operation } from '#contract/kit/operation.ts'
import * as requests from '#contract/requests/requests.ts'
import { assignWebLicenses } from '#contract/web-licenses/web-assignments.ts'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import { DEFAULT_RULES, MAX_OPEN, type RequestRules } from '#domain/requests/request.ts'
import { expireRequests } from '#server/modules/requests/expire-requests.ts'
import { ADA, type Call, NEW_HOST, OLIVIA, seatsIn, sellLicense, VIC } from '#server/testing/activations.ts'
import { loadBalance, openContract } from '#server/testing/fsa.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const customerNumber = '100001'
const CORA = 'cora.coordinator@aerodyne.example'
const HAL = 'hal.heritage@heritage.example'
const PRO = 'ANS0010110'
const DAY = 86_400_000

let portal: Portal
let vic: Call
let ada: Call
let cora: Call
beforeAll(async () => {
  portal = await startPortal()
  vic = await portal.as(VIC)
  ada = await portal.as(ADA)
  cora = await portal.as(CORA)
})
afterAll(() => portal.close())
beforeEach(() => saveRules({}))

type Decided = { id: string; state: string; revision: number; isByRule: boolean }
const dataOf = (answer: { body: Record<string, unknown> }) => answer.body.data as Decided
const ask = (call: Call, wanted: object) =>
  call(requests.askRequest, { body: { customerNumber, quantity: 1, reason: 'For the wing study', ...wanted } })
const decide = (call: Call, operation: Operation, id: string, more: object = {}) =>
  call(operation, { body: { customerNumber, id, revision: 1, ...more } })
const approve = (call: Call, id: string, more: object = {}) => decide(call, requests.approveRequest, id, more)

async function saveRules(change: Partial<RequestRules>) {
  const { body } = await ada(requests.getRequestRules, { body: { customerNumber } })
  const { revision } = body.data as { revision: number }
  return ada(requests.saveRequestRules, { body: { customerNumber, rules: { ...DEFAULT_RULES, ...change }, revision } })
}

/** A web license, for Named User unless said otherwise. */
const sellWeb = (quantity: number) =>
  sellLicense(portal, {
    product_name: 'Optical Ray Studio',
    license_model: 'Named User',
    line_item_quantity: quantity,
  })
const webLicense = (item: string, target = VIC) => ({ kind: 'web-license', item, target })
const webLicenseOf = (email: string) => `a web license of Optical Ray Studio for ${email}`
const usersOf = async (activationId: string) => {
  const rows = await portal.db
    .selectFrom('web_seat')
    .select('email')
    .where('activation_id', '=', activationId)
    .execute()
  return rows.map(({ email }) => email).sort()
}
const stored = (id: string) =>
  portal.db
    .selectFrom('license_request')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .where('request_id', '=', id)
    .executeTakeFirstOrThrow()
const mailsTo = async (email: string, text: string) => {
  const rows = await portal.db
    .selectFrom('mail')
    .select(['recipients', 'subject', 'body_text'])
    .where('customer_number', '=', customerNumber)
    .execute()
  return rows.filter(({ recipients, subject }) => recipients.includes(email) && subject.includes(text))
}

describe('a request for a web license', () => {
  test('is approved: the user has the license, both names are in the audit log, and both people get an email', async () => {
    const item = await sellWeb(1)
    const asked = dataOf(await ask(vic, webLicense(item)))
    expect(asked).toMatchObject({ state: 'open', revision: 1, isByRule: false })
    expect(await mailsTo(ADA, `${VIC} asks for a web license`)).not.toEqual([])
    expect(await usersOf(item)).toEqual([])

    expect(dataOf(await approve(ada, asked.id))).toMatchObject({ state: 'approved', revision: 2 })
    expect(await usersOf(item)).toEqual([VIC])
    const [audit] = await portal.db
      .selectFrom('audit_log')
      .select(['email', 'after', 'text'])
      .where('action', '=', 'requests/approve')
      .where('target', '=', asked.id)
      .execute()
    expect(audit).toMatchObject({
      email: ADA,
      after: { request: asked.id, requestedBy: VIC },
      text: `Approved the request of ${VIC} for ${webLicenseOf(VIC)}`,
    })
    expect(await mailsTo(VIC, 'is approved')).toHaveLength(1)
  })

  test('is refused to an administrator, who can do it at once', async () => {
    const item = await sellWeb(1)
    expect((await ask(ada, webLicense(item))).body).toMatchObject({ status: 'FAILURE', code: 'NO_REQUEST_NEEDED' })
  })

  test('that two administrators approve at once is done once', async () => {
    const item = await sellWeb(5)
    const { id } = dataOf(await ask(vic, webLicense(item)))
    const answers = await Promise.all([approve(ada, id), approve(cora, id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'STALE',
      data: { current: { state: 'approved', revision: 2 } },
    })
    const acts = await portal.db
      .selectFrom('audit_log')
      .select('email')
      .where('action', '=', 'requests/approve')
      .where('target', '=', id)
      .where('outcome', '=', 'done')
      .execute()
    expect(acts).toHaveLength(1)
    expect((await stored(id)).decided_by).toBe(acts[0]?.email)
  })

  test('stays open if the last seat is gone, and can then be declined with a reason', async () => {
    const item = await sellWeb(1)
    const { id } = dataOf(await ask(vic, webLicense(item)))
    const taken = { customerNumber, activationIds: [item], emails: ['lina.lang@aerodyne.example'] }
    await portal.db
      .insertInto('web_user')
      .values({
        customer_number: customerNumber,
        email: taken.emails[0]!,
        name: '',
        added_at: new Date(),
        added_by: ADA,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    expect((await ada(assignWebLicenses, { body: taken })).body.status).toBe('SUCCESS')
    expect((await approve(ada, id)).body).toMatchObject({ status: 'FAILURE', code: 'SEAT_GONE' })
    expect(await stored(id)).toMatchObject({ state: 'open', revision: 1 })
    expect(await usersOf(item)).toEqual(taken.emails)

    const declined = await decide(ada, requests.declineRequest, id, { reason: 'All seats are taken until March.' })
    expect(dataOf(declined).state).toBe('declined')
    const [mail] = await mailsTo(VIC, 'is declined')
    expect(mail?.body_text).toContain('All seats are taken until March.')
    expect((await decide(ada, requests.declineRequest, id, { reason: 'x', revision: 2 })).body.code).toBe(
      'REQUEST_CLOSED',
    )
  })

  test('is changed before it is approved: another entitlement', async () => {
    const [full, free] = [await sellWeb(1), await sellWeb(1)]
    const { id } = dataOf(await ask(vic, webLicense(full)))
    expect(dataOf(await approve(ada, id, { item: free })).state).toBe('approved')
    expect(await usersOf(free)).toEqual([VIC])
    expect(await usersOf(full)).toEqual([])
    expect((await stored(id)).granted_product).toBeNull()
  })

  test('is approved for another user, and says for whom', async () => {
    const item = await sellWeb(1)
    const { id } = dataOf(await ask(vic, webLicense(item)))
    expect((await approve(ada, id, { target: 'no email' })).body.code).toBe('INVALID_EMAIL')
    const target = 'lina.lang@aerodyne.example'
    expect(dataOf(await approve(ada, id, { target })).state).toBe('approved')
    expect(await usersOf(item)).toEqual([target])
    expect(await stored(id)).toMatchObject({ target_name: VIC, granted_target_name: target, granted_product: null })
    const mails = await mailsTo(VIC, 'is approved')
    expect(mails.some(({ body_text }) => body_text.includes(`a web license of Optical Ray Studio for ${target}`))).toBe(
      true,
    )
  })

  test('that is approved with another product says which one', async () => {
    const item = await sellLicense(portal, { product_name: 'Mission Systems Toolkit', license_model: 'Named User' })
    const { id } = dataOf(await ask(vic, webLicense(await sellWeb(1))))
    expect(dataOf(await approve(ada, id, { item })).state).toBe('approved')
    const { body } = await vic(requests.requestList.page, { body: { customerNumber } })
    const row = (body.data as { id: string }[]).find((one) => one.id === id)
    expect(row).toMatchObject({ product: 'Optical Ray Studio', grantedProduct: 'Mission Systems Toolkit' })
    const mails = await mailsTo(VIC, 'is approved')
    expect(
      mails.some(({ body_text }) => body_text.includes(`a web license of Mission Systems Toolkit for ${VIC}`)),
    ).toBe(true)
  })
})

describe('an administrator gets an email', () => {
  test('when a request is withdrawn', async () => {
    const { id } = dataOf(await ask(vic, webLicense(await sellWeb(1))))
    const before = await mailsTo(ADA, 'no longer asks for')
    await vic(requests.withdrawRequest, { body: { customerNumber, id } })
    expect(await mailsTo(ADA, `${VIC} no longer asks for a web license`)).toHaveLength(before.length + 1)
  })

  test('when a rule approves a request, and so does the person who asked', async () => {
    await saveRules({ approveWebLicenses: true })
    const [toAda, toVic] = [await mailsTo(ADA, 'A rule has approved'), await mailsTo(VIC, 'is approved')]
    await ask(vic, webLicense(await sellWeb(1)))
    expect(await mailsTo(ADA, 'A rule has approved')).toHaveLength(toAda.length + 1)
    expect(await mailsTo(VIC, 'is approved')).toHaveLength(toVic.length + 1)
  })
})

describe('a request for seats on a license server', () => {
  const host = { ...NEW_HOST, serverId: '0242ac1100aa', serverName: 'lic-requests' }
  const seats = (item: string, quantity: number) => ({ kind: 'seats', item, target: host.serverId, quantity })
  beforeAll(async () => {
    const first = await sellLicense(portal)
    const activations = [{ id: first, count: 1 }]
    expect((await ada(createFulfillments, { body: { customerNumber, ...host, activations } })).body.status).toBe(
      'SUCCESS',
    )
  })
  const files = async () => {
    const rows = await portal.db
      .selectFrom('license_file')
      .select('generated_by')
      .where('host_id', '=', host.serverId)
      .execute()
    return rows.map((row) => row.generated_by)
  }

  test('is approved with fewer seats: they are activated and the license file is made in the same act', async () => {
    const item = await sellLicense(portal, { line_item_quantity: 3 })
    const { id } = dataOf(await ask(vic, seats(item, 3)))
    const before = await files()
    expect(dataOf(await approve(ada, id, { quantity: 2 })).state).toBe('approved')
    expect(await seatsIn(portal, item)).toEqual({ ledger: 2, kept: 2 })
    const page = `/license-servers/${host.serverId}?customer=${customerNumber}`
    expect((await mailsTo(VIC, 'is approved')).some(({ body_text }) => body_text.includes(page))).toBe(true)
    expect(await files()).toEqual([...before, ADA])
    expect(await stored(id)).toMatchObject({ quantity: 3, granted_quantity: 2, decided_by: ADA })
  })

  test('is approved for another license server', async () => {
    const item = await sellLicense(portal, { line_item_quantity: 1 })
    const other = { ...NEW_HOST, serverId: '0242ac1100ab', serverName: 'lic-other' }
    const activations = [{ id: await sellLicense(portal), count: 1 }]
    await ada(createFulfillments, { body: { customerNumber, ...other, activations } })
    const { id } = dataOf(await ask(vic, seats(item, 1)))
    expect((await approve(ada, id, { target: '0242ac1100ff' })).status).toBe(404)
    expect(dataOf(await approve(ada, id, { target: other.serverId })).state).toBe('approved')
    expect(await stored(id)).toMatchObject({ target_name: 'lic-requests', granted_target_name: 'lic-other' })
    const held = portal.db.selectFrom('fulfillment').select('host_id').where('activation_id', '=', item)
    expect(await held.execute()).toEqual([{ host_id: other.serverId }])
  })

  test('stays open if fewer seats are left', async () => {
    const item = await sellLicense(portal, { line_item_quantity: 1 })
    const { id } = dataOf(await ask(vic, seats(item, 2)))
    const before = await files()
    expect((await approve(ada, id)).body).toMatchObject({ status: 'FAILURE', code: 'SEAT_GONE' })
    expect(await seatsIn(portal, item)).toEqual({ ledger: 0, kept: 0 })
    expect(await files()).toEqual(before)
    expect((await stored(id)).state).toBe('open')
  })

  test('needs a license server and an entitlement of the account', async () => {
    const item = await sellLicense(portal)
    expect((await ask(vic, { ...seats(item, 1), target: '0242ac1100ff' })).status).toBe(404)
    expect((await ask(vic, seats('no-such-id', 1))).body.code).toBe('NO_SUCH_ACTIVATION')
  })
})

describe('a request for an order', () => {
  test('is ordered on approval at the price that the approver has seen, and never by a rule', async () => {
    await saveRules({ approveWebLicenses: true, approveSeats: true })
    const fsaID = await openContract(portal)
    const before = await loadBalance(portal, fsaID)
    const { id, state } = dataOf(await ask(vic, { kind: 'order', item: PRO, target: fsaID, quantity: 2 }))
    expect(state).toBe('open')
    const [today, end] = terms()
    const order = (cost: string) => ({ order: { startDate: today, endDate: end, cost } })
    expect((await approve(ada, id, order('1.00'))).body).toMatchObject({ status: 'FAILURE', code: 'PRICE_CHANGED' })
    expect(await loadBalance(portal, fsaID)).toEqual(before)
    expect(dataOf(await approve(ada, id, order('3800.00'))).state).toBe('approved')
    const ordered = await portal.db
      .selectFrom('entitlement')
      .select(['line_item_quantity', 'price', 'requester_email'])
      .where('fsa_id', '=', fsaID)
      .where('part_number', '=', PRO)
      .execute()
    expect(ordered).toEqual([{ line_item_quantity: 2, price: '3800.00', requester_email: ADA }])
  })

  test('is refused for a product that the contract does not offer, and for no contract', async () => {
    const fsaID = await openContract(portal)
    expect((await ask(vic, { kind: 'order', item: 'NONE', target: fsaID })).body.code).toBe('PRODUCT_NOT_OFFERED')
    expect((await ask(vic, { kind: 'order', item: PRO, target: 'no-such-contract' })).status).toBe(404)
  })

  test('leaves at most 20 open ones of a person, also of 60 that are sent in parallel', async () => {
    const mine = portal.db.deleteFrom('license_request').where('requested_by', '=', VIC)
    await mine.execute()
    const contracts: string[] = []
    for (let n = 0; n < 60; n++) contracts.push(await openContract(portal))
    const answers = await Promise.all(contracts.map((target) => ask(vic, { kind: 'order', item: PRO, target })))
    const counted = Object.groupBy(answers, ({ body }) => String(body.code ?? body.status))
    expect(counted.SUCCESS).toHaveLength(MAX_OPEN)
    expect(counted.TOO_MANY_OPEN_REQUESTS).toHaveLength(60 - MAX_OPEN)
    await mine.execute()
  })

  /** Thirty days from today. */
  function terms(): [string, string] {
    const today = dayIn('Europe/Berlin', portal.clock.now())
    return [today, addDays(today, 29)]
  }
})

describe('the rules of an account', () => {
  test('approve a web license at once while seats are free, and leave the next one open', async () => {
    await saveRules({ approveWebLicenses: true })
    const item = await sellWeb(1)
    expect(dataOf(await ask(vic, webLicense(item)))).toMatchObject({ state: 'approved', isByRule: true })
    expect(await usersOf(item)).toEqual([VIC])
    const sara = await portal.as('sara.sales@vendor.example')
    const waiting = dataOf(await ask(sara, webLicense(item, 'sara.sales@vendor.example')))
    expect(waiting).toMatchObject({ state: 'open', isByRule: false })
    expect(await usersOf(item)).toEqual([VIC])
  })

  test('approve nothing for another person', async () => {
    await saveRules({ approveWebLicenses: true })
    const item = await sellWeb(2)
    expect(dataOf(await ask(vic, webLicense(item, 'somebody.else@aerodyne.example'))).state).toBe('open')
  })

  test('can say that nobody may ask', async () => {
    await saveRules({ askers: 'nobody' })
    expect((await ask(vic, webLicense(await sellWeb(1)))).status).toBe(403)
  })

  test('are not saved over a change of somebody else', async () => {
    const stale = { customerNumber, rules: { ...DEFAULT_RULES, days: 3 }, revision: 0 }
    await saveRules({ days: 20 })
    expect(await ada(requests.saveRequestRules, { body: stale })).toMatchObject({
      status: 409,
      body: { code: 'STALE' },
    })
  })
})

describe('an open request', () => {
  test('is withdrawn by its author only, and is kept', async () => {
    const { id } = dataOf(await ask(vic, webLicense(await sellWeb(1))))
    const withdraw = (call: Call) => call(requests.withdrawRequest, { body: { customerNumber, id } })
    expect((await withdraw(ada)).status).toBe(404)
    expect(dataOf(await withdraw(vic)).state).toBe('withdrawn')
    expect((await withdraw(vic)).body.code).toBe('REQUEST_CLOSED')
    expect((await approve(ada, id, { revision: 2 })).body.code).toBe('REQUEST_CLOSED')
    expect((await stored(id)).state).toBe('withdrawn')
  })

  test('cannot be approved once its time is over, also before it is marked as expired', async () => {
    const { id } = dataOf(await ask(vic, webLicense(await sellWeb(1))))
    await portal.db
      .updateTable('license_request')
      .set({ expires_at: portal.clock.now() })
      .where('request_id', '=', id)
      .execute()
    expect((await approve(ada, id)).body).toMatchObject({ code: 'REQUEST_CLOSED', err: 'This request has expired.' })
  })

  test('cannot be asked twice, and not for a license that the user has', async () => {
    const item = await sellWeb(2)
    const { id } = dataOf(await ask(vic, webLicense(item)))
    expect((await ask(vic, webLicense(item))).body.code).toBe('ALREADY_REQUESTED')
    await approve(ada, id)
    expect((await ask(vic, webLicense(item))).body.code).toBe('ALREADY_ASSIGNED')
  })

  test('is seen by its author and by those who decide', async () => {
    const item = await sellWeb(2)
    const mine = dataOf(await ask(vic, webLicense(item)))
    const theirs = dataOf(
      await ask(await portal.as('sara.sales@vendor.example'), webLicense(item, 'a.b@aerodyne.example')),
    )
    const ids = async (call: Call) => {
      const { body } = await call(requests.requestList.page, { body: { customerNumber, limit: 100 } })
      return (body.data as { id: string }[]).map(({ id }) => id)
    }
    expect(await ids(ada)).toEqual(expect.arrayContaining([mine.id, theirs.id]))
    expect(await ids(vic)).toContain(mine.id)
    expect(await ids(vic)).not.toContain(theirs.id)
  })
})

describe('a web user who sees no account', () => {
  const WENDY = HAL
  test('asks for a license of an account whose web user they are, and gets it on approval', async () => {
    const wendy = await portal.as(WENDY)
    const item = await sellWeb(2)
    const body = { customerNumber, activationId: item, reason: 'Lenses' }
    expect((await wendy(requests.askWebLicense, { body })).body.code).toBe('NO_SUCH_USER')
    expect(
      (await wendy(requests.askRequest, { body: { customerNumber, ...webLicense(item), quantity: 1, reason: '' } }))
        .status,
    ).toBe(404)
    await portal.db
      .insertInto('web_user')
      .values({ customer_number: customerNumber, email: WENDY, name: 'Wendy', added_at: new Date(), added_by: ADA })
      .execute()
    await saveRules({ askers: 'viewers' })
    expect((await wendy(requests.askWebLicense, { body })).body.code).toBe('NO_SUCH_USER')
    await saveRules({})
    const { id } = dataOf(await wendy(requests.askWebLicense, { body }))
    const own = async () => (await wendy(requests.getOwnRequests)).body.data as requests.OwnRequests
    const offered = (await own()).offers.find((one) => one.customerNumber === customerNumber)
    expect(offered?.licenses).toContainEqual({
      activationId: item,
      product: 'Optical Ray Studio',
      isAssigned: false,
      isRequested: true,
    })
    expect((await approve(ada, id)).status).toBe(200)
    expect(await usersOf(item)).toEqual([WENDY])
    expect((await own()).requests[0]).toMatchObject({ id, state: 'approved' })
    expect((await wendy(requests.withdrawOwnRequest, { body: { customerNumber, id } })).body.code).toBe(
      'REQUEST_CLOSED',
    )
    expect((await wendy(requests.withdrawOwnRequest, { body: { customerNumber, id: randomUUID() } })).body.code).toBe(
      'NO_SUCH_REQUEST',
    )
  })
})

describe('every call', () => {
  const id = '00000000-0000-4000-8000-000000000000'
  const DECIDE = { customerNumber, id, revision: 1 }
  test.each<[Operation, object, object]>([
    [requests.requestList.page, { customerNumber }, { customerNumber, limit: 'x' }],
    [
      requests.askRequest,
      { customerNumber, kind: 'order', item: PRO, target: 'x', quantity: 1, reason: '' },
      { customerNumber, kind: 'order', item: PRO, target: 'x', quantity: 0, reason: '' },
    ],
    [requests.withdrawRequest, { customerNumber, id }, { customerNumber, id: 'x' }],
    [requests.approveRequest, DECIDE, { ...DECIDE, quantity: -1 }],
    [requests.declineRequest, { ...DECIDE, reason: 'No' }, { ...DECIDE, reason: ' ' }],
    [requests.getRequestRules, { customerNumber }, { customerNumber, more: 1 }],
    [
      requests.saveRequestRules,
      { customerNumber, rules: DEFAULT_RULES, revision: 0 },
      { customerNumber, rules: { ...DEFAULT_RULES, days: 0 }, revision: 0 },
    ],
    [
      requests.askWebLicense,
      { customerNumber, activationId: 'x', reason: '' },
      { customerNumber, activationId: '', reason: '' },
    ],
  ])('$name answers 401 to nobody and 400 to a malformed body', async (operation, good, bad) => {
    expect((await (await portal.as(null))(operation, { body: good })).status).toBe(401)
    expect((await ada(operation, { body: bad })).status).toBe(400)
  })

  test('of a decision is refused for people who may only look', async () => {
    expect((await approve(vic, id)).status).toBe(403)
    expect((await decide(vic, requests.declineRequest, id, { reason: 'x' })).status).toBe(403)
    expect(
      (await vic(requests.saveRequestRules, { body: { customerNumber, rules: DEFAULT_RULES, revision: 0 } })).status,
    ).toBe(403)
    expect((await approve(ada, id)).status).toBe(404)
    expect((await (await portal.as(OLIVIA))(requests.getRequestRules, { body: { customerNumber } })).status).toBe(200)
  })
})

// Runs last, because it turns the clock beyond the life of a session.
test('a request that nobody decides expires, is kept, and its author gets an email', async () => {
  await saveRules({ days: 2 })
  const { id } = dataOf(await ask(vic, webLicense(await sellWeb(1))))
  const services = { db: portal.db, clock: portal.clock, config: portal.config }
  await expireRequests(services)
  expect((await stored(id)).state).toBe('open')
  const before = await mailsTo(VIC, 'has expired')
  portal.clock.forward(2 * DAY)
  await expireRequests(services)
  await expireRequests(services)
  expect(await stored(id)).toMatchObject({ state: 'expired', decided_by: null })
  expect(await mailsTo(VIC, 'has expired')).toHaveLength(before.length + 1)
  const logged = portal.db.selectFrom('audit_log').select(['action', 'address', 'text']).where('target', '=', id)
  expect(await logged.where('action', '=', 'request.expire').execute()).toEqual([
    {
      action: 'request.expire',
      address: 'schedule',
      text: `Closed as expired the request of ${VIC} for ${webLicenseOf(VIC)}`,
    },
  ])
})
