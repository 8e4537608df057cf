import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emailList } from '#contract/messages/email-list.ts'
import { whoami } from '#contract/service/whoami.ts'
import { getPortalAccess, setPortalAccess } from '#contract/settings/portal-access.ts'
import { buildApp } from '#server/app.ts'
import type { Pool } from '#server/db/database.ts'
import { SIGN_IN_PEOPLE } from '#server/demo/sign-in-people.ts'
import { type RememberedCallers, rememberCallers } from '#server/identity/remembered-callers.ts'
import { revokeServiceKey } from '#server/identity/service-keys.queries.ts'
import { callOperation, type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { bearer, giveServiceKey } from '#server/testing/service-keys.ts'
import { until } from '#server/testing/until.ts'

const ADA = 'ada.admin@aerodyne.example'
const VIC = 'vic.viewer@aerodyne.example'
const OLIVIA = 'olivia.ops@vendor.example'
const customerNumber = '100001'

/** Two processes of one installation. */
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

const keyOf = (cookie: string) => createHash('sha256').update(cookie.replace('session=', '')).digest('hex')
const readEmails = (app: FastifyInstance, cookie: string) =>
  callOperation(app, emailList.page, cookie, { body: { customerNumber, limit: 1 } })

/** Both processes know the person on the account. */
async function known(email: string): Promise<string> {
  const cookie = await signIn(portal.app, email)
  const isKnown = async () => {
    for (const app of [portal.app, other]) expect((await readEmails(app, cookie)).status).toBe(200)
    return memories.every((memory) => memory.find(keyOf(cookie), [customerNumber]))
  }
  await until(isKnown, 'the caller is not remembered')
  return cookie
}

const isForgotten = async (cookie: string) => {
  for (const memory of memories) await memory.settled()
  return memories.map((memory) => memory.find(keyOf(cookie), [customerNumber]) === undefined)
}

describe('every process forgets the caller when any process commits a change', () => {
  const of = `where customer_number = '${customerNumber}'`
  const vic = `${of} and email = '${VIC}'`
  test.each([
    ['a contact is removed', `delete from contact ${vic}`],
    [
      'a contact is added',
      `insert into contact values ('${customerNumber}', '${VIC}', 'Licensing Portal Viewer', now())`,
    ],
    ['a contact moves to another account', `update contact set customer_number = '100003' ${vic}`],
    [
      'and back',
      `update contact set customer_number = '${customerNumber}' where customer_number = '100003' and email = '${VIC}'`,
    ],
    ['a role changes', `update contact set role = role ${vic}`],
    [
      'a right is granted',
      `insert into account_grant values ('${customerNumber}', '${VIC}', 'sales-access', 'x', now())`,
    ],
    ['a right is taken', `delete from account_grant ${vic}`],
    ['access is switched off', `update account set is_access_disabled = true ${of}`],
    ['access is switched on', `update account set is_access_disabled = false ${of}`],
    ['the export status changes', `update account set export_control_status = 'approved' ${of}`],
    ['a holding changes', `update entitlement set product_name = product_name || ' ' ${of} and kind = 'FSA'`],
    ['a staff role is granted', `insert into staff_role values ('${OLIVIA}', 'sales', 'x', now())`],
    [
      'a staff role moves to another person',
      `update staff_role set email = 'x@vendor.example' where email = '${OLIVIA}' and role = 'sales'`,
    ],
    ['and comes back', `update staff_role set email = '${OLIVIA}' where email = 'x@vendor.example'`],
    ['a staff role is revoked', `delete from staff_role where email = '${OLIVIA}' and role = 'sales'`],
    ['sessions end', `delete from session where email = '${OLIVIA}'`],
    ['an import touches many accounts', 'update contact set role = role'],
  ])('%s', async (_, statement) => {
    const cookie = await known(OLIVIA)
    await portal.pool.query(statement)
    expect(await isForgotten(cookie)).toEqual([true, true])
  })
})

test.each([
  ['being seen', 'update session set last_seen_at = last_seen_at'],
  ['activated seats', 'update entitlement set activated_count = activated_count'],
  ['the name of an account', 'update account set name = name'],
])('%s changes nothing', async (_, statement) => {
  const cookie = await known(ADA)
  await portal.pool.query(statement)
  expect(await isForgotten(cookie)).toEqual([false, false])
})

test('a right that is removed on one process is gone on another', async () => {
  const vic = await known(VIC)
  const ada = await signIn(portal.app, ADA)
  const { body } = await callOperation(portal.app, getPortalAccess, ada, { body: { customerNumber } })
  const oldContacts = (body.data as { email: string; role: string }[]).map(({ email, role }) => ({ email, role }))
  const newContacts = oldContacts.filter(({ email }) => email !== VIC)
  const saved = await callOperation(portal.app, setPortalAccess, ada, {
    body: { customerNumber, oldContacts, newContacts },
  })
  expect(saved.body).toMatchObject({ status: 'SUCCESS' })
  // At once where it was taken, without waiting for any announcement.
  expect((await readEmails(portal.app, vic)).status).toBe(404)
  await until(async () => (await readEmails(other, vic)).status === 404, 'the other process still lets the person in')
})

test('a sign-out on one process ends the session on another', async () => {
  const cookie = await known(ADA)
  await portal.app.inject({
    method: 'POST',
    url: '/auth/logout',
    headers: { cookie, 'x-requested-with': 'portal' },
  })
  expect((await readEmails(portal.app, cookie)).status).toBe(401)
  await until(async () => (await readEmails(other, cookie)).status === 401, 'the other process still takes the session')
})

describe('a service key', () => {
  const ask = (app: FastifyInstance, headers: Record<string, string>) =>
    callOperation(app, whoami, undefined, { headers })

  /** Both processes know the key. */
  async function knownKey(name: string) {
    const key = await giveServiceKey(portal, name, { scopes: ['usage'] })
    const isKnown = async () => {
      for (const app of [portal.app, other]) expect((await ask(app, key.headers)).status).toBe(200)
      return memories.every((memory) => memory.findKey(key.id))
    }
    await until(isKnown, 'the key is not remembered')
    return key
  }

  test('that is revoked is refused by every process', async () => {
    const { headers } = await knownKey('Revoked')
    await portal.db.transaction().execute((tx) => revokeServiceKey(tx, 'Revoked', portal.clock.now()))
    for (const memory of memories) await memory.settled()
    for (const app of [portal.app, other]) expect((await ask(app, headers)).status).toBe(401)
  })

  test.each([
    ['changes', `update service_key set scopes = '{catalog}' where name = 'Changed'`],
    ['is deleted', `delete from service_key where name = 'Changed'`],
  ])('that %s is forgotten by every process', async (_, statement) => {
    const { id } = await knownKey('Changed')
    await portal.pool.query(statement)
    for (const memory of memories) await memory.settled()
    expect(memories.map((memory) => memory.findKey(id))).toEqual([undefined, undefined])
    await portal.pool.query(`delete from service_key where name = 'Changed'`)
  })

  test('that is used stays remembered, with its last use', async () => {
    const { id, headers } = await knownKey('Used')
    portal.clock.forward(60_000)
    expect((await ask(portal.app, headers)).status).toBe(200)
    for (const memory of memories) await memory.settled()
    expect(memories.map((memory) => memory.findKey(id)?.last_used_at)).toContainEqual(portal.clock.now())
  })

  test('that is remembered still needs its secret, and is refused once it expires', async () => {
    const key = await knownKey('Short')
    const wrong = bearer(key.key.replace(key.secret, 'x'.repeat(43)))
    expect((await ask(portal.app, wrong)).status).toBe(401)
    portal.clock.forward(key.expiresAt.getTime() - portal.clock.now().getTime())
    expect((await ask(portal.app, key.headers)).status).toBe(401)
  })
})

test('nothing is remembered while the listener is disconnected', async () => {
  const cookie = await known(ADA)
  await portal.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ~ '^(listen|notify "listener)'`,
  )
  await until(
    () => memories.every((memory) => memory.find(keyOf(cookie), [customerNumber]) === undefined),
    'the caller is still remembered',
  )
  await known(ADA)
})

test('facts that were loaded before a change are not remembered after it', async () => {
  const cookie = await known(ADA)
  const [memory] = memories
  const facts = memory?.find(keyOf(cookie), [customerNumber])
  if (!memory || !facts) throw new Error('the caller is not remembered')
  const begun = memory.changes()
  memory.forgetAccounts([customerNumber])
  memory.keep(keyOf(cookie), facts, begun)
  expect(memory.find(keyOf(cookie), [customerNumber])).toBe(undefined)
})
