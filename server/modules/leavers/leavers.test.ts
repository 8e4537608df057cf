import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getAccountInfo } from '#contract/accounts/get-account-info.ts'
import { usageList } from '#contract/elastic/usage/usage-list.ts'
import { createCalendarFeed } from '#contract/reminders/reminders.ts'
import { keepWebCheckout, startWebCheckout } from '#contract/web-licenses/web-checkouts.ts'
import { ADMINISTRATOR, VIEWER } from '#domain/access/roles.ts'
import { buildApp } from '#server/app.ts'
import { SIGN_IN_PEOPLE } from '#server/demo/sign-in-people.ts'
import { announceAccess } from '#server/identity/access-changes.queries.ts'
import { contextOfPortal } from '#server/identity/principal.ts'
import { rememberCallers } from '#server/identity/remembered-callers.ts'
import { endAccess } from '#server/modules/leavers/leavers.public.ts'
import { giveApiToken } from '#server/testing/api-tokens.ts'
import { callOperation, type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { type ScimClient, scimClient } from '#server/testing/scim/scim-client.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { limit } from '#server/testing/slowness.ts'
import { addWebAccount, OPTICS, WEB_ADMIN, WEB_VIEWER } from '#server/testing/web-licenses.ts'

const NUMBER = 'LV-1'
const SECOND = 1_000
const REASON = 'a test'

/** Two processes of one installation, each with a cache of callers. */
let portal: Portal
let other: FastifyInstance
let keys: Record<string, string>
let scim: ScimClient
beforeAll(async () => {
  portal = await startPortal({}, { callers: rememberCallers })
  other = await buildApp({ ...portal, people: SIGN_IN_PEOPLE, callers: rememberCallers })
  await other.ready()
  keys = (await giveServiceKey(portal, 'Leavers', { scopes: ['web'] })).headers
  await addWebAccount(portal.db, NUMBER, [{ id: 'N', quantity: 1 }])
  // Vic has this account only.
  await portal.db.deleteFrom('contact').where('email', '=', WEB_VIEWER).where('customer_number', '<>', NUMBER).execute()
  await portal.db.transaction().execute((tx) => announceAccess(tx, ['100001', NUMBER]))
  scim = await scimClient(portal, NUMBER)
})
afterAll(async () => {
  await other.close()
  await portal.close()
})

const end = (email: string, customerNumber = NUMBER) =>
  portal.db
    .transaction()
    .execute((tx) =>
      endAccess(tx, portal, { customerNumber, email, reason: REASON }, contextOfPortal(portal.clock.now())),
    )
const signed = () => ({ assigned_at: portal.clock.now(), assigned_by: REASON })

/** Everything that a person can have on an account. */
async function equip(email: string) {
  const { db, clock } = portal
  const now = clock.now()
  const later = new Date(now.getTime() + 86_400_000)
  const row = { customer_number: NUMBER, email }
  await db
    .insertInto('contact')
    .values({ ...row, role: VIEWER })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .insertInto('account_grant')
    .values({ ...row, kind: 'sales-access', granted_by: REASON })
    .execute()
  await db
    .insertInto('web_user')
    .values({ ...row, name: 'Vic', added_at: now, added_by: REASON })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const activation_id = `${NUMBER}-N`
  await db
    .insertInto('web_user_assignment')
    .values({ ...row, activation_id, ...signed() })
    .execute()
  await db
    .insertInto('web_seat')
    .values({ ...row, activation_id, since: now })
    .execute()
  await sql`
    insert into license_wait (customer_number, wait_id, feature, seats, email, is_mailed, user_name, number, joined_at, until, state)
    values (${NUMBER}, ${crypto.randomUUID()}, 'f1', 1, ${email}, false, ${email}, 1, ${now}, ${later}, 'waiting')`.execute(
    db,
  )
  const request = {
    customer_number: NUMBER,
    kind: 'web-license',
    state: 'open',
    product: 'p',
    target_name: 't',
    quantity: 1,
    reason: '',
    requested_at: now,
    expires_at: later,
  } as const
  await db
    .insertInto('license_request')
    .values([
      { ...request, request_id: crypto.randomUUID(), item: 'i1', target: 'x@web.example', requested_by: email },
      { ...request, request_id: crypto.randomUUID(), item: 'i2', target: email, requested_by: WEB_ADMIN },
    ])
    .execute()
  await db.transaction().execute((tx) => announceAccess(tx, [NUMBER]))
}

describe('a leaver', () => {
  test('is refused in another process within a second, and every seat is free', async () => {
    await equip(WEB_VIEWER)
    const cookie = await signIn(portal.app, WEB_VIEWER)
    const token = await giveApiToken(portal, { customerNumber: NUMBER, owner: WEB_VIEWER })
    const feed = await callOperation(portal.app, createCalendarFeed, await signIn(portal.app, WEB_ADMIN), {
      body: { customerNumber: NUMBER, name: 'Ends' },
    })
    await portal.db
      .updateTable('calendar_feed')
      .set({ created_by: WEB_VIEWER } as never)
      .where('customer_number', '=', NUMBER)
      .execute()
    const { url } = feed.body.data as { url: string }
    const nobody = await portal.as(null)
    const checkout = { customerNumber: NUMBER, product: OPTICS, username: WEB_VIEWER, host: 'ws1' }
    const started = await nobody(startWebCheckout, { body: checkout, headers: keys })
    const { checkoutId } = started.body.data as { checkoutId: string }

    const asPerson = async () =>
      (await callOperation(other, getAccountInfo, cookie, { params: { customerNumber: NUMBER } })).status
    const asToken = async () =>
      (
        await callOperation(other, usageList.page, undefined, {
          headers: token.headers,
          body: { customerNumber: NUMBER, limit: 1 },
        })
      ).status
    const asCheckout = async () =>
      (await callOperation(other, keepWebCheckout, undefined, { params: { checkoutId }, headers: keys })).body.code
    const asCalendar = async () => (await other.inject({ url: new URL(url).pathname })).statusCode
    expect([await asPerson(), await asToken(), await asCheckout(), await asCalendar()]).toEqual([
      200,
      200,
      undefined,
      200,
    ])

    const vic = await scim.add('Users', { userName: WEB_VIEWER })
    expect((await scim.patch(`/Users/${vic}`, { op: 'Replace', path: 'active', value: 'False' })).status).toBe(204)
    await expect
      .poll(async () => [await asPerson(), await asToken(), await asCheckout(), await asCalendar()], {
        timeout: limit(SECOND),
        interval: 20,
      })
      .toEqual([401, 401, 'CHECKOUT_ENDED', 404])

    for (const table of ['contact', 'account_grant', 'web_user', 'web_seat', 'web_user_assignment'] as const) {
      const { rows } =
        await sql`select 1 from ${sql.table(table)} where customer_number = ${NUMBER} and email = ${WEB_VIEWER}`.execute(
          portal.db,
        )
      expect(rows, table).toEqual([])
    }
    const use = await portal.db
      .selectFrom('web_license_use')
      .selectAll()
      .where('customer_number', '=', NUMBER)
      .executeTakeFirstOrThrow()
    expect(use).toMatchObject({ seats: 0, running: 0 })
    const states = await portal.db
      .selectFrom('license_request')
      .select(['state', 'decided_by'])
      .where('customer_number', '=', NUMBER)
      .execute()
    expect(states).toEqual([
      { state: 'withdrawn', decided_by: 'SCIM' },
      { state: 'withdrawn', decided_by: 'SCIM' },
    ])
    const places = await portal.db
      .selectFrom('license_wait')
      .select('state')
      .where('customer_number', '=', NUMBER)
      .execute()
    expect(places).toEqual([{ state: 'withdrawn' }])
    const entry = await portal.db
      .selectFrom('audit_log')
      .selectAll()
      .where('customer_number', '=', NUMBER)
      .where('action', '=', 'access.end')
      .executeTakeFirstOrThrow()
    expect(entry).toMatchObject({
      email: 'SCIM',
      target: WEB_VIEWER,
      after: {
        role: VIEWER,
        grants: ['sales-access'],
        isWebUser: true,
        sessions: 1,
        tokens: 1,
        seats: 1,
        checkouts: 1,
        calendarAddresses: 1,
        places: 1,
        requests: 2,
      },
      text: `Ended the access of ${WEB_VIEWER}: the identity provider reports no active user`,
    })
  })

  test('who never had anything leaves no entry', async () => {
    expect(await end('nobody@web.example')).toMatchObject({ role: null, seats: 0, sessions: 0 })
    const entries = await portal.db
      .selectFrom('audit_log')
      .select('id')
      .where('target', '=', 'nobody@web.example')
      .execute()
    expect(entries).toEqual([])
  })

  test('with another account stays signed in there', async () => {
    const email = 'sol.single@bluewater.example'
    await portal.db.insertInto('contact').values({ customer_number: NUMBER, email, role: VIEWER }).execute()
    await portal.db.transaction().execute((tx) => announceAccess(tx, [NUMBER]))
    const cookie = await signIn(portal.app, email)
    const status = async (customerNumber: string) =>
      (await callOperation(other, getAccountInfo, cookie, { params: { customerNumber } })).status
    expect([await status(NUMBER), await status('100006')]).toEqual([200, 200])
    expect(await end(email)).toMatchObject({ role: VIEWER, sessions: 0 })
    await expect.poll(() => status(NUMBER), { timeout: limit(SECOND), interval: 20 }).toBe(404)
    expect(await status('100006')).toBe(200)
  })

  test('who is staff keeps the session', async () => {
    const email = 'olivia.ops@vendor.example'
    const cookie = await signIn(portal.app, email)
    await portal.db.insertInto('contact').values({ customer_number: NUMBER, email, role: VIEWER }).execute()
    expect(await end(email)).toMatchObject({ role: VIEWER, sessions: 0 })
    expect((await callOperation(other, getAccountInfo, cookie, { params: { customerNumber: NUMBER } })).status).toBe(
      200,
    )
  })

  test('who made the token of the provider: it goes on for 7 days, and the others are told', async () => {
    const maker = 'maker@web.example'
    await portal.db
      .insertInto('contact')
      .values({ customer_number: NUMBER, email: maker, role: ADMINISTRATOR })
      .execute()
    const own = await scimClient(portal, NUMBER, { owner: maker })
    const id = await own.add('Users', { userName: maker })
    expect((await own.send('DELETE', `/Users/${id}`)).status).toBe(204)
    expect((await own.get('/Users')).status).toBe(200)
    const token = await portal.db
      .selectFrom('api_token')
      .selectAll()
      .where('id', '=', own.tokenId)
      .executeTakeFirstOrThrow()
    expect(token.expires_at.getTime() - portal.clock.now().getTime()).toBe(7 * 86_400_000)
    const mail = await portal.db
      .selectFrom('mail')
      .select(['recipients', 'subject'])
      .where('customer_number', '=', NUMBER)
      .where('subject', 'like', '%Replace the token%')
      .execute()
    expect(mail).toMatchObject([{ recipients: [WEB_ADMIN] }])
  })

  test('is not the last administrator: nothing changes', async () => {
    await expect(end(WEB_ADMIN)).rejects.toMatchObject({ statusCode: 409, code: 'LAST_ADMINISTRATOR' })
    const contact = await portal.db
      .selectFrom('contact')
      .select('role')
      .where('customer_number', '=', NUMBER)
      .where('email', '=', WEB_ADMIN)
      .executeTakeFirst()
    expect(contact?.role).toBe(ADMINISTRATOR)
  })
})
