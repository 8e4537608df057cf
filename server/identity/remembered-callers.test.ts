import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Transaction } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emailList } from '#contract/messages/email-list.ts'
import { whoami } from '#contract/service/whoami.ts'
import { getPortalAccess, setPortalAccess } from '#contract/settings/portal-access.ts'
import { VIEWER } from '#domain/access/roles.ts'
import type { Contact } from '#domain/settings/contacts.ts'
import { buildApp } from '#server/app.ts'
import { deleteRecords, insertRecords, type RecordTable, updateRecords } from '#server/data/record-table.queries.ts'
import type { Pool } from '#server/db/database.ts'
import type { DB } from '#server/db/schema.ts'
import { SIGN_IN_PEOPLE } from '#server/demo/sign-in-people.ts'
import { announceAccess } from '#server/identity/access-changes.queries.ts'
import { saveClaimRoles } from '#server/identity/claim-roles.queries.ts'
import { MAX_AGE, type RememberedCallers, rememberCallers } from '#server/identity/remembered-callers.ts'
import { revokeServiceKey } from '#server/identity/service-keys.queries.ts'
import { disableAccess, grantTo, saveContacts } from '#server/modules/accounts/contacts.queries.ts'
import { insertEntitlements } from '#server/modules/entitlements/entitlements.queries.ts'
import { deleteStaffRole, insertStaffRole } from '#server/modules/staff/staff-roles.queries.ts'
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
/** In milliseconds, on top of the time that passes by itself. */
let elapsed = 0
const remember = (pool: Pool) => {
  const memory = rememberCallers(pool, () => performance.now() + elapsed)
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

/** Loads the person on the account into the caches of both processes. */
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

type Act = (tx: Transaction<DB>) => Promise<unknown>
const vic: Contact = { email: VIC, role: VIEWER }
const at = new Date('2026-11-15T10:00:00Z')
const grant =
  (...emails: string[]): Act =>
  (tx) =>
    grantTo(tx, { customerNumber, kind: 'sales-access' }, emails, { email: OLIVIA, at })
const accounts: RecordTable = {
  table: 'account',
  key: ['customerNumber'],
  fields: {
    customerNumber: { column: 'customer_number', type: 'text' },
    exportControlStatus: { column: 'export_control_status', type: 'text' },
  },
}
const contacts: RecordTable = {
  table: 'contact',
  key: ['customerNumber', 'email'],
  fields: {
    customerNumber: { column: 'customer_number', type: 'text' },
    email: { column: 'email', type: 'text' },
    role: { column: 'role', type: 'text' },
  },
}
const sales = { email: OLIVIA, role: 'sales' as const }
const staffRoles: RecordTable = {
  table: 'staff_role',
  key: ['role', 'email'],
  fields: { role: { column: 'role', type: 'text' }, email: { column: 'email', type: 'text' } },
  inserted: { grantedBy: { column: 'granted_by', type: 'text' } },
}
const sold = {
  customer_number: customerNumber,
  activation_id: 'REMEMBERED-1',
  entitlement_id: 'E-1',
  part_number: 'P-1',
  product_name: 'Product',
  license_model: 'Lease',
  line_item_quantity: 1,
  start_date: '2026-01-01',
  is_permanent: true,
}

describe('every process forgets the caller when any process commits a change', () => {
  test.each<[name: string, act: Act]>([
    ['a contact is removed', (tx) => saveContacts(tx, customerNumber, { gone: [vic], kept: [] }, { email: VIC, at })],
    ['a contact is added', (tx) => saveContacts(tx, customerNumber, { gone: [], kept: [vic] }, { email: VIC, at })],
    ['a contact is revoked', (tx) => deleteRecords(tx, contacts, [{ customerNumber, email: VIC }])],
    ['a contact is sent', (tx) => insertRecords(tx, contacts, [{ customerNumber, ...vic }])],
    ['a right is granted', grant(VIC)],
    ['a right is taken', grant()],
    ['access is switched off', (tx) => disableAccess(tx, customerNumber, true)],
    ['access is switched on', (tx) => disableAccess(tx, customerNumber, false)],
    [
      'the export status changes',
      (tx) => updateRecords(tx, accounts, [{ customerNumber, exportControlStatus: 'approved' }]),
    ],
    ['a holding is added', (tx) => insertEntitlements(tx, [sold])],
    [
      'an import touches many accounts',
      (tx) =>
        announceAccess(
          tx,
          Array.from({ length: 1_001 }, (_, n) => `OTHER-${n}`),
        ),
    ],
    ['a staff role is granted', (tx) => insertStaffRole(tx, sales, { email: ADA, at })],
    ['a staff role is revoked', (tx) => deleteStaffRole(tx, sales)],
    ['a staff role is sent', (tx) => insertRecords(tx, staffRoles, [sales], { granted_by: ADA })],
    ['a staff role is removed by the vendor', (tx) => deleteRecords(tx, staffRoles, [sales])],
  ])('the caller is forgotten when %s', async (_, act) => {
    const cookie = await known(OLIVIA)
    await portal.db.transaction().execute(act)
    expect(await isForgotten(cookie)).toEqual([true, true])
  })
})

test('every process forgets the caller when the roles of a session are renewed', async () => {
  const cookie = await known(OLIVIA)
  const renewed = { roles: [], checkedAt: at, idToken: undefined, refreshToken: undefined }
  await portal.db.transaction().execute((tx) => saveClaimRoles(tx, Buffer.from(keyOf(cookie), 'hex'), renewed))
  expect(await isForgotten(cookie)).toEqual([true, true])
})

test('saving that a session was used changes nothing', async () => {
  const cookie = await known(ADA)
  await portal.pool.query('update session set last_seen_at = last_seen_at')
  expect(await isForgotten(cookie)).toEqual([false, false])
})

test('a change that nobody announced is seen after a minute', async () => {
  const cookie = await known(VIC)
  await portal.pool.query(`delete from contact where customer_number = '${customerNumber}' and email = '${VIC}'`)
  elapsed += MAX_AGE - 1_000
  expect(await isForgotten(cookie)).toEqual([false, false])
  elapsed += 1_000
  expect(await isForgotten(cookie)).toEqual([true, true])
  expect((await readEmails(portal.app, cookie)).status).toBe(404)
  await portal.db
    .transaction()
    .execute((tx) => saveContacts(tx, customerNumber, { gone: [], kept: [vic] }, { email: VIC, at }))
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
  // Forgotten at once by the process that removed the right, without waiting for the notification.
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

  /** Loads the key into the caches of both processes. */
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
