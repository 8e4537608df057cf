import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emailList } from '#contract/messages/email-list.ts'
import { deleteEmail, getEmail, getEmailAttachment, getEmailBody, resendEmail } from '#contract/messages/emails.ts'
import { resendMessage } from '#contract/outbox/failed-messages.ts'
import { ACCESS_DISABLED, NOT_DIRECT_OR_CHANNEL } from '#domain/access/can.ts'
import { demoEmailId } from '#server/demo/parts/emails.demo.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const customerNumber = '100001'
const ADA = 'ada.admin@aerodyne.example'
const VIC = 'vic.viewer@aerodyne.example'
const OLIVIA = 'olivia.ops@vendor.example'
const [PICTURE, HOSTILE, PLAIN, FAILED] = [1, 2, 3, 4].map((n) => demoEmailId(customerNumber, n))
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

type Row = Record<string, unknown>
const rowsOf = (answer: { body: Row }) => answer.body.data as Row[]
const subjectIs = (method: string, value: string) => ({
  condition: 'ALL',
  criteria: [{ name: 'subject', method, value }],
})

describe('the list of emails', () => {
  test('pages through emails, newest first, and counts as many', async () => {
    const call = await portal.as(ADA)
    const first = await call(emailList.page, { body: { customerNumber, limit: 200 } })
    expect(first.status).toBe(200)
    expect(rowsOf(first)[0]).toEqual({
      id: PICTURE,
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      subject: 'Your license file, with a picture',
      to: ADA,
      customerNumber,
      customerName: 'Aerodyne Motors',
      delivery: 'sent',
      attachments: 1,
    })
    const second = await call(emailList.page, { body: { customerNumber, limit: 200, token: first.body.token } })
    const dates = [...rowsOf(first), ...rowsOf(second)].map((row) => String(row.date))
    expect(dates).toEqual(dates.toSorted().toReversed())
    const count = await call(emailList.count, { body: { customerNumber } })
    expect(count.body).toEqual({ status: 'SUCCESS', data: dates.length })
    expect(dates.length).toBe(300)
  })

  test('filters, sorts, and lists distinct values', async () => {
    const call = await portal.as(VIC)
    const filter = subjectIs('CONTAINS', 'STATEMENT THAT')
    const found = await call(emailList.page, { body: { customerNumber, filter, attributes: ['id', 'delivery'] } })
    expect(rowsOf(found)).toEqual([{ id: FAILED, delivery: 'failed' }])
    const sorting = [{ name: 'subject', direction: 'asc' }]
    const sorted = await call(emailList.page, { body: { customerNumber, sorting, limit: 2 } })
    const subjects = rowsOf(sorted).map((row) => String(row.subject))
    expect(subjects).toEqual(subjects.toSorted())
    const states = await call(emailList.distinct, { body: { customerNumber, key: 'delivery' } })
    expect(states.body.data).toEqual(['failed', 'sent'])
    const one = await call(emailList.distinct, { body: { customerNumber, filter } })
    expect(one.body.data).toEqual(['Statement that could not be delivered'])
  })

  test('leaves out other accounts, and names an unknown field', async () => {
    const call = await portal.as(ADA)
    const other = await call(emailList.page, { body: { customerNumber: '100002', limit: 1000 } })
    expect(new Set(rowsOf(other).map((row) => row.customerNumber))).toEqual(new Set(['100002']))
    const bogus = { condition: 'ALL', criteria: [{ name: 'body', method: 'CONTAINS', value: 'x' }] }
    for (const operation of [emailList.page, emailList.count, emailList.distinct])
      expect((await call(operation, { body: { customerNumber, filter: bogus } })).body).toEqual({
        status: 'FAILURE',
        code: 'INVALID_REQUEST',
        err: "filter.criteria[0]: unknown field 'body'",
      })
  })
})

