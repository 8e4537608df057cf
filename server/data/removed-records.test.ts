import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { removeSharedServer } from '#contract/activations/hosts/shared-server.ts'
import { createFulfillments, returnFulfillments } from '#contract/activations/seats/change-seats.ts'
import { contactRecords } from '#contract/data/contacts.ts'
import { RECORD_KINDS, type RecordKindName } from '#contract/data/kinds.ts'
import { productRecords } from '#contract/data/products.ts'
import type { RecordKind } from '#contract/data/record-kind.ts'
import { listRemoved } from '#contract/data/removed-records.ts'
import { OPERATIONS } from '#contract/operations.ts'
import { setPortalAccess } from '#contract/settings/portal-access.ts'
import { walkToken } from '#server/data/data.routes.ts'
import { deleteOldRemovals } from '#server/data/removals.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { auditContextOf, OPERATOR } from '#server/identity/principal.ts'
import { revokeStaffRole } from '#server/modules/staff/staff.public.ts'
import { ADA } from '#server/testing/activations.ts'
import { type DataPortal, startDataPortal } from '#server/testing/data.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'

const ACCOUNT = '930001'
const ROLE = 'Licensing Portal Viewer'
const contact = (email: string) => ({ customerNumber: ACCOUNT, email, role: ROLE })
const contactId = (email: string) => `${ACCOUNT}:${email}`

let portal: DataPortal
beforeAll(async () => {
  portal = await startDataPortal()
  for (const kind of RECORD_KINDS) await portal.save(kind.name, [kind.example])
  await portal.save('accounts', [{ customerNumber: ACCOUNT, name: 'Removals' }])
  await portal.save('contacts', [{ ...contact(ADA), role: 'Licensing Portal Administrator' }])
})
afterAll(() => portal.close())

/** The `until` of a reader who has seen everything. */
const now = async (name: RecordKindName) =>
  (await portal.removedPage(name, { removedSince: new Date().toISOString() })).until
/** `until` can be a little earlier than now, so that removals of other tests come as well. */
const removalsOf = async (name: RecordKindName, id: string, since: string) =>
  (await portal.removals(name, since)).filter((removal) => removal.id === id)
const removedIds = async (name: RecordKindName, since: string, limit?: number) =>
  (await portal.removals(name, since, limit)).map(({ id }) => id)

/** Records that nothing refers to. */
const SAMPLES: [RecordKindName, string, object, string][] = [
  ['products', 'GONE1', { ...productRecords.example, partNumber: 'GONE1', name: 'Gone One', itemNumber: 'GONE-1' }, ''],
  ['rate-tables', 'GONE:EXA0010110', { rateTableVersion: 'GONE', partNumber: 'EXA0010110', unitsPerHour: '1' }, ''],
  ['price-lists', 'CHF:EXA0010110:30', { currency: 'CHF', partNumber: 'EXA0010110', days: 30, price: '1' }, ''],
  ['contacts', contactId('gone@removals.example'), contact('gone@removals.example'), ACCOUNT],
  ['roles', 'busops::gone@vendor.example', { role: 'busops', email: 'gone@vendor.example' }, ''],
  [
    'roles',
    `sales-access:${ACCOUNT}:gone@vendor.example`,
    { role: 'sales-access', customerNumber: ACCOUNT, email: 'gone@vendor.example' },
    ACCOUNT,
  ],
  ['elastic-servers', 'els-gone', { serverId: 'els-gone', customerNumber: ACCOUNT, alias: 'Gone' }, ACCOUNT],
  [
    'limits',
    `${ACCOUNT}:gone`,
    { customerNumber: ACCOUNT, limitId: 'gone', subject: 'account', period: 'day', currency: 'AEU', refuseAt: '1.00' },
    ACCOUNT,
  ],
]

test('every kind whose records can be removed is tried', () => {
  const removable = RECORD_KINDS.filter(({ canBeRemoved }) => canBeRemoved).map(({ name }) => name)
  expect(new Set(SAMPLES.map(([name]) => name))).toEqual(new Set(removable))
})

