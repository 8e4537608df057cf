import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  emailMonth,
  emailWeek,
  getMailedStatement,
  mailedStatementList,
} from '#contract/elastic/statements/mailed-statements.ts'
import { VIEWER } from '#domain/access/roles.ts'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import { addMonths, startOfMonth } from '#domain/calendar/calendar-periods.ts'
import { bookUsage, type UsageRow } from '#server/modules/elastic/usage/usage-booking.queries.ts'
import { ADA, type Call, OLIVIA, VIC } from '#server/testing/activations.ts'
import { addMeteredAccount } from '#server/testing/metering.ts'
import { readPdf } from '#server/testing/pdf.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { usageRow } from '#server/testing/usage.ts'

let portal: Portal
let olivia: Call
let today: string
beforeAll(async () => {
  portal = await startPortal()
  olivia = await portal.as(OLIVIA)
  today = dayIn('UTC', portal.clock.now())
})
afterAll(() => portal.close())
// One person requests more statements here than the mail limit allows within an hour.
beforeEach(() => portal.db.deleteFrom('mail_brake').execute())

const noon = (day: string) => new Date(`${day}T12:00:00Z`)
const book = (rows: readonly UsageRow[]) => portal.db.transaction().execute((tx) => bookUsage(tx, rows))
const charge = (customerNumber: string, day: string, units: string, more: Partial<UsageRow> = {}) =>
  usageRow({
    customer_number: customerNumber,
    activation_id: `${customerNumber}-1`,
    started_at: new Date(noon(day).getTime() - 3_600_000),
    ends_at: noon(day),
    charge: units,
    ...more,
  })
const request = (customerNumber: string, date: string) => ({
  body: { customerid: customerNumber, server: `server-${customerNumber}`, activationid: `${customerNumber}-1`, date },
})
const mailsOf = (customerNumber: string) =>
  portal.db
    .selectFrom('mail')
    .innerJoin('mail_attachment', (join) =>
      join
        .onRef('mail_attachment.customer_number', '=', 'mail.customer_number')
        .onRef('mail_attachment.mail_id', '=', 'mail.id'),
    )
    .select(['mail.recipients', 'mail.subject', 'mail.body_text', 'mail_attachment.name', 'mail_attachment.content'])
    .where('mail.customer_number', '=', customerNumber)
    .orderBy('mail.queued_at')
    .execute()
const listOf = async (customerNumber: string) =>
  (await olivia(mailedStatementList.page, { body: { customerNumber } })).body.data as Record<string, string | null>[]

async function addAccount(customerNumber: string, timeZone = 'UTC'): Promise<void> {
  await addMeteredAccount(portal.db, customerNumber, {
    timeZone,
    sold: [{ id: `${customerNumber}-1`, units: 1000, from: '2020-01-01', to: '2099-12-31' }],
  })
}

