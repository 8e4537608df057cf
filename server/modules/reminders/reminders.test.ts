import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sendUsage } from '#contract/elastic/usage/send-usage.ts'
import {
  createCalendarFeed,
  getReminders,
  listCalendarFeeds,
  revokeCalendarFeed,
  setReminders,
} from '#contract/reminders/reminders.ts'
import { saveWebhook } from '#contract/webhooks/webhooks.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { NO_REMINDERS, type Reminders } from '#domain/reminders/reminders.ts'
import { loadBudgets } from '#server/modules/reminders/budgets.ts'
import { checkReminders } from '#server/modules/reminders/check-reminders.ts'
import { remindersModule } from '#server/modules/reminders/reminders.module.ts'
import { listRemindedAccounts } from '#server/modules/reminders/reminders.queries.ts'
import type { Services } from '#server/services.ts'
import { addMeteredAccount, PRODUCT } from '#server/testing/metering.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'

const ADA = 'ada.admin@aerodyne.example'
const VIC = 'vic.viewer@aerodyne.example'
const OLIVIA = 'olivia.ops@vendor.example'
const HOUR = 3_600_000
const DAY = 24 * HOUR

let portal: Portal
let headers: Record<string, string>
beforeAll(async () => {
  portal = await startPortal()
  // Removes the reminders of the demo account.
  for (const table of ['reminder_settings', 'reminder_sent', 'calendar_feed'] as const)
    await portal.db.deleteFrom(table).execute()
  headers = (await giveServiceKey(portal, 'Usage', { scopes: ['usage'], days: 30 })).headers
})
afterAll(() => portal.close())

const dayFromNow = (days: number) => new Date(portal.clock.now().getTime() + days * DAY).toISOString().slice(0, 10)

async function save(email: string, customerNumber: string, reminders: Partial<Reminders>, revision = 0) {
  const person = await portal.as(email)
  return person(setReminders, {
    body: { customerNumber, reminders: { ...NO_REMINDERS, ...reminders }, revision },
  })
}

async function addAccount(customerNumber: string, units = 100) {
  await addMeteredAccount(portal.db, customerNumber, { sold: [{ id: `${customerNumber}-1`, units }] })
  await portal.db
    .insertInto('contact')
    .values({ customer_number: customerNumber, email: ADA, role: 'Licensing Portal Administrator' })
    .execute()
}

let ids = 0
async function use(customerNumber: string, { project = 'Wing', username = 'anna' } = {}) {
  const id = `reminded-${++ids}`
  const ended = portal.clock.now().getTime() - 1000
  const nobody = await portal.as(null)
  const { body } = await nobody(sendUsage, {
    headers,
    body: {
      transactions: [
        {
          id,
          serverId: `server-${customerNumber}`,
          product: PRODUCT,
          productCount: 1,
          username,
          project,
          host: 'ws1',
          startTime: new Date(ended - HOUR).toISOString(),
          endTime: new Date(ended).toISOString(),
        },
      ],
    },
  })
  expect(body.data).toMatchObject([{ status: 'SUCCESS' }])
}

async function mails(customerNumber: string) {
  return portal.db
    .selectFrom('mail')
    .select(['subject', 'recipients', 'body_text'])
    .where('customer_number', '=', customerNumber)
    .where('subject', 'like', '%eminder%')
    .orderBy('queued_at')
    .execute()
}

const check = (customerNumber: string) => checkReminders(portal, customerNumber)

describe('reminders of license servers', () => {
  test('mail users who were turned away once a day, and a silent license server once', async () => {
    const number = 'RM-LS'
    await addAccount(number)
    const today = dayFromNow(0)
    const host = { customer_number: number, host_id: '0a0b0c0d0e0f' }
    const reported_at = new Date(portal.clock.now().getTime() - 25 * HOUR)
    await portal.db
      .insertInto('host')
      .values({ ...host, host_id_type: 'ETHERNET', host_name: 'lic-quiet', added_at: reported_at })
      .execute()
    await portal.db
      .insertInto('license_report')
      .values({ ...host, reported_at })
      .execute()
    const sums = { peak: 3, seat_seconds: '0', seconds_at_limit: 0, checkouts: 0, denials: 4 }
    const hour = { ...host, ...sums, feature: 'solver', hour: `${today} 09:00:00`, real_denials: 2 }
    await portal.db.insertInto('license_use_hour').values(hour).execute()
    await check(number)
    expect(await mails(number)).toEqual([])
    expect(await save(ADA, number, { recipients: [ADA], seatDenials: true, silentServers: true })).toMatchObject({
      status: 200,
    })
    await check(number)
    await portal.db
      .insertInto('license_use_hour')
      .values({ ...hour, hour: `${today} 10:00:00` })
      .execute()
    await check(number)
    const [mail, ...others] = await mails(number)
    expect(others).toEqual([])
    expect(mail?.body_text).toContain(`lic-quiet has turned users of solver away on ${today}, 2 times so far`)
    expect(mail?.body_text).toContain('lic-quiet has not reported since')
  })
})