describe('access to emails', () => {
  const all = [
    [emailList.page, (number: string) => ({ body: { customerNumber: number } })],
    [emailList.count, (number: string) => ({ body: { customerNumber: number } })],
    [emailList.distinct, (number: string) => ({ body: { customerNumber: number } })],
    [getEmail, (number: string) => ({ body: { customerNumber: number, id: demoEmailId(number, 1) } })],
    [getEmailBody, (number: string) => ({ params: { id: demoEmailId(number, 1) }, query: { customerNumber: number } })],
    [
      getEmailAttachment,
      (number: string) => ({
        params: { id: demoEmailId(number, 1), position: '1' },
        query: { customerNumber: number },
      }),
    ],
    [resendEmail, (number: string) => ({ params: { id: demoEmailId(number, 1) }, body: { customerNumber: number } })],
    [deleteEmail, (number: string) => ({ params: { id: demoEmailId(number, 1) }, query: { customerNumber: number } })],
  ] as const

  test.each(all)('$name answers 401, 404 and 403 to callers without access', async (operation, parts) => {
    const nobody = await portal.as(null)
    expect((await nobody(operation, parts(customerNumber))).status).toBe(401)
    const ada = await portal.as(ADA)
    expect((await ada(operation, parts('100003'))).status).toBe(404)
    const hal = await portal.as('hal.heritage@heritage.example')
    expect(await hal(operation, parts('100008'))).toMatchObject({
      status: 403,
      body: { status: 'FAILURE', err: ACCESS_DISABLED },
    })
    const olivia = await portal.as(OLIVIA)
    expect(await olivia(operation, parts('100006'))).toMatchObject({
      status: 403,
      body: { status: 'FAILURE', err: NOT_DIRECT_OR_CHANNEL },
    })
  })
})

describe('a single email', () => {
  test('is answered with everything that the detail page shows', async () => {
    const call = await portal.as(VIC)
    const { status, body } = await call(getEmail, { body: { customerNumber, id: PICTURE } })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      id: PICTURE,
      to: ADA,
      cc: 'license.support@aerodyne.example',
      customerName: 'Aerodyne Motors',
      body: expect.stringContaining('<b>license file</b>'),
      bodyUrl: `/api/emails/${PICTURE}/body?customerNumber=${customerNumber}`,
      attachments: [
        {
          name: 'license_100001_00163e5a7b01.lic',
          mediaType: 'text/plain',
          size: 53,
          url: `/api/emails/${PICTURE}/attachments/1?customerNumber=${customerNumber}`,
        },
      ],
    })
  })

  test.each([OLIVIA, 'sam.support@vendor.example', 'sara.sales@vendor.example', 'adam.admin@vendor.example'])(
    'that failed shows %s the answer of the mail server',
    async (email) => {
      const call = await portal.as(email)
      const { body } = await call(getEmail, { body: { customerNumber, id: FAILED } })
      expect(body.data).toMatchObject({ delivery: 'failed', trouble: expect.stringContaining('550 5.1.1') })
    },
  )

  test.each([ADA, VIC, 'cora.coordinator@aerodyne.example'])(
    'that failed shows %s no answer of the mail server',
    async (email) => {
      const call = await portal.as(email)
      const { body } = await call(getEmail, { body: { customerNumber, id: FAILED } })
      expect(body.data).toMatchObject({ delivery: 'failed', trouble: 'This email could not be delivered yet.' })
      expect(JSON.stringify(body)).not.toMatch(/550|mailbox/)
      const { body: sent } = await call(getEmail, { body: { customerNumber, id: PICTURE } })
      expect(sent.data).toMatchObject({ delivery: 'sent', trouble: '' })
    },
  )

  test.each([
    ['unknown', UNKNOWN, 404],
    ['of another account', demoEmailId('100002', 1), 404],
    ['misspelled', 'x', 400],
  ])('an email that is %s gets $2', async (_, id, status) => {
    const call = await portal.as(ADA)
    expect((await call(getEmail, { body: { customerNumber, id } })).status).toBe(status)
    expect((await call(getEmailBody, { params: { id }, query: { customerNumber } })).status).toBe(status)
    const attachment = { params: { id, position: '1' }, query: { customerNumber } }
    expect((await call(getEmailAttachment, attachment)).status).toBe(status)
    expect((await call(deleteEmail, { params: { id }, query: { customerNumber } })).status).toBe(status)
  })
})

