import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listServers, type Server } from '#contract/activations/hosts/servers.ts'
import {
  deactivateSharedServer,
  overrideCustomers,
  serverCustomers,
  setSharedServer,
} from '#contract/activations/hosts/shared-server.ts'
import { allEntitlements } from '#contract/activations/seats/activations.ts'
import { createFulfillments } from '#contract/activations/seats/change-seats.ts'
import { HARBOR } from '#server/demo/fulfillments-hosts.ts'
import {
  ADA,
  type Call,
  GRETA,
  hostOf,
  NEW_HOST,
  OLIVIA,
  rowsOf,
  sellLicense,
  VIC,
} from '#server/testing/activations.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const MINE = '100001'
const ALSO_MINE = '100002'
const FOREIGN = '100003'
const UNSEEN = '100009'
const harbor = { hostId: HARBOR.id, hostIdType: HARBOR.type }

let portal: Portal
let ada: Call
let olivia: Call
let hosts = 0
let host = NEW_HOST
beforeAll(async () => {
  portal = await startPortal()
  ada = await portal.as(ADA)
  olivia = await portal.as(OLIVIA)
})
beforeEach(async () => {
  host = { ...NEW_HOST, serverId: (++hosts).toString(16).padStart(12, 'c') }
  await activate(MINE)
})
afterAll(() => portal.close())

async function activate(customerNumber: string) {
  const id = await sellLicense(portal, { customer_number: customerNumber })
  const activations = [{ id, count: 1 }]
  expect((await olivia(createFulfillments, { body: { customerNumber, ...host, activations } })).body.status).toBe(
    'SUCCESS',
  )
  return id
}
const customers = async (call = ada, customerNumber = MINE) =>
  (await call(serverCustomers, { body: { customerNumber, ...hostOf(host) } })).body.data
const setGroup = (group: string[], call = ada, customerNumber = MINE) =>
  call(setSharedServer, { body: { customerNumber, ...hostOf(host), group } })

test('hosts with the same id are not shared until somebody declares it', async () => {
  await activate(ALSO_MINE)
  expect(await customers()).toEqual([])
  const group = [
    { customerNumber: MINE, customerName: 'Aerodyne Motors', isManaged: true, isApproved: true },
    { customerNumber: ALSO_MINE, customerName: 'Aerodyne Racing', isManaged: true, isApproved: true },
  ]
  expect((await setGroup([MINE, ALSO_MINE])).body.data).toEqual(group)
  expect(await customers()).toEqual(group)
  const servers = (await ada(listServers, { body: { customerNumber: MINE } })).body.data as Server[]
  expect(servers.find(({ id }) => id === host.serverId)?.isShared).toBe(true)
})

test('an unseen customer appears with its number only', async () => {
  const greta = await portal.as(GRETA)
  const answer = await greta(serverCustomers, { body: { customerNumber: FOREIGN, ...harbor } })
  expect(answer.body.data).toEqual([
    { customerNumber: FOREIGN, customerName: 'Partner Simulations', isManaged: true, isApproved: true },
    { customerNumber: UNSEEN, customerName: null, isManaged: false, isApproved: null },
  ])
  const seen = rowsOf(await greta(allEntitlements, { body: { customerNumber: FOREIGN, serverId: HARBOR.id } }))
  expect(new Set(seen.map(({ customerNumber }) => customerNumber))).toEqual(new Set([FOREIGN]))
})

test("answers nothing about another account's host", async () => {
  expect((await ada(serverCustomers, { body: { customerNumber: MINE, ...harbor } })).status).toBe(404)
  expect((await ada(setSharedServer, { body: { customerNumber: MINE, ...harbor, group: [MINE] } })).status).toBe(404)
})

test.each([
  ['an account that the caller does not see', FOREIGN],
  ['one that does not exist', '999999'],
  ['one under export denial', '100004'],
])('%s cannot be put into a group: 403, audited, and nothing changes', async (_, number) => {
  const answer = await setGroup([MINE, ALSO_MINE, number])
  expect(answer.status).toBe(403)
  expect(answer.body.err).toBe('You do not have enough permissions for such operation.')
  expect(await customers()).toEqual([])
  const audit = await portal.db
    .selectFrom('audit_log')
    .select(['outcome', 'action'])
    .where('customer_number', '=', number)
    .where('email', '=', ADA)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  expect(audit).toEqual({ outcome: 'refused', action: 'sharedserver' })
})

test('business operations cannot put an account under export denial into a group either', async () => {
  expect((await setGroup([MINE, '100004'], olivia)).status).toBe(403)
})

