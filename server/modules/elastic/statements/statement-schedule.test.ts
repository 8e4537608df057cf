import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getStatementSchedule, saveStatementSchedule } from '#contract/elastic/statements/mailed-statements.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { ADMINISTRATOR, VIEWER } from '#domain/access/roles.ts'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import { startOfWeek } from '#domain/calendar/calendar-periods.ts'
import { lastPeriod } from '#domain/elastic/statements/statement-schedule.ts'
import { mailDueStatements } from '#server/modules/elastic/statements/mail-due-statements.ts'
import { bookUsage } from '#server/modules/elastic/usage/usage-booking.queries.ts'
import { ensureUsagePartitions } from '#server/modules/elastic/usage/usage-partitions.queries.ts'
import { ADA, OLIVIA, VIC } from '#server/testing/activations.ts'
import { addMeteredAccount } from '#server/testing/metering.ts'
import { pdfParts } from '#server/testing/pdf.ts'
import { type CallParts, callOperation, type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { usageRow } from '#server/testing/usage.ts'

const DAY = 86_400_000
const pdf = pdfParts()
let portal: Portal
let accounts = 0
let account: string
const [ANNA, BEN] = ['anna@schedule.example', 'ben@schedule.example']

beforeAll(async () => {
  portal = await startPortal({}, { background: [] })
})
afterAll(async () => {
  await pdf.close()
  await portal.close()
})
// Schedules of earlier tests would be due as well.
afterEach(() => portal.db.deleteFrom('statement_schedule').execute())
beforeEach(async () => {
  account = `SS${++accounts}`
  await addAccount()
})

async function addAccount(values: Parameters<typeof addMeteredAccount>[2] = {}): Promise<void> {
  await addMeteredAccount(portal.db, account, values)
  await portal.db
    .insertInto('contact')
    .values([
      { customer_number: account, email: ANNA, role: ADMINISTRATOR },
      { customer_number: account, email: BEN, role: VIEWER },
    ])
    .execute()
}

const OFF = { weekly: false, monthly: false, recipients: [] }
/** These tests turn the clock by weeks, and sessions end in the meantime. */
async function olivia(operation: Operation, parts: CallParts) {
  return callOperation(portal.app, operation, await signIn(portal.app, OLIVIA), parts)
}
const save = (schedule: object, revision?: number) =>
  olivia(saveStatementSchedule, {
    body: {
      customerNumber: account,
      schedule: { ...OFF, ...schedule },
      ...(revision === undefined ? {} : { revision }),
    },
  })
const load = async () => (await olivia(getStatementSchedule, { body: { customerNumber: account } })).body.data
const run = () => mailDueStatements({ ...portal, ...pdf })
const mails = () =>
  portal.db
    .selectFrom('mail')
    .select(['recipients', 'subject'])
    .where('customer_number', '=', account)
    .orderBy('queued_at')
    .execute()
const today = (timeZone = 'UTC') => dayIn(timeZone, portal.clock.now())

/** Turns the clock to an hour of the next Monday, or of the next first of a month. */
function turnTo(kind: 'Monday' | 'first', hour: number): void {
  let day = addDays(today(), 1)
  while (kind === 'Monday' ? startOfWeek(day) !== day : !day.endsWith('-01')) day = addDays(day, 1)
  const at = new Date(`${day}T${String(hour).padStart(2, '0')}:00:00Z`)
  portal.clock.forward(at.getTime() - portal.clock.now().getTime())
}

describe('a schedule', () => {
  test('is off at first, and is saved for contacts of the account', async () => {
    expect(await load()).toEqual({ ...OFF, revision: 0 })
    const wanted = { weekly: true, monthly: false, recipients: [ANNA, BEN] }
    expect((await save({ ...wanted, recipients: [' BEN@schedule.example', ANNA, ANNA] }, 0)).body).toEqual({
      status: 'SUCCESS',
      data: { ...wanted, revision: 1 },
    })
    expect(await load()).toEqual({ ...wanted, revision: 1 })
    const audited = await portal.db
      .selectFrom('audit_log')
      .select(['email', 'before', 'after'])
      .where('action', '=', 'statements/schedule/save')
      .where('customer_number', '=', account)
      .execute()
    expect(audited).toEqual([{ email: OLIVIA, before: OFF, after: wanted }])
  })

  test('is refused without a recipient, and for somebody who is no contact', async () => {
    expect(await save({ weekly: true })).toMatchObject({ status: 400, body: { err: 'Choose at least one recipient.' } })
    expect(await save({ weekly: true, recipients: ['x@y.example'] })).toMatchObject({
      status: 400,
      body: { err: 'x@y.example is not a contact of this account.' },
    })
    expect(await load()).toEqual({ ...OFF, revision: 0 })
  })

  test('that somebody else has changed meanwhile is a conflict with both versions', async () => {
    const current = { weekly: false, monthly: true, recipients: [ANNA] }
    await save(current, 0)
    const yours = { weekly: true, monthly: false, recipients: [BEN] }
    expect(await save(yours, 0)).toMatchObject({
      status: 409,
      body: { code: 'STALE', data: { current: { ...current, revision: 1 }, yours } },
    })
    expect((await save(yours, 1)).status).toBe(200)
  })

  test('is readable for viewers', async () => {
    const [vic, ada, nobody] = await Promise.all([VIC, ADA, null].map(portal.as))
    const ella = await portal.as('ella.export@restricted.example')
    const hal = await portal.as('hal.heritage@heritage.example')
    const of = (customerNumber: string) => ({ body: { customerNumber } })
    const change = (customerNumber: string) => ({ body: { customerNumber, schedule: OFF } })
    for (const [operation, parts, viewer] of [
      [getStatementSchedule, of, 200],
      [saveStatementSchedule, change, 403],
    ] as const) {
      expect((await ada?.(operation, parts('100001')))?.status).toBe(200)
      expect((await vic?.(operation, parts('100001')))?.status).toBe(viewer)
      expect((await ada?.(operation, { body: { ...parts('100001').body, bogus: 1 } }))?.status).toBe(400)
      expect((await nobody?.(operation, parts('100001')))?.status).toBe(401)
      expect((await ella(operation, parts('100004'))).status).toBe(403)
      expect((await hal(operation, parts('100008'))).status).toBe(403)
      expect((await ella(operation, parts('100001'))).status).toBe(404)
    }
  })
})

describe('a scheduled statement', () => {
  test('is mailed on Monday from 6 on, once, to those who are still contacts', async () => {
    await save({ weekly: true, recipients: [ANNA, BEN] })
    await run()
    expect(await mails()).toEqual([])
    turnTo('Monday', 5)
    await run()
    expect(await mails()).toEqual([])
    await portal.db.deleteFrom('contact').where('customer_number', '=', account).where('email', '=', BEN).execute()
    portal.clock.forward(3_600_000)
    await run()
    await run()
    const { from, to } = lastPeriod('weekly', today())
    expect(await mails()).toEqual([
      {
        recipients: [ANNA],
        subject: expect.stringContaining(`Weekly Statement of ${account} (${account}), ${from} to ${to}`),
      },
    ])
    expect(from).toBe(addDays(today(), -7))
    portal.clock.forward(2 * DAY)
    await run()
    expect(await mails()).toHaveLength(1)
    turnTo('Monday', 6)
    await run()
    expect(await mails()).toHaveLength(2)
  })

  test('is mailed on the first of a month for the month before', async () => {
    await save({ monthly: true, recipients: [ANNA] })
    turnTo('first', 6)
    await run()
    const { from, to } = lastPeriod('monthly', today())
    expect((await mails()).map(({ subject }) => subject)).toEqual([
      expect.stringContaining(`Monthly Statement of ${account} (${account}), ${from} to ${to}`),
    ])
  })

  test('follows the clock of the account', async () => {
    account = `${account}Z`
    await addAccount({ timeZone: 'America/Los_Angeles' })
    await save({ weekly: true, recipients: [ANNA] })
    turnTo('Monday', 12)
    await run()
    expect(await mails()).toEqual([])
    portal.clock.forward(3 * 3_600_000)
    await run()
    expect(await mails()).toHaveLength(1)
  })

  test('is mailed exactly once by two servers', async () => {
    await save({ weekly: true, monthly: true, recipients: [ANNA] })
    turnTo('first', 12)
    turnTo('Monday', 12)
    await Promise.all([run(), run(), run()])
    expect(await mails()).toHaveLength(2)
    const kept = await portal.db
      .selectFrom('mailed_statement')
      .select(['kind', 'activation_id', 'mailed_by'])
      .where('customer_number', '=', account)
      .orderBy('kind')
      .execute()
    expect(kept).toEqual([
      { kind: 'monthly', activation_id: '', mailed_by: 'schedule' },
      { kind: 'weekly', activation_id: '', mailed_by: 'schedule' },
    ])
    const logged = await portal.db
      .selectFrom('audit_log')
      .select(['action', 'address', 'outcome'])
      .where('customer_number', '=', account)
      .where('action', 'in', ['emailmonth', 'emailweek'])
      .orderBy('action')
      .execute()
    expect(logged).toEqual([
      { action: 'emailmonth', address: 'schedule', outcome: 'done' },
      { action: 'emailweek', address: 'schedule', outcome: 'done' },
    ])
  })

  test.each<[name: string, closed: object, open: object]>([
    [
      'export compliance denies the account',
      { export_control_status: 'Pending' },
      { export_control_status: 'Approved' },
    ],
    ['access to the account is disabled', { is_access_disabled: true }, { is_access_disabled: false }],
  ])('waits while %s', async (_name, closed, open) => {
    const set = (values: object) =>
      portal.db.updateTable('account').set(values).where('customer_number', '=', account).execute()
    await save({ weekly: true, recipients: [ANNA] })
    await set(closed)
    turnTo('Monday', 12)
    await run()
    expect(await mails()).toEqual([])
    await set(open)
    await run()
    expect(await mails()).toHaveLength(1)
  })

  test('is not mailed without anything to state or without recipients', async () => {
    await save({ weekly: true, recipients: [ANNA] })
    await portal.db
      .updateTable('entitlement')
      .set({ start_date: '2020-01-01', end_date: '2020-12-31' })
      .where('customer_number', '=', account)
      .execute()
    turnTo('Monday', 12)
    await run()
    expect(await mails()).toEqual([])
    await portal.db
      .updateTable('entitlement')
      .set({ end_date: '2099-12-31' })
      .where('customer_number', '=', account)
      .execute()
    await portal.db.deleteFrom('contact').where('customer_number', '=', account).execute()
    turnTo('Monday', 12)
    await run()
    expect(await mails()).toEqual([])
    const frozen = await portal.db
      .selectFrom('mailed_record')
      .where('customer_number', '=', account)
      .selectAll()
      .execute()
    expect(frozen).toEqual([])
  })

  test('is mailed to the others although one account fails, which is tried again', async () => {
    const failing = account
    await save({ weekly: true, recipients: [ANNA] })
    account = `${account}B`
    await addAccount()
    await save({ weekly: true, recipients: [ANNA] })
    turnTo('Monday', 12)
    const makePdf: typeof pdf.makePdf = (description) =>
      JSON.stringify(description).includes(`${failing} (`)
        ? Promise.reject(new Error('no PDF'))
        : pdf.makePdf(description)
    await expect(mailDueStatements({ ...portal, ...pdf, makePdf })).rejects.toThrow(
      'scheduled statements could not be mailed',
    )
    expect(await mails()).toHaveLength(1)
    account = failing
    expect(await mails()).toEqual([])
    await run()
    expect(await mails()).toHaveLength(1)
  })

  test('ends when it is switched off, and starts with the current period when it is switched on again', async () => {
    await save({ weekly: true, recipients: [ANNA] })
    await save({ weekly: false, recipients: [ANNA] })
    turnTo('Monday', 12)
    await run()
    await save({ weekly: true, recipients: [ANNA] })
    await run()
    expect(await mails()).toEqual([])
    turnTo('Monday', 12)
    await run()
    expect(await mails()).toHaveLength(1)
  })

  test('states late usage of an entitlement that has ended', async () => {
    await save({ weekly: true, recipients: [ANNA] })
    turnTo('Monday', 12)
    await run()
    const endedAt = new Date(portal.clock.now().getTime() - 3 * DAY)
    const row = usageRow({
      customer_number: account,
      activation_id: `${account}-1`,
      started_at: new Date(endedAt.getTime() - 3_600_000),
      ends_at: endedAt,
      charge: '12.34',
    })
    await ensureUsagePartitions(portal.db, { from: endedAt, to: endedAt })
    await portal.db.transaction().execute((tx) => bookUsage(tx, [row]))
    await portal.db
      .updateTable('entitlement')
      .set({ end_date: addDays(today(), -1) })
      .where('customer_number', '=', account)
      .execute()
    turnTo('Monday', 12)
    await run()
    const bodies = await portal.db
      .selectFrom('mail')
      .select('body_text')
      .where('customer_number', '=', account)
      .orderBy('queued_at')
      .execute()
    expect(bodies[1]?.body_text).toContain('Late usage: 12.34 AEU')
    expect(bodies[1]?.body_text).toContain('Used: 0.00 AEU')
  })
})