describe('the body at its own address', () => {
  const loadBody = async (id = '') => {
    const call = await portal.as(ADA)
    return call(getEmailBody, { params: { id }, query: { customerNumber } })
  }

  test('runs no script and loads nothing', async () => {
    const { headers, body } = await loadBody(HOSTILE)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toBe(
      "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'",
    )
    expect(headers['x-frame-options']).toBe('SAMEORIGIN')
    const text = String(body.text)
    expect(text).toContain('You have won')
    expect(text).toContain('<title>A mail that means no good &lt;script&gt;alert(1)&lt;/script&gt;</title>')
    expect(text).not.toMatch(/<(?:script|svg|form|iframe|link|style|img)|\son\w+=|url\(|http-equiv/i)
  })

  test('shows pictures that are embedded in the email', async () => {
    expect(String((await loadBody(PICTURE)).body.text)).toContain('<img src="data:image/png;base64,')
  })

  test('shows plain text as text, not as HTML', async () => {
    expect(String((await loadBody(PLAIN)).body.text)).toContain('&lt;b&gt;this is not bold&lt;/b&gt;')
  })
})

test('an attachment is downloaded as a file, never shown inline', async () => {
  const call = await portal.as(VIC)
  const { headers, body } = await call(getEmailAttachment, {
    params: { id: PICTURE ?? '', position: '1' },
    query: { customerNumber },
  })
  expect(headers['content-disposition']).toBe('attachment; filename=license_100001_00163e5a7b01.lic')
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(body.text).toBe('SERVER aero-lic-01 00163e5a7b01 1055\nVENDOR ansyslmd\n')
  const missing = await call(getEmailAttachment, {
    params: { id: PICTURE ?? '', position: '2' },
    query: { customerNumber },
  })
  expect(missing.status).toBe(404)
})

describe('deleting an email', () => {
  const id = demoEmailId(customerNumber, 20)
  const parts = { params: { id }, query: { customerNumber } }

  test('needs the right to write', async () => {
    const vic = await portal.as(VIC)
    expect((await vic(deleteEmail, parts)).status).toBe(403)
    const sam = await portal.as('sam.support@vendor.example')
    expect((await sam(deleteEmail, parts)).status).toBe(403)
  })

  test('goes by the account of the email where the call names none', async () => {
    const own = { params: { id: demoEmailId(customerNumber, 21) } }
    const ada = await portal.as(ADA)
    expect((await (await portal.as(VIC))(deleteEmail, own)).status).toBe(403)
    expect((await ada(deleteEmail, own)).body).toEqual({ status: 'SUCCESS', data: null })
    expect((await ada(deleteEmail, own)).status).toBe(200)
    const traces = await portal.db
      .selectFrom('audit_log')
      .select(['email', 'customer_number', 'outcome'])
      .where('action', '=', 'emails/delete')
      .where('target', '=', own.params.id)
      .orderBy('id')
      .execute()
    expect(traces).toEqual([
      { email: VIC, customer_number: customerNumber, outcome: 'refused' },
      { email: ADA, customer_number: customerNumber, outcome: 'done' },
    ])
    const unseen = await ada(deleteEmail, { params: { id: demoEmailId('100003', 1) } })
    const unknown = await ada(deleteEmail, { params: { id: UNKNOWN } })
    expect([unseen.status, unknown.status]).toEqual([404, 404])
    expect(unseen.body).toEqual(unknown.body)
  })

  test('removes the email from the history, is audited, and does nothing the second time', async () => {
    const call = await portal.as(ADA)
    expect((await call(deleteEmail, parts)).body).toEqual({ status: 'SUCCESS', data: null })
    expect((await call(getEmail, { body: { customerNumber, id } })).status).toBe(404)
    expect((await call(getEmailBody, parts)).status).toBe(404)
    const filter = { condition: 'ALL', criteria: [{ name: 'id', method: 'EQUALS', value: id }] }
    expect((await call(emailList.count, { body: { customerNumber, filter } })).body.data).toBe(0)
    expect((await call(deleteEmail, parts)).status).toBe(200)
    const trace = await portal.db
      .selectFrom('audit_log')
      .select(['email', 'customer_number', 'outcome', 'before'])
      .where('action', '=', 'emails/delete')
      .where('target', '=', id)
      .execute()
    expect(trace).toEqual([
      {
        email: ADA,
        customer_number: customerNumber,
        outcome: 'done',
        before: { subject: expect.any(String), to: expect.any(Array) },
      },
    ])
  })
})

describe('sending an email again', () => {
  const id = FAILED ?? ''
  const parts = { params: { id }, body: { customerNumber } }
  const stored = () =>
    portal.db
      .selectFrom('mail as m')
      .leftJoin('outbox_message as o', (join) => join.on('o.id', '=', id))
      .select(['m.state', 'm.attempts', 'm.trouble', 'o.next_attempt_at', 'o.resent_at', 'm.queued_at'])
      .where('m.id', '=', id)
      .executeTakeFirstOrThrow()
  const entries = () =>
    portal.db
      .selectFrom('audit_log')
      .select(['email', 'customer_number', 'outcome', 'before'])
      .where('action', '=', 'emails/resend')
      .where('target', '=', id)
      .orderBy('id')
      .execute()

  test.each([
    ADA,
    VIC,
    'cora.coordinator@aerodyne.example',
    'sam.support@vendor.example',
    'sara.sales@vendor.example',
    'adam.admin@vendor.example',
  ])('is refused for %s with 403', async (email) => {
    const call = await portal.as(email)
    expect(await call(resendEmail, parts)).toMatchObject({ status: 403, body: { code: 'NOT_ALLOWED' } })
    expect((await stored()).state).toBe('failed')
  })

  test.each([
    ['unknown', UNKNOWN, 404],
    ['of another account', demoEmailId('100002', 1), 404],
    ['misspelled', 'x', 400],
  ])('an email that is %s gets $2', async (_, other, status) => {
    const olivia = await portal.as(OLIVIA)
    expect((await olivia(resendEmail, { ...parts, params: { id: other } })).status).toBe(status)
    expect((await olivia(resendEmail, { ...parts, body: {} })).status).toBe(400)
  })

  test('is refused unless the email has failed', async () => {
    const olivia = await portal.as(OLIVIA)
    expect(await olivia(resendEmail, { ...parts, params: { id: PICTURE ?? '' } })).toMatchObject({
      status: 200,
      body: {
        status: 'FAILURE',
        code: 'EMAIL_NOT_FAILED',
        err: 'Only an email that could not be delivered can be sent again.',
      },
    })
  })

  test('queues the email once with a fresh retry budget, and is audited', async () => {
    const olivia = await portal.as(OLIVIA)
    const before = await stored()
    portal.clock.forward(1000)
    const call = { ...parts, headers: { 'idempotency-key': 'resend-once' } }
    const answers = await Promise.all([1, 2, 3].map(() => olivia(resendEmail, call)))
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(body).toMatchObject({ status: 'SUCCESS', data: { id, delivery: 'queued', trouble: '' } })
    }
    expect(await stored()).toEqual({
      state: 'queued',
      attempts: 0,
      trouble: '',
      next_attempt_at: portal.clock.now(),
      resent_at: portal.clock.now(),
      queued_at: before.queued_at,
    })
    expect(await entries()).toEqual([
      {
        email: OLIVIA,
        customer_number: customerNumber,
        outcome: 'done',
        before: {
          subject: expect.any(String),
          to: expect.any(Array),
          attempts: before.attempts,
          trouble: before.trouble,
        },
      },
    ])
    expect((await olivia(resendEmail, parts)).body).toMatchObject({ code: 'EMAIL_NOT_FAILED' })
    expect((await entries()).map(({ outcome }) => outcome)).toEqual(['done', 'refused'])
  })

  test('is refused once the email is deleted', async () => {
    const olivia = await portal.as(OLIVIA)
    await portal.db.updateTable('mail').set({ state: 'failed' }).where('id', '=', id).execute()
    const failed = { state: 'failed', next_attempt_at: null } as const
    await portal.db.updateTable('outbox_message').set(failed).where('id', '=', id).execute()
    await olivia(deleteEmail, { params: { id }, query: { customerNumber } })
    expect((await olivia(resendEmail, parts)).status).toBe(404)
    expect((await olivia(resendMessage, { params: { id } })).status).toBe(404)
  })
})