describe('a statement email', () => {
  test('goes to the signed-in person, with the PDF file of the seven days before the date', async () => {
    await addAccount('MS1')
    await book([
      charge('MS1', addDays(today, -8), '10.00'),
      charge('MS1', addDays(today, -7), '20.25'),
      charge('MS1', addDays(today, -1), '5.50'),
      charge('MS1', today, '1.00'),
    ])
    expect((await olivia(emailWeek, request('MS1', noon(today).toISOString()))).body).toEqual({
      status: 'SUCCESS',
      data: null,
    })
    const [mail, ...more] = await mailsOf('MS1')
    expect(more).toEqual([])
    const [from, to] = [addDays(today, -7), addDays(today, -1)]
    expect(mail).toMatchObject({ recipients: [OLIVIA], name: `statement_MS1_MS1-1_${from}_${to}.pdf` })
    expect(mail?.subject).toContain(`Weekly Statement of MS1 (MS1), ${from} to ${to}`)
    for (const line of ['Balance Before Start: 990.00 AEU', 'Used: 25.75 AEU', 'Balance At End: 964.25 AEU'])
      expect(mail?.body_text).toContain(line)
    const { info, lines } = await readPdf(mail?.content ?? Buffer.alloc(0))
    expect(info.Title).toBe('Weekly elastic statement')
    expect(lines).toEqual([
      'Licensing Portal',
      'Weekly elastic statement',
      `Report Date ${today}`,
      'Account ID (Account Name) MS1 (MS1)',
      `Period Start Date ${from}`,
      `Period End Date ${to}`,
      'Usage by purchase order',
      'Purchase Order Activation Start Date End Date Balance Used Balance Currency',
      'ID Before At End',
      'Start',
      'MS1-1 2020-01-01 2099-12-31 990.00 25.75 964.25 AEU',
      'Fluid Flow Pro 25.75 AEU',
      'Total 990.00 25.75 964.25 AEU',
      'By purchase order, AEU',
      'All 25.75: MS1-1',
      'Usage by product',
      'Product Used Currency',
      'Fluid Flow Pro 25.75 AEU',
      'Total 25.75 AEU',
      'By product, AEU',
      'All 25.75: Fluid Flow Pro',
      `Weekly elastic statement · Account MS1 · ${from} to ${to} Page 1 of 2`,
      'Licensing Portal',
      `Run-out forecast as of ${today}: the day on which each balance is used up`,
      'Purchase Order Activation End Date Balance Currency By last 7 By last 30 By last 90',
      'ID days days days',
      expect.stringMatching(/^MS1-1 2099-12-31 963[.]25 AEU( \d{4}-\d\d-\d\d){3}$/),
      expect.stringMatching(/^Method: /),
      expect.stringMatching(/^Usage draws on /),
      `Weekly elastic statement · Account MS1 · ${from} to ${to} Page 2 of 2`,
    ])
    const audited = await portal.db
      .selectFrom('audit_log')
      .select(['email', 'target', 'after'])
      .where('action', '=', 'emailweek')
      .where('customer_number', '=', 'MS1')
      .execute()
    expect(audited).toEqual([
      { email: OLIVIA, target: mail?.name, after: { from, to, activationId: 'MS1-1', mail: expect.any(String) } },
    ])
  })

  test('states the calendar month before the date, in the zone of the account', async () => {
    await addAccount('MS2', 'Pacific/Auckland')
    const month = startOfMonth(dayIn('Pacific/Auckland', portal.clock.now()))
    // Midnight of the first day of the month in Auckland.
    const { rows } = await sql<{ start: Date }>`
      select ${month}::timestamp at time zone 'Pacific/Auckland' as start`.execute(portal.db)
    const start = rows[0]?.start ?? new Date()
    const at = (ends_at: Date) => ({ ends_at, started_at: new Date(ends_at.getTime() - 60_000) })
    await book([
      charge('MS2', today, '3.00', at(new Date(start.getTime() - 1))),
      charge('MS2', today, '4.00', at(start)),
    ])
    expect((await olivia(emailMonth, request('MS2', portal.clock.now().toISOString()))).status).toBe(200)
    const [mail] = await mailsOf('MS2')
    expect(mail?.name).toBe(`statement_MS2_MS2-1_${addMonths(month, -1)}_${addDays(month, -1)}.pdf`)
    expect(mail?.body_text).toContain('Used: 3.00 AEU')
  })

  test('mails the same file again although usage has arrived since, and the next one states that as late', async () => {
    await addAccount('MS3')
    await book([charge('MS3', addDays(today, -12), '10.00')])
    const earlier = request('MS3', noon(addDays(today, -7)).toISOString())
    await olivia(emailWeek, earlier)
    portal.clock.forward(1000)
    await book([charge('MS3', addDays(today, -10), '7.77'), charge('MS3', addDays(today, -30), '0.23')])
    await olivia(emailWeek, earlier)
    portal.clock.forward(1000)
    const [first, second] = await mailsOf('MS3')
    expect(second?.content.equals(first?.content ?? Buffer.alloc(0))).toBe(true)
    expect(await listOf('MS3')).toHaveLength(1)

    await book([charge('MS3', addDays(today, -3), '100.00')])
    await olivia(emailWeek, request('MS3', noon(today).toISOString()))
    const third = (await mailsOf('MS3'))[2]
    const { lines } = await readPdf(third?.content ?? Buffer.alloc(0))
    expect(lines).toContain('MS3-1 2020-01-01 2099-12-31 982.00 100.00 882.00 AEU')
    expect(lines).toContain('Late usage')
    expect(lines).toContain(`MS3-1 ${addDays(today, -8)} 990.00 8.00 982.00 AEU`)
    expect(third?.body_text).toContain('Late usage: 8.00 AEU')
    expect(await listOf('MS3')).toMatchObject([
      { Kind: 'weekly', PeriodStartDate: addDays(today, -7), PeriodEndDate: addDays(today, -1), ActivationId: 'MS3-1' },
      { Kind: 'weekly', PeriodStartDate: addDays(today, -14), PeriodEndDate: addDays(today, -8) },
    ])
  })

  test('follows the latest statement that ends before it: late usage brings both of its followers forward', async () => {
    await addAccount('MS11')
    const mailWeekBefore = async (daysAgo: number) => {
      await olivia(emailWeek, request('MS11', noon(addDays(today, -daysAgo)).toISOString()))
      portal.clock.forward(1000)
      return (await mailsOf('MS11')).at(-1)?.body_text
    }
    await book([charge('MS11', addDays(today, -30), '10.00')])
    await mailWeekBefore(28)
    await book([charge('MS11', addDays(today, -31), '2.00')])
    const [newer, older, newest] = [await mailWeekBefore(7), await mailWeekBefore(14), await mailWeekBefore(0)]
    for (const body of [newer, older]) {
      expect(body).toContain('Late usage: 2.00 AEU')
      expect(body).toContain('Balance Before Start: 988.00 AEU')
    }
    expect(newest).not.toContain('Late usage: 2.00')
    expect(newest).toContain('Balance Before Start: 988.00 AEU')
  })

  test('is refused when there is nothing to state, and freezes nothing then', async () => {
    await addAccount('MS4')
    const { body } = await olivia(emailMonth, request('MS4', '2019-06-15T12:00:00Z'))
    expect(body).toMatchObject({
      status: 'FAILURE',
      code: 'NO_ACTIVE_ENTITLEMENTS',
      err: 'No active entitlements for account',
    })
    expect(await mailsOf('MS4')).toEqual([])
    expect(
      await portal.db.selectFrom('mailed_record').where('customer_number', '=', 'MS4').selectAll().execute(),
    ).toEqual([])
  })

  test('is sent once for one idempotency key', async () => {
    await addAccount('MS5')
    const parts = { ...request('MS5', noon(today).toISOString()), headers: { 'idempotency-key': 'statement-once' } }
    await olivia(emailWeek, parts)
    await olivia(emailWeek, parts)
    expect(await mailsOf('MS5')).toHaveLength(1)
  })

  test('several people at once freeze one statement, which is mailed to each of them, viewers too', async () => {
    await addAccount('MS6')
    const parts = request('MS6', noon(today).toISOString())
    await portal.db.insertInto('contact').values({ customer_number: 'MS6', email: VIC, role: VIEWER }).execute()
    const people = [OLIVIA, 'sam.support@vendor.example', 'sara.sales@vendor.example', VIC]
    const callers = await Promise.all(people.map(portal.as))
    const answers = await Promise.all(callers.map((call) => call(emailWeek, parts)))
    expect(answers.map(({ body }) => body.status)).toEqual(people.map(() => 'SUCCESS'))
    expect((await mailsOf('MS6')).map(({ recipients }) => recipients).sort()).toEqual(people.map((one) => [one]).sort())
    expect(await listOf('MS6')).toHaveLength(1)
  })
})