test('an account whose thresholds cannot be read does not keep others from their reminders', async () => {
  for (const number of ['RM-X1', 'RM-X2']) {
    await addAccount(number, 8)
    expect(
      (await save(ADA, number, { recipients: [ADA], elastic: [{ measure: 'percent', value: '10' }] })).status,
    ).toBe(200)
    const body = { customerNumber: number, url: 'https://hooks.example.com/all', events: ['balance.low'] }
    expect((await (await portal.as(OLIVIA))(saveWebhook, { body })).status).toBe(200)
    await use(number)
  }
  await portal.db
    .updateTable('reminder_settings')
    .set({
      settings: JSON.stringify({ ...NO_REMINDERS, recipients: [ADA], elastic: [{ measure: 'amount', value: '?' }] }),
    })
    .where('customer_number', '=', 'RM-X1')
    .execute()
  onTestFinished(async () => {
    await portal.db.deleteFrom('reminder_settings').where('customer_number', '=', 'RM-X1').execute()
  })
  const attempt = { signal: new AbortController().signal, isLast: true }
  for (const job of remindersModule.jobs ?? []) {
    const services = portal as unknown as Services
    const failure = await job.run({} as never, services, attempt).catch((error: AggregateError) => error)
    expect(failure).toMatchObject({ errors: [{ message: 'account RM-X1', cause: expect.any(Error) }] })
  }
  expect(await mails('RM-X1')).toEqual([])
  expect(await mails('RM-X2')).toHaveLength(1)
  const told = await portal.db
    .selectFrom('webhook_delivery')
    .select(['customer_number', 'event'])
    .where('customer_number', 'like', 'RM-X_')
    .execute()
  expect(told).toEqual([{ customer_number: 'RM-X2', event: 'balance.low' }])
})

describe('the settings of reminders', () => {
  test('are empty at first, saved, audited and loaded', async () => {
    const reminders = {
      recipients: [ADA],
      leadDays: [90, 30, 7],
      elastic: [{ measure: 'percent', value: '10' }],
    } as const
    expect(await save(ADA, '100001', { ...reminders, leadDays: [7, 30, 90] })).toMatchObject({
      status: 200,
      body: { status: 'SUCCESS', data: { ...NO_REMINDERS, ...reminders, revision: 1 } },
    })
    const vic = await portal.as(VIC)
    const { body } = await vic(getReminders, { body: { customerNumber: '100001' } })
    expect(body.data).toMatchObject({
      reminders: { ...NO_REMINDERS, ...reminders, revision: 1 },
      contacts: expect.arrayContaining([ADA, VIC]),
      sent: [],
    })
    const audit = await portal.db
      .selectFrom('audit_log')
      .select('email')
      .where('action', '=', 'setreminders')
      .where('customer_number', '=', '100001')
      .execute()
    expect(audit).toMatchObject([{ email: ADA }])
    expect((await save(ADA, '100001', {}, 1)).status).toBe(200)
  })

  test('are not saved over a change of somebody else', async () => {
    await save(ADA, '100001', { recipients: [ADA], leadDays: [30] }, 2)
    const answer = await save(OLIVIA, '100001', { recipients: [VIC], leadDays: [60] }, 2)
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'STALE', data: { current: { leadDays: [30], revision: 3 }, yours: { leadDays: [60] } } },
    })
    expect((await save(ADA, '100001', {}, 3)).status).toBe(200)
  })

  test.each<[what: string, reminders: Partial<Reminders>, status: number, err: string]>([
    ['nobody to tell', { leadDays: [30] }, 400, 'Choose at least one recipient.'],
    ['zero days', { recipients: [ADA], leadDays: [0] }, 400, 'Lead times are whole numbers'],
    ['no amount', { recipients: [ADA], fsa: [{ measure: 'amount', value: 'x' }] }, 400, 'Enter an amount'],
    ['a stranger', { recipients: ['eve@evil.example'], leadDays: [30] }, 200, 'eve@evil.example is not a contact'],
  ])('are refused with the reason: %s', async (_, reminders, status, err) => {
    const answer = await save(ADA, '100001', reminders, 4)
    expect(answer).toMatchObject({ status, body: { status: 'FAILURE' } })
    expect(answer.body.err).toContain(err)
  })
})

