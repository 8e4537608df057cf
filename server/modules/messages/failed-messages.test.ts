import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getEmail } from '#contract/messages/emails.ts'
import { failedMessageList, resendMessage } from '#contract/outbox/failed-messages.ts'
import { EXPORT_DENIED, NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { demoEmailId } from '#server/demo/parts/emails.demo.ts'
import { paragraph, queueMail } from '#server/modules/messages/messages.public.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const ADAM = 'adam.admin@vendor.example'
const OLIVIA = 'olivia.ops@vendor.example'
const customerNumber = '100001'
const FAILED = demoEmailId(customerNumber, 4)

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

/** A mail that was queued and given up. */
async function failedMail(account?: string): Promise<string> {
  const id = await portal.db.transaction().execute((tx) =>
    queueMail(
      tx,
      portal,
      {
        ...(account ? { customerNumber: account } : {}),
        to: ['ada@aerodyne.example'],
        subject: 'Hello',
        content: { title: 'Hello', blocks: [paragraph('World')] },
      },
      'no limit',
    ),
  )
  const failed = { state: 'failed', attempts: 7, trouble: '550 no such mailbox' } as const
  await portal.db
    .updateTable('outbox_message')
    .set({ ...failed, next_attempt_at: null })
    .where('id', '=', id)
    .execute()
  await portal.db.updateTable('mail').set(failed).where('id', '=', id).execute()
  return id
}

const message = (id: string) =>
  portal.db.selectFrom('outbox_message').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const resend = async (email: string, id: string) => (await portal.as(email))(resendMessage, { params: { id } })
const lastEntry = () =>
  portal.db
    .selectFrom('audit_log')
    .select(['action', 'email', 'customer_number', 'target', 'outcome', 'before', 'reason'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()

test('staff see failed messages of all lanes, with the account if there is one', async () => {
  const id = await failedMail()
  const olivia = await portal.as(OLIVIA)
  const { body } = await olivia(failedMessageList.page, { body: {} })
  const rows = body.data as { id: string }[]
  expect(rows.find((row) => row.id === id)).toEqual({
    id,
    lane: 'mail',
    queuedAt: portal.clock.now().toISOString(),
    resentAt: null,
    attempts: 7,
    trouble: '550 no such mailbox',
    customerNumber: null,
  })
  expect(rows.find((row) => row.id === FAILED)).toMatchObject({ customerNumber })
  expect((await olivia(failedMessageList.count, { body: {} })).body.data).toBe(rows.length)
})

describe('sending a message again', () => {
  test('queues it once with a fresh retry budget, and the audit log says by whom', async () => {
    const id = await failedMail()
    portal.clock.forward(1000)
    expect((await resend(ADAM, id)).body).toEqual({ status: 'SUCCESS', data: null })
    const now = portal.clock.now()
    expect(await message(id)).toMatchObject({ state: 'queued', attempts: 0, next_attempt_at: now, resent_at: now })
    expect(await lastEntry()).toMatchObject({
      action: 'outbox/resend',
      email: ADAM,
      target: id,
      outcome: 'done',
      before: { lane: 'mail', attempts: 7, trouble: '550 no such mailbox' },
    })
    expect(await resend(ADAM, id)).toMatchObject({ status: 200, body: { code: 'MESSAGE_NOT_FAILED' } })
  })

  test('shows it as queued in the history of its account', async () => {
    expect((await resend(OLIVIA, FAILED)).body.status).toBe('SUCCESS')
    const olivia = await portal.as(OLIVIA)
    const { body } = await olivia(getEmail, { body: { customerNumber, id: FAILED } })
    expect(body.data).toMatchObject({ delivery: 'queued', trouble: '' })
  })

  test.each([
    ['somebody who may not send emails of the account again', ADAM, '100001', NOT_ENOUGH_PERMISSIONS],
    ['anybody while the account is denied per export compliance', OLIVIA, '100004', EXPORT_DENIED],
  ])('is refused for %s', async (_, email, account, reason) => {
    const id = await failedMail(account)
    expect(await resend(email, id)).toMatchObject({ status: 403, body: { code: 'NOT_ALLOWED', err: reason } })
    expect(await message(id)).toMatchObject({ state: 'failed' })
    expect(await lastEntry()).toMatchObject({ outcome: 'refused', reason, customer_number: account, target: id })
  })
})
