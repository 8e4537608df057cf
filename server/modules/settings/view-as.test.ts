import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getUserDetails } from '#contract/accounts/get-user-details.ts'
import { noteOpenedAccount } from '#contract/accounts/recent-accounts.ts'
import { emailList } from '#contract/messages/email-list.ts'
import { setReminders } from '#contract/reminders/reminders.ts'
import { getPortalAccess } from '#contract/settings/portal-access.ts'
import { savePreferences } from '#contract/settings/preferences.ts'
import { startViewing, stopViewing } from '#contract/settings/view-as.ts'
import { tokenList } from '#contract/tokens/tokens.ts'
import { getUpkeep } from '#contract/upkeep/upkeep.ts'
import { NO_REMINDERS } from '#domain/reminders/reminders.ts'
import { buildApp } from '#server/app.ts'
import type { Pool } from '#server/db/database.ts'
import { SIGN_IN_PEOPLE } from '#server/demo/sign-in-people.ts'
import { announceAccess } from '#server/identity/access-changes.queries.ts'
import { type RememberedCallers, rememberCallers } from '#server/identity/remembered-callers.ts'
import { callOperation, type Portal, signIn, startPortal } from '#server/testing/portal.ts'

const SAM = 'sam.support@vendor.example'
const SARA = 'sara.sales@vendor.example'
const VIC = 'vic.viewer@aerodyne.example'
const ADA = 'ada.admin@aerodyne.example'
const customerNumber = '100001'

/** Two processes of one installation, each with a cache of callers. */
let portal: Portal
let other: FastifyInstance
const memories: RememberedCallers[] = []
const remember = (pool: Pool) => {
  const memory = rememberCallers(pool)
  memories.push(memory)
  return memory
}
beforeAll(async () => {
  portal = await startPortal({}, { callers: remember })
  other = await buildApp({ ...portal, people: SIGN_IN_PEOPLE, callers: remember })
  await other.ready()
})
afterAll(async () => {
  await other.close()
  await portal.close()
})

const start = (cookie: string | undefined, email: string, number = customerNumber) =>
  callOperation(portal.app, startViewing, cookie, { body: { customerNumber: number, email } })
const stop = (cookie: string) => callOperation(portal.app, stopViewing, cookie, {})
const details = async (cookie: string, app = portal.app) =>
  (await callOperation(app, getUserDetails, cookie, {})).body.data as {
    email: string
    viewedBy: string
    roles: string[]
  }
const settled = async () => {
  for (const memory of memories) await memory.settled()
}
const audited = (action: string) =>
  portal.db
    .selectFrom('audit_log')
    .select(['email', 'customer_number', 'target', 'outcome'])
    .where('action', '=', action)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

test('staff see what the contact sees on every process, change nothing, and stop', async () => {
  const cookie = await signIn(portal.app, SAM)
  const read = async (operation: typeof getPortalAccess | typeof tokenList.page, number: string, app = portal.app) =>
    (await callOperation(app, operation, cookie, { body: { customerNumber: number } })).status
  for (const app of [portal.app, other]) expect(await read(getPortalAccess, '100003', app)).toBe(200)
  expect((await callOperation(portal.app, getUpkeep, cookie, {})).status).toBe(200)

  expect((await start(cookie, VIC)).status).toBe(200)
  expect(await audited('viewas/start')).toEqual({
    email: SAM,
    customer_number: customerNumber,
    target: VIC,
    outcome: 'done',
  })
  await settled()
  for (const app of [portal.app, other]) {
    expect(await details(cookie, app)).toMatchObject({ email: VIC, viewedBy: SAM, roles: ['user', 'portalview'] })
    expect(await read(getPortalAccess, customerNumber, app)).toBe(200)
    expect(await read(getPortalAccess, '100003', app)).toBe(404)
    expect(await read(tokenList.page, customerNumber, app)).toBe(403)
  }
  expect((await callOperation(portal.app, getUpkeep, cookie, {})).status).toBe(403)

  expect((await stop(cookie)).status).toBe(200)
  expect(await audited('viewas/stop')).toEqual({
    email: SAM,
    customer_number: customerNumber,
    target: VIC,
    outcome: 'done',
  })
  await settled()
  expect(await details(cookie)).toMatchObject({ email: SAM, viewedBy: null })
  for (const app of [portal.app, other]) expect(await read(getPortalAccess, '100003', app)).toBe(200)
})

