import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  exportServers,
  getHistory,
  hostHistoryList,
  hostTimeline,
  MAX_ENTRIES,
} from '#contract/activations/history/history.ts'
import { getServer } from '#contract/activations/hosts/servers.ts'
import { removeSharedServer } from '#contract/activations/hosts/shared-server.ts'
import { emailLicense, generateLicense, listLicenseFiles } from '#contract/activations/license-files/license-files.ts'
import { createFulfillments, returnFulfillments } from '#contract/activations/seats/change-seats.ts'
import type { DataOf, Operation } from '#contract/kit/operation.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { batches } from '#domain/activations/plans/plan.ts'
import { DEMO_HOSTS, HARBOR } from '#server/demo/fulfillments-hosts.ts'
import { ADA, type Call, GRETA, hostOf, NEW_HOST, OLIVIA, sellLicense, VIC } from '#server/testing/activations.ts'
import { type CallParts, type Portal, startPortal } from '#server/testing/portal.ts'

const customerNumber = '100001'
const MINUTE = 60_000
type Groups = DataOf<typeof getHistory>[number]['groups']

let portal: Portal
let ada: Call
let olivia: Call
let made = 0
let host: HostIdentity
beforeAll(async () => {
  portal = await startPortal()
  ada = await portal.as(ADA)
  olivia = await portal.as(OLIVIA)
})
beforeEach(() => {
  host = { ...NEW_HOST, serverName: `lic-test-${++made}`, serverId: made.toString(16).padStart(12, 'd') }
})
afterAll(() => portal.close())

const filterOn = (name: string, method: string, value: unknown) => ({
  condition: 'ALL',
  criteria: [{ name, method, value }],
})

async function done(call: Call, operation: Operation, body: object) {
  const answer = await call(operation, { body: { customerNumber, ...body } })
  expect(answer.body).toMatchObject({ status: 'SUCCESS' })
  return answer.body
}

async function activate(id: string, count: number, call = ada, on = host): Promise<string> {
  const { data } = await done(call, createFulfillments, { ...on, activations: [{ id, count }] })
  return (data as { FulfillmentID: string }[])[0]?.FulfillmentID ?? ''
}
const giveBack = (id: string, count: number, action = 'EDIT') =>
  done(ada, returnFulfillments, { action, activations: [{ id, count: -count }] })

async function history(more: object = {}, hosts = [host], call = ada) {
  const { data } = await done(call, getHistory, { hosts: hosts.map(hostOf), ...more })
  return data as DataOf<typeof getHistory>
}
const loadGroups = async (more: object = {}): Promise<Groups> => (await history(more))[0]?.groups ?? []
const countsOf = (groups: Groups) => groups.map(({ rows }) => rows.map(({ count }) => count))

async function loadTable(state: 'Active' | 'Inactive', more: object = {}) {
  const filter = filterOn('serverName', 'EQUALS', host.serverName)
  const { data } = await done(ada, hostHistoryList.page, { state, filter, ...more })
  return data as Record<string, unknown>[]
}

async function downloadCsv(more: object = {}): Promise<string[]> {
  const answer = await ada(exportServers, { body: { customerNumber, state: 'Active', ...more } })
  expect(answer.status).toBe(200)
  return String(answer.body.text).replace('\ufeff', '').trimEnd().split('\r\n')
}