describe.each([emailWeek, emailMonth])('the operation $name', (operation) => {
  test('answers 200, 400, 401, 403 and 404', async () => {
    const account = `MX${operation.name}`
    await addAccount(account)
    const [nobody, ella] = [await portal.as(null), await portal.as('ella.export@restricted.example')]
    const parts = request(account, noon(addDays(today, -1)).toISOString())
    const changed = (change: object) => ({ body: { ...parts.body, ...change } })
    expect((await olivia(operation, parts)).status).toBe(200)
    expect((await olivia(operation, changed({ customername: 'Anything' }))).status).toBe(200)
    expect((await olivia(operation, changed({ bogus: 1 }))).status).toBe(400)
    expect((await olivia(operation, changed({ date: 'yesterday' }))).status).toBe(400)
    expect((await olivia(operation, changed({ date: noon(addDays(today, 2)).toISOString() }))).status).toBe(400)
    expect((await nobody(operation, parts)).status).toBe(401)
    expect((await ella(operation, changed({ customerid: '100004' }))).status).toBe(403)
    expect((await ella(operation, parts)).status).toBe(404)
    expect((await olivia(operation, changed({ server: 'none' }))).status).toBe(404)
    expect((await olivia(operation, changed({ activationid: 'none' }))).status).toBe(404)
    // Only the field of the specification names the account.
    expect((await ella(operation, { body: { ...parts.body, customerNumber: '100004' } })).status).toBe(404)
  })
})