test('nothing can be changed, not even what the contact may change, and the refusal names the member of staff', async () => {
  const cookie = await signIn(portal.app, 'olivia.ops@vendor.example')
  await start(cookie, ADA)
  const answer = await callOperation(portal.app, setReminders, cookie, {
    body: { customerNumber, reminders: NO_REMINDERS, revision: 0 },
  })
  expect(answer).toMatchObject({ status: 403, body: { code: 'VIEWING_AS_CUSTOMER' } })
  expect(answer.body.err).toContain('Stop viewing to change anything')
  expect(await audited('setreminders')).toMatchObject({
    email: 'olivia.ops@vendor.example',
    customer_number: customerNumber,
    outcome: 'refused',
  })
  expect(await start(cookie, VIC)).toMatchObject({ status: 403, body: { code: 'VIEWING_AS_CUSTOMER' } })
  await stop(cookie)
})

test('a view leaves one entry for its beginning and one for its end, also when it ends by a sign-out', async () => {
  const cookie = await signIn(portal.app, SAM)
  const opened = () => portal.db.selectFrom('recent_account').selectAll().execute()
  const before = await opened()
  const { id } = await portal.db
    .selectFrom('audit_log')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow()
  await start(cookie, VIC)
  const { body: noted } = await callOperation(portal.app, noteOpenedAccount, cookie, { body: { customerNumber } })
  expect(noted).toMatchObject({ code: 'VIEWING_AS_CUSTOMER' })
  const tables = [{ customerNumber, tableName: 'elasticTransaction' as const }]
  const { body: saved } = await callOperation(portal.app, savePreferences, cookie, { body: { tables } })
  expect(saved).toMatchObject({ code: 'VIEWING_AS_CUSTOMER' })
  await portal.app.inject({ method: 'POST', url: '/auth/logout', headers: { cookie, 'x-requested-with': 'portal' } })
  const entries = await portal.db
    .selectFrom('audit_log')
    .select(['action', 'email', 'customer_number', 'target'])
    .where('id', '>', id)
    .orderBy('id')
    .execute()
  expect(entries).toEqual([
    { action: 'viewas/start', email: SAM, customer_number: customerNumber, target: VIC },
    { action: 'viewas/stop', email: SAM, customer_number: customerNumber, target: VIC },
    { action: 'sign-out', email: SAM, customer_number: '', target: null },
  ])
  expect(await opened()).toEqual(before)
})

test('a session that views nobody can stop as well', async () => {
  expect((await stop(await signIn(portal.app, VIC))).status).toBe(200)
})

test.each<[who: string | null, email: string, number: string, status: number]>([
  [null, VIC, customerNumber, 401],
  [ADA, VIC, customerNumber, 403],
  [ADA, VIC, '100003', 404],
  [SAM, 'no.such@contact.example', customerNumber, 404],
  [SAM, 'greta.generator@partner.example', customerNumber, 404],
  [SAM, 'no address', customerNumber, 400],
])('%s views as %s on %s: %s', async (who, email, number, status) => {
  const cookie = who === null ? undefined : await signIn(portal.app, who)
  expect((await start(cookie, email, number)).status).toBe(status)
})

test('somebody who is no longer staff sees nothing until they stop', async () => {
  const cookie = await signIn(portal.app, SARA)
  expect((await start(cookie, VIC)).status).toBe(200)
  await portal.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('staff_role').where('email', '=', SARA).execute()
    await announceAccess(tx, [SARA], 'person')
  })
  await settled()
  const emails = await callOperation(portal.app, emailList.page, cookie, { body: { customerNumber } })
  expect(emails.status).toBe(404)
  expect((await stop(cookie)).status).toBe(200)
})