test.each(SAMPLES)(
  'the list of removed %s has %s after its removal, and not after it was created again',
  async (name, id, record, customerNumber) => {
    expect(await portal.save(name, [record])).toMatchObject([{ id, result: 'created' }])
    const since = await now(name)
    expect(await removalsOf(name, id, since)).toEqual([])

    expect(await portal.revoke(name, [id])).toMatchObject([{ result: 'removed' }])
    const [first, ...others] = await removalsOf(name, id, since)
    expect(first).toEqual({ id, customerNumber, removedAt: expect.any(String) })
    expect(others).toEqual([])
    expect(String(first?.removedAt) >= since).toBe(true)
    expect(await portal.revoke(name, [id])).toMatchObject([{ result: 'unchanged' }])
    expect(await removalsOf(name, id, since)).toEqual([first])
    const later = new Date(Date.parse(String(first?.removedAt)) + 1).toISOString()
    expect(await removalsOf(name, id, later)).toEqual([])

    expect(await portal.save(name, [record])).toMatchObject([{ result: 'created' }])
    expect(await removalsOf(name, id, since)).toEqual([])
    const kind = RECORD_KINDS.find((one) => one.name === name) as RecordKind
    const changed = (await portal.changes(name, since)).map((row) => kind.keyOf(row))
    expect(changed).toContain(id)

    expect(await portal.revoke(name, [id])).toMatchObject([{ result: 'removed' }])
    const [again, ...more] = await removalsOf(name, id, since)
    expect(again?.id).toBe(id)
    expect(more).toEqual([])
    expect(String(again?.removedAt) > String(first?.removedAt)).toBe(true)
  },
)

test('kinds whose records are never removed have no such call', () => {
  const names = OPERATIONS.map(({ name }) => name as string).filter((name) => /^service\/.*\/removed$/.test(name))
  const removable = RECORD_KINDS.filter(({ canBeRemoved }) => canBeRemoved).map(({ name }) => `service/${name}/removed`)
  expect(names).toEqual(removable)
})

test('a removal is listed no matter how the record was removed', async () => {
  const [emailOnScreen, emailOfStaff] = ['screen@removals.example', 'cli@vendor.example']
  await portal.save('contacts', [contact(emailOnScreen)])
  await portal.save('roles', [{ role: 'busops', email: emailOfStaff }])
  const since = await now('contacts')
  const kept = await portal.db
    .selectFrom('contact')
    .select(['email', 'role'])
    .where('customer_number', '=', ACCOUNT)
    .execute()
  const saved = await (await portal.as(ADA))(setPortalAccess, {
    body: {
      customerNumber: ACCOUNT,
      oldContacts: kept,
      newContacts: kept.filter(({ email }) => email !== emailOnScreen),
    },
  })
  expect(saved.body).toMatchObject({ status: 'SUCCESS' })
  const by = auditContextOf(OPERATOR, { at: new Date(), address: 'command line', requestId: '' })
  expect(await revokeStaffRole(portal.db, { email: emailOfStaff, role: 'busops' }, by)).toBe(true)
  expect(await removedIds('contacts', since)).toContain(contactId(emailOnScreen))
  expect(await removedIds('roles', since)).toContain(`busops::${emailOfStaff}`)
})

test('a removal that is rolled back is not listed', async () => {
  await portal.save('contacts', [contact('stays@removals.example')])
  const since = await now('contacts')
  const rolledBack = portal.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('contact').where('email', '=', 'stays@removals.example').execute()
    throw new Error('taken back')
  })
  await expect(rolledBack).rejects.toThrow('taken back')
  expect(await removedIds('contacts', since)).not.toContain(contactId('stays@removals.example'))
})