describe('history', () => {
  test('groups entries at most 30 seconds apart, and sums the counts of an entitlement', async () => {
    const [one, other] = [await sellLicense(portal), await sellLicense(portal, { product_name: 'Fluid Flow Pro' })]
    const first = await activate(one, 4)
    portal.clock.forward(30_000)
    await activate(other, 2, olivia)
    portal.clock.forward(30_000)
    await giveBack(first, 3)
    portal.clock.forward(30_001)
    await giveBack(first, 1, 'DEACTIVATE')

    const groups = await loadGroups()
    expect(countsOf(groups)).toEqual([[-1], [1, 2]])
    expect(groups[0]).toMatchObject({ modifiedby: [ADA], action: ['DEACTIVATE'] })
    expect(groups[1]?.modifiedby).toEqual([ADA, OLIVIA])
    expect(groups[1]?.rows[1]).toEqual({
      time: new Date(Date.parse(groups[1]?.time ?? '') + 30_000).toISOString(),
      modifiedby: OLIVIA,
      action: 'EDIT',
      ansysproduct: 'Fluid Flow Pro',
      activationid: other,
      count: 2,
      startdate: '2020-01-01',
      enddate: '2099-12-31',
    })
  })

  test.each([
    ['shows when its maintenance ends', '2099-03-31', 'Maintenance ends on 2099-03-31'],
    ['without a version date has an empty expiration date', null, ''],
  ])('a permanent license %s', async (_, version_date, enddate) => {
    await activate(await sellLicense(portal, { end_date: null, is_permanent: true, version_date }), 1)
    expect((await loadGroups())[0]?.rows[0]?.enddate).toBe(enddate)
  })

  test('answers at most five hosts, each on its own, in the order of the request', async () => {
    await activate(await sellLicense(portal), 1)
    const triad = DEMO_HOSTS[customerNumber]?.[1]
    const types = Array.from({ length: 3 }, () => triad?.type).join(',')
    const hosts = [{ serverName: '', serverId: triad?.id ?? '', serverIdType: types }, host]
    const answer = await history({}, hosts)
    expect(answer.map(({ hostId }) => hostId)).toEqual([triad?.id, host.serverId])
    expect(answer[0]?.hostIdType).toBe('ETHERNET,ETHERNET,ETHERNET')
    const six = Array.from({ length: 6 }, () => hostOf(host))
    expect((await ada(getHistory, { body: { customerNumber, hosts: six } })).status).toBe(400)
  })

  test('a filter shows rows with a matching entry, with their whole count', async () => {
    const [one, other] = [await sellLicense(portal), await sellLicense(portal, { product_name: 'Fluid Flow Pro' })]
    await activate(one, 4)
    await activate(other, 2)
    portal.clock.forward(1000)
    await activate(one, 1, olivia)
    await activate(one, 2, olivia)
    const found = async (filter: object) => countsOf(await loadGroups({ filter }))
    expect(await found(filterOn('modifiedby', 'CONTAINS', 'OLIVIA'))).toEqual([[3]])
    expect(await found(filterOn('ansysproduct', 'EQUALS', 'fluid flow pro'))).toEqual([[2]])
    expect(await found(filterOn('count', 'EQUALS', 2))).toEqual([[2, 3]])
    expect(await found(filterOn('action', 'EQUALS', 'REHOST'))).toEqual([])
    expect(await found(filterOn('enddate', 'CONTAINS', '2099'))).toEqual([[2, 4, 3]])
  })

  test('answers only the newest entries of a host with a very long history', async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, () => sellLicense(portal, { line_item_quantity: 1000 })))
    await activate(ids[0] ?? '', 1)
    const earlier = Array.from({ length: MAX_ENTRIES }, (_, at) => ({
      customer_number: customerNumber,
      activation_id: ids[at % ids.length] ?? '',
      host_id_type: 'ETHERNET' as const,
      host_id: host.serverId,
      fulfill_count: 1,
      fulfilled_at: new Date(portal.clock.now().getTime() - (at + 1) * MINUTE),
    }))
    for (const rows of batches(earlier, 250)) await portal.db.insertInto('fulfillment').values(rows).execute()
    const [answer] = await history()
    expect(answer?.isComplete).toBe(false)
    expect(answer?.groups.length).toBe(MAX_ENTRIES)
    expect(answer?.groups[0]?.modifiedby).toEqual([ADA])
    const more = await done(ada, hostTimeline, hostOf(host))
    expect(more).toMatchObject({ hasEarlier: true })
    expect((await downloadCsv({ hostIds: host.serverId })).length).toBe(MAX_ENTRIES + 2)
  })
})