test('unmanaged members may stay, and are removed only with an override', async () => {
  await setGroup([MINE, FOREIGN], olivia)
  expect((await setGroup([MINE, ALSO_MINE])).body).toMatchObject({ status: 'FAILURE', code: 'UNMANAGED_MEMBERS' })
  expect((await setGroup([MINE, ALSO_MINE, FOREIGN])).body.data).toMatchObject([
    { customerNumber: MINE },
    { customerNumber: ALSO_MINE },
    { customerNumber: FOREIGN, customerName: null, isManaged: false },
  ])
})

test('override removes unmanaged members, keeps their seats, and notifies both accounts', async () => {
  const theirs = await activate(FOREIGN)
  await setGroup([MINE, ALSO_MINE, FOREIGN], olivia)
  const answer = await ada(overrideCustomers, { body: { customerNumber: MINE, ...hostOf(host) } })
  expect(answer.body).toEqual({ status: 'SUCCESS', data: [{ customerNumber: FOREIGN, status: 'SUCCESS' }] })
  expect(await customers()).toMatchObject([{ customerNumber: MINE }, { customerNumber: ALSO_MINE }])
  const kept = await portal.db
    .selectFrom('host_seats')
    .select('seats')
    .where('activation_id', '=', theirs)
    .executeTakeFirstOrThrow()
  expect(kept.seats).toBe(1)
  const audits = await portal.db
    .selectFrom('audit_log')
    .select(['customer_number', 'before', 'after'])
    .where('action', '=', 'fulfillments/override')
    .where('target', '=', host.serverId)
    .where('email', '=', ADA)
    .orderBy('customer_number')
    .execute()
  const change = { before: [MINE, ALSO_MINE, FOREIGN], after: [MINE, ALSO_MINE] }
  expect(audits).toEqual([MINE, ALSO_MINE, FOREIGN].map((customer_number) => ({ customer_number, ...change })))
  const mail = await portal.db
    .selectFrom('mail')
    .select(['recipients', 'subject', 'body_text'])
    .where('customer_number', '=', FOREIGN)
    .where('subject', 'like', '%no longer shares%')
    .executeTakeFirstOrThrow()
  expect(mail.recipients).toEqual(['petra.principal@partner.example'])
  expect(mail.body_text).toContain(`MAC_ADDRESS=${host.serverId}`)
  const again = await ada(overrideCustomers, { body: { customerNumber: MINE, ...hostOf(host) } })
  expect(again.body.data).toEqual([])
})

test('deactivating removes the customers that the caller manages; the others keep sharing', async () => {
  await setGroup([MINE, FOREIGN, UNSEEN], olivia)
  const answer = await ada(deactivateSharedServer, { body: { customerNumber: MINE, ...hostOf(host) } })
  expect(answer.body.data).toEqual([{ customerNumber: MINE, status: 'SUCCESS' }])
  expect(await customers()).toEqual([])
  await activate(FOREIGN)
  expect(await customers(olivia, FOREIGN)).toMatchObject([{ customerNumber: FOREIGN }, { customerNumber: UNSEEN }])
  expect((await ada(deactivateSharedServer, { body: { customerNumber: MINE, ...hostOf(host) } })).body.data).toEqual([])
})

test('a customer that already shares the server in another group is refused', async () => {
  await activate(ALSO_MINE)
  await setGroup([ALSO_MINE, FOREIGN], olivia, ALSO_MINE)
  expect((await setGroup([MINE, ALSO_MINE])).body).toMatchObject({
    code: 'SHARED_ELSEWHERE',
    err: 'Customer 100002 shares this license server with other customers already. Take it out of that group first.',
  })
})

test('setting a group of one customer ends the sharing', async () => {
  await setGroup([MINE, ALSO_MINE])
  expect((await setGroup([MINE])).body.data).toEqual([])
  expect(await customers()).toEqual([])
})

test('the group must include the account that the call is about', async () => {
  expect((await setGroup([ALSO_MINE])).status).toBe(400)
})

test.each([
  ['sharedserver', setSharedServer],
  ['deactivate', deactivateSharedServer],
  ['override', overrideCustomers],
])('a viewer cannot call %s', async (_, operation) => {
  const vic = await portal.as(VIC)
  const body = { customerNumber: MINE, ...hostOf(host), group: [MINE] }
  expect((await vic(operation, { body })).status).toBe(403)
})

test('of two groups that are set at the same time, one is stored whole', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, at) => setGroup(at % 2 ? [MINE, ALSO_MINE] : [MINE])),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const members = (await customers()) as unknown[]
  expect([0, 2]).toContain(members.length)
})
