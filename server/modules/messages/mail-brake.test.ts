import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emailLicense } from '#contract/activations/license-files/license-files.ts'
import { changePin } from '#contract/elastic/credentials/credentials.ts'
import { emailMonth, emailWeek } from '#contract/elastic/statements/mailed-statements.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { getPortalAccess, setPortalAccess } from '#contract/settings/portal-access.ts'
import { paragraph, queueMail } from '#server/modules/messages/messages.public.ts'
import { addMeteredAccount } from '#server/testing/metering.ts'
import { type Answer, type CallParts, callOperation, type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { ROWS } from '#server/testing/samples/samples.ts'

const customerNumber = '100001'
const ADA = 'ada.admin@aerodyne.example'
const OLIVIA = 'olivia.ops@vendor.example'
const MINUTE = 60_000
const REFUSED = { status: 200, body: { status: 'FAILURE', code: 'TOO_MANY_EMAILS' } }
const DONE = { status: 200, body: { status: 'SUCCESS' } }

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())
// Moves the clock past the limit, so that mails of earlier tests do not count.
beforeEach(() => portal.clock.forward(61 * MINUTE))

/** Signs in again: sessions from before the clock was turned have ended. */
async function as(email: string) {
  const cookie = await signIn(portal.app, email)
  return (operation: Operation, parts: CallParts = {}) => callOperation(portal.app, operation, cookie, parts)
}

const mails = async () =>
  Number(
    (
      await portal.db
        .selectFrom('mail')
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )
/** How many mails the work has added. */
async function mailsOf(work: () => Promise<unknown>): Promise<number> {
  const before = await mails()
  await work()
  return (await mails()) - before
}
const sampleOf = (operation: { name: string }) => ROWS[operation.name]?.sample(customerNumber) ?? {}
const codes = (answers: readonly Answer[]) => answers.map(({ body }) => body.code ?? body.status)

describe('a person who requests statements', () => {
  const account = 'MB1'
  beforeAll(() =>
    addMeteredAccount(portal.db, account, {
      timeZone: 'UTC',
      sold: [{ id: `${account}-1`, units: 1000, from: '2020-01-01', to: '2099-12-31' }],
    }),
  )
  const request = async (email = OLIVIA, operation: typeof emailMonth | typeof emailWeek = emailMonth) => {
    const date = portal.clock.now().toISOString()
    const body = { customerid: account, server: `server-${account}`, activationid: `${account}-1`, date }
    return (await as(email))(operation, { body })
  }

  test('gets five within an hour, and then a refusal that says when the next one can be sent', async () => {
    expect(
      await mailsOf(async () => {
        for (let count = 0; count < 5; count++) {
          expect(await request()).toMatchObject(DONE)
          portal.clock.forward(10 * MINUTE)
        }
        const refused = await request()
        expect(refused).toMatchObject(REFUSED)
        expect(refused.body.err).toBe(
          `You have sent 5 emails of this kind to ${OLIVIA} within an hour. Try again in 10 minutes.`,
        )
      }),
    ).toBe(5)
    portal.clock.forward(10 * MINUTE)
    expect(await request()).toMatchObject(DONE)
    expect(await request()).toMatchObject(REFUSED)
  })

  test('gets five of 20 that are requested at once', async () => {
    const answers: Answer[] = []
    expect(
      await mailsOf(async () => answers.push(...(await Promise.all(Array.from({ length: 20 }, () => request()))))),
    ).toBe(5)
    expect(codes(answers).filter((code) => code === 'TOO_MANY_EMAILS')).toHaveLength(15)
    expect(codes(answers).filter((code) => code === 'SUCCESS')).toHaveLength(5)
  })

  test('does not use up what others may send, nor mails of another kind', async () => {
    for (let count = 0; count < 5; count++) await request()
    expect(await request()).toMatchObject(REFUSED)
    expect(await request('sam.support@vendor.example')).toMatchObject(DONE)
    expect(await request(OLIVIA, emailWeek)).toMatchObject(DONE)
  })
})

test('a contact who is added and removed 25 times gets five mails, and a refused change is not made', async () => {
  const ada = await as(ADA)
  const listed = async () => (await ada(getPortalAccess, { body: { customerNumber } })).body.data as object[]
  const oldContacts = (await listed()).map((one) => {
    const { email, role } = one as { email: string; role: string }
    return { email, role }
  })
  const newContacts = [...oldContacts, { email: 'new.contact@aerodyne.example', role: 'Licensing Portal Viewer' }]
  const answers: Answer[] = []
  expect(
    await mailsOf(async () => {
      for (let count = 0; count < 25; count++) {
        answers.push(await ada(setPortalAccess, { body: { customerNumber, oldContacts, newContacts } }))
        const back = { customerNumber, oldContacts: newContacts, newContacts: oldContacts }
        expect(await ada(setPortalAccess, { body: back })).toMatchObject(DONE)
      }
    }),
  ).toBe(5)
  expect(codes(answers)).toEqual([...Array(5).fill('SUCCESS'), ...Array(20).fill('TOO_MANY_EMAILS')])
  expect(await listed()).toHaveLength(oldContacts.length)
})

test('a license file of one server is mailed five times within an hour', async () => {
  const ada = await as(ADA)
  const send = () => ada(emailLicense, sampleOf(emailLicense))
  for (let count = 0; count < 5; count++) expect(await send()).toMatchObject(DONE)
  expect(await send()).toMatchObject(REFUSED)
})

test('a PIN can be changed at any time: one mail is held back and stands for the changes until then', async () => {
  const ada = await as(ADA)
  const { body } = sampleOf(changePin) as { body: { clsId: string } }
  const change = async (count: number) =>
    expect(
      await ada(changePin, { body: { customerNumber, clsId: body.clsId, pin: `${700_000 + count}` } }),
    ).toMatchObject(DONE)
  expect(
    await mailsOf(async () => {
      for (let count = 0; count < 9; count++) await change(count)
    }),
  ).toBe(6)
  const held = await portal.db
    .selectFrom('outbox_message')
    .select(['id', 'next_attempt_at'])
    .where('next_attempt_at', '>', portal.clock.now())
    .execute()
  const anHourLater = new Date(portal.clock.now().getTime() + 60 * MINUTE)
  expect(held.map(({ next_attempt_at }) => next_attempt_at)).toEqual([anHourLater])
  const [mail] = await portal.db.selectFrom('mail').select('body_text').where('id', '=', `${held[0]?.id}`).execute()
  expect(mail?.body_text).toContain('This email was held back')
})

test('mails of jobs have no limit', async () => {
  const mail = {
    customerNumber,
    to: [ADA],
    subject: 'Reminder',
    content: { title: 'Reminder', blocks: [paragraph('!')] },
  }
  expect(
    await mailsOf(async () => {
      for (let count = 0; count < 10; count++)
        await portal.db.transaction().execute((tx) => queueMail(tx, portal, mail, 'no limit'))
    }),
  ).toBe(10)
})

test('rows whose mails are all more than an hour old are deleted', async () => {
  const send = async () => expect(await (await as(ADA))(emailLicense, sampleOf(emailLicense))).toMatchObject(DONE)
  const rows = () => portal.db.selectFrom('mail_brake').select('latest_at').execute()
  await send()
  portal.clock.forward(61 * MINUTE)
  await send()
  expect(await rows()).toEqual([{ latest_at: portal.clock.now() }])
})