describe('tables of hosts', () => {
  test('a host is active while it holds seats, and inactive once they are returned', async () => {
    const id = await sellLicense(portal)
    const fulfillment = await activate(id, 2)
    expect(await loadTable('Inactive')).toEqual([])
    expect(await loadTable('Active')).toEqual([
      {
        serverName: host.serverName,
        serverId: host.serverId,
        serverIdType: 'ETHERNET',
        hostid: `MAC_ADDRESS=${host.serverId}`,
        isShared: false,
        licenseFile: 'Out of date',
        time: portal.clock.now().toISOString(),
        modifiedby: ADA,
        action: 'EDIT',
        actionword: 'Changed',
        ansysproduct: 'Structural Mechanics Pro',
        activationid: id,
        count: 2,
        startdate: '2020-01-01',
        enddate: '2099-12-31',
      },
    ])
    portal.clock.forward(MINUTE)
    await giveBack(fulfillment, 2, 'DEACTIVATE')
    expect(await loadTable('Active')).toEqual([])
    expect(await loadTable('Inactive')).toMatchObject([{ action: 'DEACTIVATE', count: -2 }])
  })

  test('a history filter finds hosts by any of their entries, and shows the newest match', async () => {
    await activate(await sellLicense(portal), 1, olivia)
    portal.clock.forward(MINUTE)
    await activate(await sellLicense(portal), 3)
    expect(await loadTable('Active')).toMatchObject([{ modifiedby: ADA, count: 3 }])
    const history = filterOn('modifiedby', 'CONTAINS', 'olivia')
    expect(await loadTable('Active', { history })).toMatchObject([{ modifiedby: OLIVIA, count: 1 }])
    expect(await loadTable('Active', { history: filterOn('action', 'EQUALS', 'REHOST') })).toEqual([])
    expect(await loadTable('Active', { history: filterOn('actionword', 'CONTAINS', 'chang') })).not.toEqual([])
    expect(await loadTable('Active', { history: filterOn('actionword', 'CONTAINS', 'rehost') })).toEqual([])
    const counted = await done(ada, hostHistoryList.count, { state: 'Active', history })
    expect(counted.data).toBeGreaterThan(0)
  })

  test('a deleted host is in neither table nor in the CSV until it is used again', async () => {
    const id = await sellLicense(portal)
    await giveBack(await activate(id, 2), 2)
    expect(await loadTable('Inactive')).toMatchObject([{ serverId: host.serverId }])
    await done(ada, removeSharedServer, hostOf(host))
    expect(await loadTable('Inactive')).toEqual([])
    const named = { customerNumber, hostIds: host.serverId }
    expect((await ada(exportServers, { body: named })).status).toBe(404)
    const filter = filterOn('serverName', 'EQUALS', host.serverName)
    expect((await downloadCsv({ state: undefined, filter })).length).toBe(1)
    await activate(id, 1)
    expect(await loadTable('Active')).toMatchObject([{ serverId: host.serverId }])
    expect((await loadGroups()).flatMap(({ rows }) => rows).length).toBeGreaterThan(0)
  })

  test('a token does not continue under another history filter', async () => {
    const page = { state: 'Active', limit: 1 }
    const { token } = await done(ada, hostHistoryList.page, page)
    const body = { customerNumber, ...page, token, history: filterOn('modifiedby', 'CONTAINS', 'ada') }
    expect((await ada(hostHistoryList.page, { body })).status).toBe(400)
  })

  test.each([
    ['an unknown field', filterOn('colour', 'EQUALS', 1)],
    ['a method that the field has not', filterOn('count', 'CONTAINS', '1')],
    ['no filter at all', { some: 'thing' }],
  ])('refuses a history filter with %s', async (_, history) => {
    expect((await ada(hostHistoryList.page, { body: { customerNumber, state: 'Active', history } })).status).toBe(400)
    expect((await ada(exportServers, { body: { customerNumber, state: 'Active', history } })).status).toBe(400)
    const body = { customerNumber, hosts: [hostOf({ ...host, serverId: '3cecef4b7d10' })], filter: history }
    expect((await ada(getHistory, { body })).status).toBe(400)
  })
})