describe('a reminder mail', () => {
  test('is sent once for a threshold that is crossed, also when ten transactions arrive at once', async () => {
    await addAccount('R2')
    await save(OLIVIA, 'R2', {
      recipients: [ADA],
      elastic: [
        { measure: 'percent', value: '50' },
        { measure: 'amount', value: '40' },
      ],
    })
    // 37.50 of 100 units: above both thresholds.
    for (let sent = 0; sent < 5; sent++) await use('R2')
    await check('R2')
    expect(await mails('R2')).toEqual([])

    await Promise.all(
      Array.from({ length: 10 }, async () => {
        await use('R2')
        await check('R2')
      }),
    )
    const told = await mails('R2')
    // Both thresholds are crossed in between: a mail about the second one covers the first.
    expect(told.length).toBeGreaterThanOrEqual(1)
    expect(told.length).toBeLessThanOrEqual(2)
    await Promise.all(Array.from({ length: 10 }, () => check('R2')))
    expect(await mails('R2')).toEqual(told)
    const keys = await portal.db
      .selectFrom('reminder_sent')
      .select('key')
      .where('customer_number', '=', 'R2')
      .orderBy('key')
      .execute()
    expect(keys.map(({ key }) => key)).toEqual(['elastic R2-1 amount 40', 'elastic R2-1 percent 50'])
  })

  test('is sent once for a single threshold that ten transactions cross at once', async () => {
    await addAccount('R3')
    await save(OLIVIA, 'R3', { recipients: [ADA], elastic: [{ measure: 'percent', value: '50' }] })
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        await use('R3')
        await check('R3')
      }),
    )
    expect(await mails('R3')).toHaveLength(1)
  })

  test('warns of a budget that is used up, and stops nobody', async () => {
    await addAccount('R4', 10_000)
    await save(OLIVIA, 'R4', {
      recipients: [ADA],
      budgets: [
        { by: 'project', name: 'Wing', amount: '15' },
        { by: 'user', name: 'ANNA', amount: '1000' },
      ],
    })
    await use('R4')
    await check('R4')
    expect(await mails('R4')).toEqual([])
    await use('R4')
    await use('R4')
    await check('R4')
    expect(await mails('R4')).toMatchObject([
      { body_text: expect.stringContaining('The project Wing has used 22.50 AEU this month. The budget is 15.00.') },
    ])
    // Home tells the same.
    expect(await loadBudgets(portal.db, 'R4', dayIn('UTC', portal.clock.now()))).toMatchObject({
      count: 2,
      over: [{ by: 'project', name: 'Wing', currency: 'AEU', spent: '22.5', amount: '15' }],
    })
  })

  test('goes to nobody who is no contact any more, and to nobody of an account that export compliance has closed', async () => {
    await addAccount('R5')
    await save(OLIVIA, 'R5', { recipients: [ADA], elastic: [{ measure: 'percent', value: '99' }] })
    await use('R5')
    await portal.db.deleteFrom('contact').where('customer_number', '=', 'R5').execute()
    await check('R5')
    expect(await mails('R5')).toEqual([])
    expect(await listRemindedAccounts(portal.db)).toContain('R5')
    await portal.db
      .updateTable('account')
      .set({ export_control_status: 'denied' })
      .where('customer_number', '=', 'R5')
      .execute()
    expect(await listRemindedAccounts(portal.db)).not.toContain('R5')
  })
})

