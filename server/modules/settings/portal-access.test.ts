import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emailList } from '#contract/messages/email-list.ts'
import { getPortalAccess, setPortalAccess } from '#contract/settings/portal-access.ts'
import { ACCESS_DISABLED, NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { ADMINISTRATOR, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import { EMAIL_TWICE, LAST_ADMINISTRATOR, ONLY_BUSINESS_OPERATIONS, ROLE_REQUIRED } from '#domain/settings/contacts.ts'
import { EMAIL_FORMAT, EMAIL_REQUIRED, FREE_DOMAIN } from '#domain/settings/email-address.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const customerNumber = '100001'
const ADA = 'ada.admin@aerodyne.example'
const CORA = 'cora.coordinator@aerodyne.example'
const OLIVIA = 'olivia.ops@vendor.example'
const ada = { email: ADA, role: ADMINISTRATOR } as const
const cora = { email: CORA, role: SUPPORT_COORDINATOR } as const
const paul = { email: 'paul.pending@aerodyne.example', role: VIEWER } as const
const vic = { email: 'vic.viewer@aerodyne.example', role: VIEWER } as const
const bob = { email: 'bob.builder@aerodyne.example', role: VIEWER } as const
const eve = { email: 'eve.engineer@aerodyne.example', role: ADMINISTRATOR } as const
const everybody = [ada, cora, paul, vic]

let portal: Portal
let logged: string
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())
/** Every test begins with the same contacts, an empty outbox, and its own end of the log. */
beforeEach(async () => {
  const { db } = portal
  await db.deleteFrom('contact').where('customer_number', '=', customerNumber).execute()
  await db
    .insertInto('contact')
    .values(everybody.map((contact) => ({ ...contact, customer_number: customerNumber })))
    .execute()
  await db.deleteFrom('mail').where('state', '=', 'queued').execute()
  const last = await db.selectFrom('audit_log').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  logged = last?.id ?? '0'
})

type Contact = { email: string; role: string }
async function load(email = OLIVIA, number = customerNumber) {
  const call = await portal.as(email)
  return call(getPortalAccess, { body: { customerNumber: number } })
}
/** The stored contacts, without their last sign-in. */
async function stored(number = customerNumber): Promise<Contact[]> {
  return ((await load(OLIVIA, number)).body.data as Contact[]).map(({ email, role }) => ({ email, role }))
}
async function save(
  email: string | null,
  newContacts: unknown,
  oldContacts: unknown = everybody,
  number = customerNumber,
) {
  const call = await portal.as(email)
  return call(setPortalAccess, { body: { customerNumber: number, newContacts, oldContacts } })
}
const trace = (action: string) =>
  portal.db
    .selectFrom('audit_log')
    .select(['email', 'customer_number', 'target', 'before', 'after', 'outcome', 'reason'])
    .where('action', '=', action)
    .where('id', '>', logged)
    .execute()
const mails = () => portal.db.selectFrom('mail').selectAll().where('state', '=', 'queued').execute()

describe('loading', () => {
  test('answers the contacts in the order of their addresses', async () => {
    const data = everybody.map((contact) => expect.objectContaining(contact))
    expect((await load(vic.email)).body).toEqual({ status: 'SUCCESS', data })
  })

  test('answers when each contact signed in last, and null for those who never did', async () => {
    await portal.as(ADA)
    const data = (await load(ADA)).body.data as { email: string; lastSignIn: string | null }[]
    const signIns = new Map(data.map(({ email, lastSignIn }) => [email, lastSignIn]))
    expect(signIns.get(ADA)).toBe(portal.clock.now().toISOString())
    expect(signIns.get(paul.email)).toBeNull()
  })

  test('answers 401 without a session, 404 for unseen accounts, and 403 where access is disabled', async () => {
    const nobody = await portal.as(null)
    expect((await nobody(getPortalAccess, { body: { customerNumber } })).status).toBe(401)
    expect((await load(ADA, '100003')).status).toBe(404)
    expect((await load('hal.heritage@heritage.example', '100008')).body.err).toBe(ACCESS_DISABLED)
    expect((await load(OLIVIA, '100008')).status).toBe(200)
    const call = await portal.as(ADA)
    expect((await call(getPortalAccess, { body: { customerNumber: 1 } })).status).toBe(400)
  })
})

describe('saving', () => {
  test('takes the list as getportalaccess answers it, and ignores what only the server knows', async () => {
    const data = (await load(ADA)).body.data as { email: string; role: string; lastSignIn: string | null }[]
    expect((await save(ADA, data, data)).body).toMatchObject({ status: 'SUCCESS' })
    const wanted = [ada, bob, cora, paul, vic]
    const answer = await save(ADA, [...data, { ...bob, lastSignIn: '2026-01-01T00:00:00.000Z' }], data)
    expect(answer.body).toEqual({ status: 'SUCCESS', data: wanted })
    expect((await trace('setportalaccess')).map(({ target, after }) => ({ target, after }))).toEqual([
      { target: customerNumber, after: wanted },
    ])
    const signIns = (await load(ADA)).body.data as { email: string; lastSignIn: string | null }[]
    expect(signIns.find(({ email }) => email === bob.email)?.lastSignIn).toBeNull()
  })

  test('adds, removes and changes contacts, emails the new one, and audits both lists', async () => {
    const wanted = [ada, bob, cora, { ...vic, role: ADMINISTRATOR }]
    const answer = await save(ADA, [...wanted].reverse())
    expect(answer).toMatchObject({ status: 200, body: { status: 'SUCCESS', data: wanted } })
    expect(await stored()).toEqual(wanted)
    const queued = await mails()
    expect(queued).toMatchObject([
      {
        customer_number: customerNumber,
        recipients: [bob.email],
        subject: 'Licensing Portal: You have access to Aerodyne Motors',
        body_text: expect.stringContaining(`Role: ${VIEWER}\nAdded by: ${ADA}`),
      },
    ])
    expect(queued[0]?.body_html).toContain('/home?customer=100001')
    expect(await trace('setportalaccess')).toEqual([
      {
        email: ADA,
        customer_number: customerNumber,
        target: customerNumber,
        before: everybody,
        after: wanted,
        outcome: 'done',
        reason: null,
      },
    ])
    const history = await (await portal.as(ADA))(emailList.page, { body: { customerNumber, limit: 1 } })
    expect(history.body.data).toMatchObject([{ to: bob.email, delivery: 'queued' }])
  })

  test('gives and takes rights at once', async () => {
    await save(ADA, [ada, cora, paul])
    expect((await load(vic.email)).status).toBe(404)
    await save(ADA, everybody, [ada, cora, paul])
    expect((await load(vic.email)).status).toBe(200)
  })

  test('stores addresses in lower case, and compares them without case', async () => {
    const shouting = everybody.map((contact) => ({ ...contact, email: contact.email.toUpperCase() }))
    const answer = await save(ADA, [...shouting, { ...bob, email: ' Bob.Builder@Aerodyne.example ' }], shouting)
    expect(answer.body.data).toContainEqual(bob)
  })

  test('saving the current list changes nothing, even from an outdated form', async () => {
    expect((await save(ADA, everybody, [])).body).toEqual({ status: 'SUCCESS', data: everybody })
    expect(await mails()).toEqual([])
  })

  test('two administrators who save at the same time lose no change', async () => {
    await save(OLIVIA, [...everybody, eve])
    const before = [...everybody, eve]
    const hers = [...before, bob]
    const his = before.filter((contact) => contact !== paul)
    const answers = await Promise.all([save(ADA, hers, before), save(CORA, his, before)])
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
    const won = answers[0]?.status === 200 ? hers : his
    const lost = won === hers ? his : hers
    const now = await stored()
    expect(emails(now)).toEqual(emails(won))
    const refused = answers.find((answer) => answer.status === 409)?.body
    expect(refused).toMatchObject({
      status: 'FAILURE',
      code: 'STALE',
      err: 'The contacts of this account were changed by somebody else in the meantime.',
    })
    const versions = refused?.data as { current: Contact[]; yours: Contact[] }
    expect(emails(versions.current)).toEqual(emails(won))
    expect(emails(versions.yours)).toEqual(emails(lost))
    const both = won === hers ? hers.filter((contact) => contact !== paul) : [...his, bob]
    expect((await save(CORA, both, now)).status, 'from what is there now, the second change goes through').toBe(200)
  })

  test('the same call sent twice under one Idempotency-Key acts once', async () => {
    const call = await portal.as(ADA)
    const parts = {
      body: { customerNumber, newContacts: [...everybody, bob], oldContacts: everybody },
      headers: { 'idempotency-key': 'k1' },
    }
    const answers = [await call(setPortalAccess, parts), await call(setPortalAccess, parts)]
    expect(answers[1]?.body).toEqual(answers[0]?.body)
    expect(await mails()).toHaveLength(1)
  })
})

const emails = (contacts: readonly { email: string }[]) => contacts.map((contact) => contact.email).sort()

describe('a list that is not valid is refused with the text of the form, and nothing changes', () => {
  test.each([
    [{ ...bob, email: '' }, EMAIL_REQUIRED],
    [{ ...bob, email: 'bob@' }, EMAIL_FORMAT],
    [{ ...bob, email: 'bob@gmail.com' }, FREE_DOMAIN],
    [{ ...bob, email: 'bob@Yahoo.co.uk' }, FREE_DOMAIN],
    [{ ...bob, email: 'bob@mailinator.com' }, FREE_DOMAIN],
    [{ ...bob, role: '' }, ROLE_REQUIRED],
    [{ ...bob, role: 'busops' }, ROLE_REQUIRED],
    [{ ...ada, role: VIEWER }, EMAIL_TWICE],
  ])('the contact %j gets the error %s', async (contact, err) => {
    expect(await save(OLIVIA, [...everybody, contact])).toMatchObject({ status: 400, body: { status: 'FAILURE', err } })
    expect(await stored()).toEqual(everybody)
  })
})

describe('who may grant what', () => {
  test.each([
    ['ada appoints a coordinator', ADA, [...everybody, { ...bob, role: SUPPORT_COORDINATOR }]],
    ['ada removes the coordinator', ADA, [ada, paul, vic]],
    ['cora steps down herself', CORA, [ada, { ...cora, role: ADMINISTRATOR }, paul, vic]],
  ])('%s: refused with 403 and audited', async (_, who, wanted) => {
    expect(await save(who, wanted)).toMatchObject({ status: 403, body: { err: ONLY_BUSINESS_OPERATIONS } })
    expect(await stored()).toEqual(everybody)
    expect(await trace('setportalaccess')).toMatchObject([
      { email: who, customer_number: customerNumber, outcome: 'refused', reason: ONLY_BUSINESS_OPERATIONS },
    ])
  })

  test('twenty simultaneous refusals are all answered and all audited', async () => {
    const wanted = [...everybody, { ...bob, role: SUPPORT_COORDINATOR }]
    const answers = await Promise.all(Array.from({ length: 20 }, () => save(ADA, wanted)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(403))
    expect(await trace('setportalaccess')).toHaveLength(20)
  })

  test('business operations appoints and removes coordinators, and may remove the last administrator', async () => {
    const wanted = [ada, { ...bob, role: SUPPORT_COORDINATOR }]
    expect((await save(OLIVIA, wanted)).status).toBe(200)
    expect((await save(OLIVIA, [], wanted)).body).toEqual({ status: 'SUCCESS', data: [] })
  })

  test('the last administrator cannot be removed', async () => {
    const only = [{ email: 'nina.nimbus@nimbus.example', role: ADMINISTRATOR }]
    const answer = await save('nina.nimbus@nimbus.example', [], only, '100007')
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'FAILURE', code: 'LAST_ADMINISTRATOR', err: LAST_ADMINISTRATOR },
    })
    expect(await stored('100007')).toEqual(only)
  })

  test('an FNP license generator cannot add, change or remove contacts', async () => {
    const petra = { email: 'petra.principal@partner.example', role: ADMINISTRATOR }
    const paul = { email: 'paul@partner.example', role: VIEWER }
    const before = [paul, petra]
    await save(OLIVIA, before, [petra], '100003')
    const attempts = [
      [...before, { email: 'new@partner.example', role: VIEWER }],
      [{ ...paul, role: ADMINISTRATOR }, petra],
      [petra],
      before,
    ]
    for (const wanted of attempts)
      expect(await save('greta.generator@partner.example', wanted, before, '100003')).toMatchObject({
        status: 403,
        body: { err: NOT_ENOUGH_PERMISSIONS },
      })
    expect(await stored('100003')).toEqual(before)
    await save(OLIVIA, [petra], before, '100003')
  })

  test.each([
    ['vic.viewer@aerodyne.example', customerNumber, 403, NOT_ENOUGH_PERMISSIONS],
    ['sam.support@vendor.example', customerNumber, 403, NOT_ENOUGH_PERMISSIONS],
    ['saul.access@partner.example', '100003', 403, NOT_ENOUGH_PERMISSIONS],
    ['hal.heritage@heritage.example', '100008', 403, ACCESS_DISABLED],
    [ADA, '100003', 404, 'No such account'],
    [null, customerNumber, 401, 'Sign in to continue'],
  ])('%s saves contacts of %s: refused with %i', async (who, number, status, err) => {
    expect(await save(who, [ada], [], number)).toMatchObject({ status, body: { err } })
  })
})
