import { afterAll, beforeAll, expect, test } from 'vitest'
import * as review from '#contract/access-review/access-review.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { ADMINISTRATOR } from '#domain/access/roles.ts'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import { runReviews } from '#server/modules/access-review/run-reviews.ts'
import { ADA } from '#server/testing/activations.ts'
import { callOperation, type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { addWebAccount } from '#server/testing/web-licenses.ts'

const CORA = 'cora.coordinator@aerodyne.example'
const DAY = 86_400_000

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

type State = { review: { id: string; dueOn: string } | null; nextOpening: string | null }

let accounts = 0
async function newAccount(timeZone = 'UTC'): Promise<string> {
  accounts += 1
  const customerNumber = `AS-${accounts}`
  await addWebAccount(portal.db, customerNumber, [], timeZone)
  await portal.db
    .insertInto('contact')
    .values({ customer_number: customerNumber, email: CORA, role: ADMINISTRATOR })
    .execute()
  return customerNumber
}

/** Signed in anew: the clock is turned by months, which ends sessions. */
async function ask(operation: Operation, customerNumber: string, more: object = {}, by = ADA) {
  const cookie = await signIn(portal.app, by)
  return callOperation(portal.app, operation, cookie, { body: { customerNumber, ...more } })
}
const stateOf = async (customerNumber: string) => (await ask(review.getReviewState, customerNumber)).body.data as State
const saveSettings = (customerNumber: string, every: number, dueDays: number, revision = 0, by = ADA) =>
  ask(review.saveReviewSettings, customerNumber, { settings: { every, dueDays }, revision }, by)
const mailsOf = async (customerNumber: string) => {
  const rows = await portal.db
    .selectFrom('mail')
    .select('subject')
    .where('customer_number', '=', customerNumber)
    .orderBy('queued_at')
    .execute()
  return rows.map(({ subject }) => subject.split(': ').at(-1))
}
const runJob = () => runReviews({ clock: portal.clock, config: portal.config, db: portal.db })
const dayOf = (timeZone: string) => dayIn(timeZone, portal.clock.now())

test('the schedule opens a review on its day in the time zone of the account, once, and reminds of the due day', async () => {
  const zone = 'Pacific/Auckland'
  const customerNumber = await newAccount(zone)
  expect((await saveSettings(customerNumber, 90, 14)).body.data).toEqual({ every: 90, dueDays: 14, revision: 1 })
  const chosen = dayOf(zone)
  expect((await stateOf(customerNumber)).nextOpening).toBe(addDays(chosen, 90))
  await runJob()
  expect((await stateOf(customerNumber)).review).toBeNull()

  while (dayOf(zone) < addDays(chosen, 89)) portal.clock.forward(DAY)
  await runJob()
  expect((await stateOf(customerNumber)).review).toBeNull()
  while (dayOf(zone) < addDays(chosen, 90)) portal.clock.forward(DAY / 24)
  await Promise.all([runJob(), runJob(), runJob()])
  const { review: opened } = await stateOf(customerNumber)
  expect(opened).toMatchObject({ dueOn: addDays(chosen, 104), openedBy: null, open: 7 })
  expect(await mailsOf(customerNumber)).toHaveLength(1)

  const subjects: string[] = []
  for (const left of [8, 7, 6, 1, 0]) {
    while (dayOf(zone) < addDays(chosen, 104 - left)) portal.clock.forward(DAY / 2)
    await Promise.all([runJob(), runJob()])
    const mails = await mailsOf(customerNumber)
    subjects.push(`${left}: ${mails.length}`)
  }
  expect(subjects).toEqual(['8: 1', '7: 2', '6: 2', '1: 3', '0: 4'])
  expect(await mailsOf(customerNumber)).toEqual([
    `Review who has access to ${customerNumber}`,
    `The access review of ${customerNumber} is due within 7 days`,
    `The access review of ${customerNumber} is due tomorrow`,
    `The access review of ${customerNumber} is due`,
  ])

  await ask(review.finishReview, customerNumber, { reviewId: opened?.id ?? '' })
  expect((await stateOf(customerNumber)).nextOpening).toBe(addDays(dayOf(zone), 90))
})

test('the schedule makes up for a downtime with one review', async () => {
  const customerNumber = await newAccount()
  await saveSettings(customerNumber, 90, 7)
  portal.clock.forward(400 * DAY)
  await runJob()
  await runJob()
  expect((await stateOf(customerNumber)).review).toMatchObject({ dueOn: addDays(dayOf('UTC'), 7) })
  expect(await mailsOf(customerNumber)).toHaveLength(1)
})

test('the schedule opens nothing where it is switched off, or where export compliance has closed the account', async () => {
  const [off, closed] = [await newAccount(), await newAccount()]
  await saveSettings(off, 90, 7)
  await saveSettings(off, 0, 7, 1)
  await saveSettings(closed, 90, 7)
  await portal.db
    .updateTable('account')
    .set({ export_control_status: 'Pending' })
    .where('customer_number', '=', closed)
    .execute()
  portal.clock.forward(100 * DAY)
  await runJob()
  const opened = await portal.db
    .selectFrom('access_review')
    .select('customer_number')
    .where('customer_number', 'in', [off, closed])
    .execute()
  expect(opened).toEqual([])
})

test('that two people save the schedule at once is a conflict for the second', async () => {
  const customerNumber = await newAccount()
  const answers = await Promise.all([
    saveSettings(customerNumber, 90, 7),
    saveSettings(customerNumber, 180, 30, 0, CORA),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})