describe('mailed statements', () => {
  test('never change in the database', async () => {
    await addAccount('MS7')
    await olivia(emailWeek, request('MS7', noon(today).toISOString()))
    for (const table of ['mailed_statement', 'mailed_record'])
      for (const act of [
        sql`delete from ${sql.table(table)}`,
        sql`update ${sql.table(table)} set period_to = period_to`,
      ])
        await expect(act.execute(portal.db)).rejects.toThrow('append-only')
  })

  test('can be downloaded as they were mailed, which is audited', async () => {
    await addAccount('MS8')
    await olivia(emailWeek, request('MS8', noon(today).toISOString()))
    const [mail] = await mailsOf('MS8')
    const [listed] = await listOf('MS8')
    const sam = await portal.as('sam.support@vendor.example')
    const answer = await sam(getMailedStatement, { body: { customerNumber: 'MS8', id: listed?.Id } })
    expect(answer.headers).toMatchObject({ 'content-type': 'application/pdf' })
    expect(mail?.content.equals(answer.body.bytes as Buffer)).toBe(true)
    const audited = await portal.db
      .selectFrom('audit_log')
      .select(['email', 'target'])
      .where('action', '=', 'statements/mailed/file')
      .where('customer_number', '=', 'MS8')
      .execute()
    expect(audited).toEqual([{ email: 'sam.support@vendor.example', target: mail?.name }])
  })

  test.each([mailedStatementList.page, mailedStatementList.count, getMailedStatement])(
    '$name answers 200, 400, 401, 403 and 404',
    async (operation) => {
      const account = `ML${operation.name.replaceAll('/', '')}`.slice(0, 20)
      await addAccount(account)
      await olivia(emailWeek, request(account, noon(today).toISOString()))
      const [listed] = await listOf(account)
      const more = operation === getMailedStatement ? { id: listed?.Id } : {}
      const [nobody, ada, ella] = await Promise.all([null, ADA, 'ella.export@restricted.example'].map(portal.as))
      const of = (customerNumber: string) => ({ body: { customerNumber, ...more } })
      expect((await olivia(operation, of(account))).status).toBe(200)
      expect((await olivia(operation, { body: { ...of(account).body, bogus: 1 } })).status).toBe(400)
      expect((await nobody?.(operation, of(account)))?.status).toBe(401)
      expect((await ella?.(operation, of('100004')))?.status).toBe(403)
      expect((await ada?.(operation, of(account)))?.status).toBe(404)
    },
  )

  test('a statement of another account cannot be downloaded by its id', async () => {
    await addAccount('MS9')
    await olivia(emailWeek, request('MS9', noon(today).toISOString()))
    const [listed] = await listOf('MS9')
    const ada = await portal.as(ADA)
    expect((await ada(getMailedStatement, { body: { customerNumber: '100001', id: listed?.Id } })).status).toBe(404)
  })
})

test('the figures of a mailed statement are those of the screen, corrections among them', async () => {
  await addAccount('MS10')
  await book([charge('MS10', addDays(today, -2), '1234.56')])
  const { transaction_number: corrects } = await portal.db
    .selectFrom('usage_transaction')
    .select('transaction_number')
    .where('customer_number', '=', 'MS10')
    .executeTakeFirstOrThrow()
  await book([charge('MS10', addDays(today, -1), '-34.56', { corrects })])
  await olivia(emailWeek, request('MS10', noon(today).toISOString()))
  const [mail] = await mailsOf('MS10')
  const { lines } = await readPdf(mail?.content ?? Buffer.alloc(0))
  expect(lines).toContain('MS10-1 2020-01-01 2099-12-31 1,000.00 1,200.00 -200.00 AEU')
  expect(lines).toContain('Used is net of corrections: -34.56 AEU (1 transaction).')
})