describe('while access to the account is disabled', () => {
  const setDisabled = (customerNumber: string, is_access_disabled: boolean) =>
    portal.db.updateTable('account').set({ is_access_disabled }).where('customer_number', '=', customerNumber).execute()
  const runJob = async () => {
    for (const customerNumber of await listRemindedAccounts(portal.db)) await check(customerNumber)
  }

  test('nothing is mailed; what was crossed meanwhile is mailed once after it is enabled', async () => {
    await addAccount('R6')
    await save(OLIVIA, 'R6', { recipients: [ADA], elastic: [{ measure: 'percent', value: '99' }] })
    await setDisabled('R6', true)
    await use('R6')
    await runJob()
    expect(await mails('R6')).toEqual([])
    await setDisabled('R6', false)
    await runJob()
    await runJob()
    expect(await mails('R6')).toHaveLength(1)
  })

  test('its calendars are not answered, and go on after it is enabled', async () => {
    await addAccount('R7')
    const made = await (await portal.as(OLIVIA))(createCalendarFeed, { body: { customerNumber: 'R7', name: 'Team' } })
    const { url } = made.body.data as { url: string }
    const read = async () => (await portal.app.inject({ url: new URL(url).pathname })).statusCode
    expect(await read()).toBe(200)
    await setDisabled('R7', true)
    expect(await read()).toBe(404)
    await setDisabled('R7', false)
    expect(await read()).toBe(200)
  })
})

describe('a calendar', () => {
  const read = (url: string) => portal.app.inject({ url: new URL(url).pathname })

  test('has the end dates until it is revoked', async () => {
    const ada = await portal.as(ADA)
    const made = await ada(createCalendarFeed, { body: { customerNumber: '100001', name: ' Team ' } })
    const { feed, url } = made.body.data as { feed: { id: string; name: string }; url: string }
    expect(feed.name).toBe('Team')
    const answer = await read(url)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/calendar; charset=utf-8')
    expect(answer.body.match(/BEGIN:VEVENT/g)?.length).toBeGreaterThan(5)

    const { body } = await ada(listCalendarFeeds, { body: { customerNumber: '100001' } })
    expect(body.data).toMatchObject([{ id: feed.id, usedAt: portal.clock.now().toISOString() }])
    expect(JSON.stringify(body)).not.toContain('cal_')
    const kept = await portal.db.selectFrom('calendar_feed').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain(url.split('/').at(-1)?.slice(4, -4))

    for (const wrong of [url.replace('100001', '100002'), url.replace('cal_', 'cal_x'), url.replace('.ics', '')])
      expect((await read(wrong)).statusCode).toBe(404)
    expect(await ada(revokeCalendarFeed, { body: { customerNumber: '100001', id: feed.id } })).toMatchObject({
      status: 200,
    })
    expect((await read(url)).statusCode).toBe(404)
    expect(await ada(revokeCalendarFeed, { body: { customerNumber: '100001', id: feed.id } })).toMatchObject({
      status: 404,
    })
  })

  test('a calendar of an account that export compliance closes is not answered', async () => {
    const olivia = await portal.as(OLIVIA)
    const made = await olivia(createCalendarFeed, { body: { customerNumber: '100002', name: 'Team' } })
    const { url } = made.body.data as { url: string }
    expect((await read(url)).statusCode).toBe(200)
    await portal.db
      .updateTable('account')
      .set({ export_control_status: 'denied' })
      .where('customer_number', '=', '100002')
      .execute()
    expect((await read(url)).statusCode).toBe(404)
  })
})

// Runs last, because it turns the clock beyond the life of a session.
test('a reminder of an ending is mailed once for each lead time', async () => {
  await addAccount('R1')
  await portal.db
    .updateTable('entitlement')
    .set({ end_date: dayFromNow(20) })
    .where('customer_number', '=', 'R1')
    .execute()
  await save(OLIVIA, 'R1', { recipients: [ADA], leadDays: [90, 30, 7] })
  await check('R1')
  await check('R1')
  expect(await mails('R1')).toMatchObject([
    { recipients: [ADA], body_text: expect.stringContaining(`R1-1) ends on ${dayFromNow(20)}: 21 days left.`) },
  ])
  portal.clock.forward(15 * DAY)
  await check('R1')
  const [, second, ...more] = await mails('R1')
  expect(second?.body_text).toContain(': 6 days left.')
  expect(more).toEqual([])
})