describe('CSV', () => {
  test('has the columns of the specification, quoted, and no formula', async () => {
    const id = await sellLicense(portal, { product_name: 'Structural Mechanics Pro' })
    await portal.db
      .updateTable('entitlement')
      .set({ product_name: '=cmd|"calc", A1' })
      .where('activation_id', '=', id)
      .execute()
    await activate(id, 2)
    const answer = await ada(exportServers, { body: { customerNumber, state: 'Active' } })
    expect(answer.headers['content-disposition']).toContain('ActiveServers_100001.csv')
    const lines = await downloadCsv({ hostIds: host.serverId })
    expect(lines).toEqual([
      '"Hostname (hostid)","Time (UTC)","Modified by","Action","Product","Entitlement","Count","Start Date","End Date"',
      `"${host.serverName} (MAC_ADDRESS=${host.serverId})",${portal.clock.now().toISOString().slice(0, 19).replace('T', ' ')},"${ADA}","Changed","'=cmd|""calc"", A1","${id}",2,"2020-01-01","2099-12-31"`,
    ])
  })

  test('has all matching hosts, with all matching entries', async () => {
    const id = await sellLicense(portal)
    await activate(id, 2)
    portal.clock.forward(MINUTE)
    await activate(id, 1, olivia)
    const filter = filterOn('serverName', 'EQUALS', host.serverName)
    expect((await downloadCsv({ filter })).length).toBe(3)
    const byOlivia = await downloadCsv({ filter, history: filterOn('modifiedby', 'EQUALS', OLIVIA) })
    expect(byOlivia.length).toBe(2)
    expect(byOlivia[1]).toContain(OLIVIA)
    expect((await downloadCsv({ filter, state: 'Inactive' })).length).toBe(1)
  })

  test('names a triad by its three ids, and has every host if the request names none', async () => {
    const triad = DEMO_HOSTS[customerNumber]?.[1]
    const hostsIn = (lines: string[]) => new Set(lines.slice(1).map((line) => line.split('"')[1]))
    const named = hostsIn(await downloadCsv({ hostIds: `${triad?.id},3cecef4b7d10` }))
    expect(named).toEqual(
      new Set([`${triad?.name} (MAC_ADDRESS=${triad?.id})`, 'lic-berlin-01 (MAC_ADDRESS=3cecef4b7d10)']),
    )
    const all = hostsIn(await downloadCsv({ state: undefined, hostIds: '' }))
    expect([...all].some((name) => name?.startsWith('lic-berlin-00'))).toBe(true)
  })
})

describe('the CSV of named hosts', () => {
  test.each([
    ['that no account has', 'ffffffffff01', 'ffffffffff01'],
    ['beside one that the account has', '3cecef4b7d10,ffffffffff01', 'ffffffffff01'],
    ['that is one of a triad', DEMO_HOSTS[customerNumber]?.[1]?.id.split(',')[0] ?? '', undefined],
  ])('the CSV is refused for an id %s', async (_, hostIds, unknown = hostIds) => {
    const { status, body } = await ada(exportServers, { body: { customerNumber, hostIds } })
    expect([status, body.err]).toEqual([404, `This account has no license server ${unknown}`])
  })

  test('has no lines for a host that is in the other table', async () => {
    await activate(await sellLicense(portal), 1)
    expect((await downloadCsv({ state: 'Inactive', hostIds: host.serverId })).length).toBe(1)
  })
})

test('the timeline shows who activated, returned, generated and mailed, newest first', async () => {
  const fulfillment = await activate(await sellLicense(portal), 5)
  portal.clock.forward(MINUTE)
  await done(ada, generateLicense, host)
  portal.clock.forward(MINUTE)
  await done(ada, emailLicense, { serverName: host.serverName, serverId: host.serverId })
  portal.clock.forward(MINUTE)
  await giveBack(fulfillment, 2)
  const { data, hasEarlier } = await done(ada, hostTimeline, hostOf(host))
  const fileId = expect.stringMatching(/^[0-9a-f-]{36}$/)
  const none = {
    by: ADA,
    seats: null,
    entitlements: null,
    otherHost: null,
    reason: null,
    fileId: null,
    recipients: [],
    time: expect.any(String),
  }
  expect(data).toEqual([
    { ...none, kind: 'RETURNED', seats: 2, entitlements: 1 },
    { ...none, kind: 'MAILED', fileId, recipients: [ADA] },
    { ...none, kind: 'GENERATED', fileId },
    { ...none, kind: 'ACTIVATED', seats: 5, entitlements: 1 },
  ])
  expect(hasEarlier).toBe(false)
  const short = await done(ada, hostTimeline, { ...hostOf(host), limit: 2 })
  expect(short).toMatchObject({ data: [{ kind: 'RETURNED' }, { kind: 'MAILED' }], hasEarlier: true })
})