test('pages follow each other in the order of removal, also where all records of a page are there again', async () => {
  const emails = Array.from({ length: 7 }, (_, at) => `page${at}@removals.example`)
  await portal.save('contacts', emails.map(contact))
  const since = await now('contacts')
  // Later ids are removed first: the order is not that of the ids.
  for (const email of emails.toReversed()) await portal.revoke('contacts', [contactId(email)])
  await portal.save('contacts', ['page4@removals.example', 'page3@removals.example'].map(contact))
  const wanted = [6, 5, 2, 1, 0].map((at) => contactId(`page${at}@removals.example`))
  for (const limit of [1, 2, 1000]) {
    const ids = await removedIds('contacts', since, limit)
    expect(ids.filter((id) => String(id).includes(':page'))).toEqual(wanted)
  }

  const first = await portal.removedPage('contacts', { removedSince: since, limit: '2' })
  await portal.revoke('contacts', [contactId('page3@removals.example')])
  const second = await portal.removedPage('contacts', { removedSince: since, limit: '2', after: first.next ?? '' })
  expect(second.until).toBe(first.until)
  expect(await removedIds('contacts', first.until)).toContain(contactId('page3@removals.example'))
})

test('a reader who asks with `until` of the last answer sees every removal, also of slow writers', async () => {
  const fast = ['fast1@removals.example', 'fast2@removals.example']
  await portal.save('contacts', ['slow@removals.example', ...fast].map(contact))
  let until = await now('contacts')
  const seen = new Set<unknown>()
  const look = async () => {
    const since = until
    until = (await portal.removedPage('contacts', { removedSince: since, limit: '1' })).until
    for (const id of await removedIds('contacts', since, 1)) seen.add(id)
  }
  const removeContact = (db: Kysely<DB>, email: string) =>
    db.deleteFrom('contact').where('customer_number', '=', ACCOUNT).where('email', '=', email).execute()
  const written = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const slow = portal.db.transaction().execute(async (tx) => {
    await removeContact(tx, 'slow@removals.example')
    written.resolve()
    await release.promise
  })
  await written.promise
  // Does not use the service API, which would wait for the slow one: both are contacts of one account.
  for (const email of fast) {
    await removeContact(portal.db, email)
    await look()
  }
  expect([...seen]).toEqual(expect.arrayContaining(fast.map(contactId)))
  expect(seen.has(contactId('slow@removals.example'))).toBe(false)
  release.resolve()
  await slow
  await look()
  expect(seen.has(contactId('slow@removals.example'))).toBe(true)
})

const ask = (query: Record<string, string>) => portal.call(listRemoved(contactRecords), { query })

test('invalid questions get 400', async () => {
  const removedSince = new Date().toISOString()
  const token = (next: string) => walkToken({ until: removedSince, next })
  for (const query of [
    {},
    { removedSince: 'yesterday' },
    { removedSince: '2026-01-01T23:59:60Z' },
    { removedSince, limit: '0' },
    { removedSince, limit: '1001' },
    { removedSince, after: 'bogus' },
    { removedSince, after: token('bogus') },
    { removedSince, after: token(`${contactId('a@b.example')}`) },
    { removedSince, after: token(`+200000-01-01T00:00:00.000Z~1~a`) },
    { removedSince, after: token(`${removedSince}~1~\0`) },
    { removedSince, bogus: '1' },
  ] as Record<string, string>[])
    expect((await ask(query)).status, JSON.stringify(query)).toBe(400)
})

test('a key without the scope is refused with 403, and without a key with 401', async () => {
  const nobody = await portal.as(null)
  const { headers } = await giveServiceKey(portal, 'Other scope', { scopes: ['usage'] })
  const query = { removedSince: new Date().toISOString() }
  for (const [name] of SAMPLES) {
    const operation = listRemoved(RECORD_KINDS.find((kind) => kind.name === name) as RecordKind)
    expect((await nobody(operation, { query, headers })).status, name).toBe(403)
    expect((await nobody(operation, { query })).status, name).toBe(401)
  }
})

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000)