test('the timeline names the other host of a rehost, on both of them, also after one is deleted', async () => {
  const id = await sellLicense(portal)
  const from = host
  const to = { ...host, serverName: `${host.serverName}-new`, serverId: made.toString(16).padStart(12, 'e') }
  const fulfillment = await activate(id, 3)
  portal.clock.forward(MINUTE)
  await giveBack(fulfillment, 3, 'REHOST')
  portal.clock.forward(1000)
  await done(ada, createFulfillments, { ...to, action: 'REHOST', activations: [{ id, count: 3 }] })
  const rehosts = async (of: HostIdentity) =>
    ((await done(ada, hostTimeline, hostOf(of))).data as DataOf<typeof hostTimeline>).filter(
      ({ otherHost }) => otherHost,
    )
  expect(await rehosts(from)).toMatchObject([{ kind: 'REHOSTED_AWAY', seats: 3, otherHost: { ...to, isListed: true } }])
  expect(await rehosts(to)).toMatchObject([{ kind: 'REHOSTED_HERE', seats: 3, otherHost: { ...from, isListed: true } }])
  await done(ada, removeSharedServer, hostOf(from))
  expect(await rehosts(to)).toMatchObject([{ otherHost: { ...from, isListed: false } }])
})

test('one host says whether its license file is up to date', async () => {
  const load = async () => (await done(ada, getServer, { serverId: host.serverId })).data
  expect((await ada(getServer, { body: { customerNumber, serverId: host.serverId } })).status).toBe(404)
  const fulfillment = await activate(await sellLicense(portal), 2)
  expect(await load()).toEqual({
    id: host.serverId,
    name: host.serverName,
    type: 'ETHERNET',
    state: 'Active',
    isOutOfDate: true,
    portNumber: 1055,
    ansysborrowed: false,
    isShared: false,
    generatedAt: null,
    generatedBy: null,
    deletedAt: null,
  })
  await done(ada, generateLicense, host)
  expect(await load()).toMatchObject({ isOutOfDate: false, generatedBy: ADA })
  await giveBack(fulfillment, 1)
  expect(await load()).toMatchObject({ isOutOfDate: true })
})

test('a triad is found by its ids in any order', async () => {
  const triad = DEMO_HOSTS[customerNumber]?.[1]
  const serverId = triad?.id.split(',').toReversed().join(',')
  expect((await done(ada, getServer, { serverId })).data).toMatchObject({ id: triad?.id, name: triad?.name })
})

test.each([
  ['its first id', (ids: string[]) => ids[0]],
  ['its last id, with separators', (ids: string[]) => ids[2]?.match(/../g)?.join(':')],
])('a triad is found by %s alone', async (_, idOf) => {
  const triad = DEMO_HOSTS[customerNumber]?.[1]
  const serverId = idOf(triad?.id.split(',') ?? [])
  expect((await done(ada, getServer, { serverId })).data).toMatchObject({ id: triad?.id, name: triad?.name })
})

test('a license server of its own is found before a triad that has its id as well, and a deleted triad last', async () => {
  const id = '02d0c0ffee01'
  const triadOf = (...others: string[]) => ({
    serverName: 'x-1,x-2,x-3',
    serverId: [id, ...others].join(','),
    serverIdType: 'ETHERNET,ETHERNET,ETHERNET',
  })
  const deleted = triadOf('02d0c0ffee02', '02d0c0ffee03')
  const kept = triadOf('02d0c0ffee04', '02d0c0ffee05')
  const activateOn = async (server: HostIdentity) => activate(await sellLicense(portal), 1, ada, server)
  const found = async () => ((await done(ada, getServer, { serverId: id })).data as { id: string }).id
  await giveBack(await activateOn(deleted), 1)
  await done(ada, removeSharedServer, hostOf(deleted))
  expect(await found()).toBe(deleted.serverId)
  await activateOn(kept)
  expect(await found()).toBe(kept.serverId)
  await activateOn({ serverName: 'x-1', serverId: id, serverIdType: 'ETHERNET' })
  expect(await found()).toBe(id)
})

test('a deleted host keeps its history, its timeline and its license files', async () => {
  const fulfillment = await activate(await sellLicense(portal), 2)
  portal.clock.forward(MINUTE)
  await done(ada, generateLicense, host)
  portal.clock.forward(MINUTE)
  await giveBack(fulfillment, 2)
  await done(ada, removeSharedServer, hostOf(host))
  const { data } = await done(ada, getServer, { serverId: host.serverId })
  expect(data).toMatchObject({ state: 'Inactive', deletedAt: portal.clock.now().toISOString() })
  expect(countsOf(await loadGroups())).toEqual([[-2], [2]])
  const timeline = await done(ada, hostTimeline, hostOf(host))
  expect(timeline.data).toMatchObject([{ kind: 'RETURNED' }, { kind: 'GENERATED' }, { kind: 'ACTIVATED' }])
  expect((await done(ada, listLicenseFiles, { serverId: host.serverId })).data).toHaveLength(1)
})

const onHost = { hostId: '3cecef4b7d10', hostIdType: 'ETHERNET' }
const CALLS: readonly (readonly [Operation, object])[] = [
  [hostHistoryList.page, { state: 'Active' }],
  [hostHistoryList.count, { state: 'Active' }],
  [hostHistoryList.distinct, { state: 'Active' }],
  [getHistory, { hosts: [onHost] }],
  [exportServers, { state: 'Active' }],
  [hostTimeline, onHost],
  [getServer, { serverId: onHost.hostId }],
]

describe.each(CALLS)('the operation $name', (operation, body) => {
  const statusFor = async (email: string | null, parts: CallParts) =>
    (await (await portal.as(email))(operation, parts)).status

  test('needs the right to read', async () => {
    expect(await statusFor(VIC, { body: { customerNumber, ...body } })).toBe(200)
    expect(await statusFor(null, { body: { customerNumber, ...body } })).toBe(401)
    expect(await statusFor(GRETA, { body: { customerNumber, ...body } })).toBe(404)
    expect(await statusFor(ADA, { body: { customerNumber: '999999', ...body } })).toBe(404)
    // Access to this account is disabled.
    expect(await statusFor('hal.heritage@heritage.example', { body: { customerNumber: '100008', ...body } })).toBe(403)
  })

  test('refuses unknown fields', async () => {
    expect(await statusFor(ADA, { body: { customerNumber, ...body, unknown: 1 } })).toBe(400)
    expect(await statusFor(ADA, { body: { ...body } })).toBe(400)
  })
})

test("another account's host is 404", async () => {
  const foreign = { hostId: HARBOR.id, hostIdType: HARBOR.type }
  expect((await ada(getHistory, { body: { customerNumber, hosts: [onHost, foreign] } })).status).toBe(404)
  expect((await ada(hostTimeline, { body: { customerNumber, ...foreign } })).status).toBe(404)
  expect((await ada(getServer, { body: { customerNumber, serverId: HARBOR.id } })).status).toBe(404)
  expect((await ada(exportServers, { body: { customerNumber, hostIds: HARBOR.id } })).status).toBe(404)
})

test('an invalid host id is refused', async () => {
  const wrong = { hostId: 'xyz', hostIdType: 'ETHERNET' }
  expect((await ada(getHistory, { body: { customerNumber, hosts: [wrong] } })).status).toBe(400)
  expect((await ada(hostTimeline, { body: { customerNumber, ...wrong } })).status).toBe(400)
  expect((await ada(getServer, { body: { customerNumber, serverId: 'xyz' } })).status).toBe(400)
})