test('a question about a time without noted removals is answered with a reason', async () => {
  const { rows } = await sql<{ since: Date }>`select removals_noted_since() as since`.execute(portal.db)
  const noted = rows[0]?.since ?? new Date(0)
  const early = await ask({ removedSince: new Date(noted.getTime() - 1).toISOString() })
  expect(early).toMatchObject({ status: 400, body: { code: 'TOO_LONG_AGO' } })
  expect(early.body.err).toBe(
    `Removals are known since ${noted.toISOString()}. Read the whole list and compare it with yours.`,
  )
  expect((await ask({ removedSince: new Date(noted.getTime() + 1).toISOString() })).status).toBe(200)

  await sql`create or replace function removals_noted_since() returns timestamptz language sql stable
            as 'select ''2020-01-01Z''::timestamptz'`.execute(portal.db)
  const rowsOf = [402, 399].map((days) => ({
    customer_number: ACCOUNT,
    kind: 'contacts' as const,
    id: contactId(`${days}@removals.example`),
    removed_at: daysAgo(days),
  }))
  await portal.db.insertInto('removed_record').values(rowsOf).execute()
  expect((await ask({ removedSince: daysAgo(401).toISOString() })).body.code).toBe('TOO_LONG_AGO')
  expect(await removedIds('contacts', daysAgo(399.5).toISOString())).toContain(contactId('399@removals.example'))
  await deleteOldRemovals(portal.db)
  const left = await portal.db
    .selectFrom('removed_record')
    .select('id')
    .where('id', 'like', '%@removals.example')
    .execute()
  const ids = left.map(({ id }) => id)
  expect(ids).toContain(contactId('399@removals.example'))
  expect(ids).not.toContain(contactId('402@removals.example'))
})

type Documented = { parameters: { name: string; required?: boolean }[] }

test('the documentation lists the call', async () => {
  const answer = await portal.app.inject({ url: '/api/docs/json' })
  const { paths, components } = answer.json<{
    paths: Record<string, { get?: Documented }>
    components: { schemas: Record<string, object> }
  }>()
  const parameters = paths['/service/v1/removed/contacts']?.get?.parameters ?? []
  expect(parameters.map(({ name }) => name)).toEqual(['removedSince', 'after', 'limit'])
  expect(JSON.stringify(components.schemas.ServiceContactsRemovedAnswer)).toContain(
    '900001:nora.lind@northwind.example',
  )
})

test('a host that its user deletes is in the list of changes, with the time', async () => {
  const lease = {
    activationId: 'removals-1',
    customerNumber: ACCOUNT,
    entitlementId: 'ENT-removals-1',
    partNumber: 'EXA0010110',
    licenseModel: 'Network',
    quantity: 2,
    startDate: '2020-01-01',
    endDate: '2099-12-31',
  }
  expect(await portal.save('entitlements', [lease])).toMatchObject([{ result: 'created' }])
  const host = { hostId: '0242ac11beef', hostIdType: 'ETHERNET' }
  const asAda = await portal.as(ADA)
  const activated = await asAda(createFulfillments, {
    body: {
      customerNumber: ACCOUNT,
      serverName: 'removals-host',
      serverId: host.hostId,
      serverIdType: host.hostIdType,
      activations: [{ id: lease.activationId, count: 1 }],
    },
  })
  expect(activated.body).toMatchObject({ status: 'SUCCESS' })
  const id = (activated.body.data as { FulfillmentID: string }[])[0]?.FulfillmentID
  const returned = await asAda(returnFulfillments, {
    body: { customerNumber: ACCOUNT, activations: [{ id, count: -1 }] },
  })
  expect(returned.body).toMatchObject({ status: 'SUCCESS' })
  const { until } = await portal.page('hosts', { limit: '1' })
  const changes = async () => (await portal.changes('hosts', until)).filter(({ hostId }) => hostId === host.hostId)
  const removed = await asAda(removeSharedServer, { body: { customerNumber: ACCOUNT, ...host } })
  expect(removed.body).toMatchObject({ status: 'SUCCESS' })
  expect(await changes()).toMatchObject([
    { ...host, customerNumber: ACCOUNT, removedAt: portal.clock.now().toISOString() },
  ])
})
