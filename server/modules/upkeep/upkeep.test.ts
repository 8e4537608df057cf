import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { unlockPin } from '#contract/elastic/credentials/pin-locks.ts'
import { resendMessage } from '#contract/outbox/failed-messages.ts'
import { getUpkeep, type Upkeep } from '#contract/upkeep/upkeep.ts'
import { elasticServerId } from '#server/demo/parts/elastic-servers.demo.ts'
import { INTERRUPTED } from '#server/recovery/recovery-runs.queries.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const OLIVIA = 'olivia.ops@vendor.example'
const SAM = 'sam.support@vendor.example'
const ADAM = 'adam.admin@vendor.example'
const SARA = 'sara.sales@vendor.example'
const ADA = 'ada.admin@aerodyne.example'
const HOUR = 3_600_000
const DAY = 24 * HOUR

let portal: Portal
beforeAll(async () => {
  portal = await startPortal({ BACKUP_DIR: '/backups', BACKUP_AT: '02:15' })
})
afterAll(() => portal.close())

async function load(email = OLIVIA): Promise<Upkeep> {
  const { status, body } = await (await portal.as(email))(getUpkeep)
  expect(status).toBe(200)
  return body.data as Upkeep
}
const before = (milliseconds: number) => new Date(portal.clock.now().getTime() - milliseconds)

describe('who may look', () => {
  test.each([OLIVIA, SAM, ADAM])('%s may see the upkeep', async (email) => {
    expect((await (await portal.as(email))(getUpkeep)).status).toBe(200)
  })
  test.each([
    [SARA, 403],
    [ADA, 403],
    [null, 401],
  ])('%s gets %i', async (email, status) => {
    expect((await (await portal.as(email))(getUpkeep)).status).toBe(status)
  })
})

describe('backups and drills', () => {
  const insert = (kind: 'backup' | 'drill', begun: Date, more: Record<string, unknown> = {}) =>
    portal.db
      .insertInto('recovery_run')
      .values({ kind, begun_by: 'operator', machine: 'here', begun_at: begun, ...more } as never)
      .execute()

  test('are late while there are none, and the next backup is known', async () => {
    const { backups, drills } = await load()
    expect(backups).toMatchObject({ schedule: '02:15', isLate: true, lastSuccess: null, runs: [] })
    expect(backups?.nextAt).toMatch(/T02:15:00\.000Z$/)
    expect(drills).toMatchObject({ schedule: null, nextAt: null, isLate: true, lastSuccess: null, runs: [] })
  })

  test('are listed with their result, the newest first, and one that is not seen any more was interrupted', async () => {
    const ended_at = before(0)
    await insert('backup', before(HOUR), { state: 'done', ended_at, file: '/backups/one', bytes: '12', row_count: '3' })
    await insert('drill', before(3 * HOUR), {
      ...{ state: 'done', ended_at, file: '/backups/one', recovery_point: '5000', recovery_time: '700' },
      findings: JSON.stringify([{ check: 'seats', level: 'ok', text: 'fine' }]),
    })
    await insert('drill', before(2 * HOUR), { state: 'failed', ended_at, failure: 'No room' })
    await insert('drill', before(HOUR), { seen_at: new Date(Date.now() - HOUR) })
    await insert('drill', before(0), { seen_at: new Date() })
    const { backups, drills } = await load()
    expect(backups).toMatchObject({ isLate: false, lastSuccess: { bytes: 12, rows: 3 } })
    expect(drills?.lastSuccess).toMatchObject({
      recoveryPoint: 5000,
      recoveryTime: 700,
      findings: [{ check: 'seats' }],
    })
    expect(drills?.runs).toMatchObject([
      { state: 'running', endedAt: null },
      { state: 'failed', failure: INTERRUPTED, endedAt: expect.any(String) },
      { state: 'failed', failure: 'No room' },
      { state: 'done' },
    ])
  })
})

test('failed messages of every lane are listed, and leave the list when they are sent again', async () => {
  await portal.db.deleteFrom('outbox_message').execute()
  const message = (lane: string, state: 'queued' | 'failed', payload: object) => ({
    ...{ id: randomUUID(), lane, state, payload: JSON.stringify(payload), queued_at: portal.clock.now() },
    next_attempt_at: state === 'queued' ? new Date('2099-01-01T00:00:00Z') : null,
    trouble: state === 'failed' ? 'no such receiver' : '',
  })
  const failed = message('hook', 'failed', { customerNumber: '100001' })
  await portal.db
    .insertInto('outbox_message')
    .values([failed, message('hook', 'queued', {})])
    .execute()
  const { messages } = await load(SAM)
  expect(messages).toEqual({
    lanes: [{ lane: 'hook', queued: 1, failed: 1 }],
    failed: [
      {
        ...{ id: failed.id, lane: 'hook', attempts: 0, trouble: 'no such receiver', customerNumber: '100001' },
        queuedAt: portal.clock.now().toISOString(),
      },
    ],
  })
  const params = { id: failed.id }
  expect((await (await portal.as(SAM))(resendMessage, { params })).status, 'support only reads').toBe(403)
  expect((await (await portal.as(OLIVIA))(resendMessage, { params: { id: 'x' } })).status).toBe(400)
  // No lane of this portal sends such messages.
  expect((await (await portal.as(OLIVIA))(resendMessage, { params })).status).toBe(404)
  await portal.db.deleteFrom('outbox_message').execute()
  expect((await load()).messages).toEqual({ lanes: [], failed: [] })
})

test('tasks that wait, run or failed lately are listed with their owner', async () => {
  const task = (state: 'running' | 'failed' | 'ready', finished_at: Date | null) => ({
    ...{ customer_number: '100001', kind: 'usage-export', requested_by: ADA, request: '{}', file_name: `${state}.csv` },
    ...{ state, requested_at: before(DAY), finished_at, failure: state === 'failed' ? ('error' as const) : null },
    kept_until: state === 'ready' ? portal.clock.now() : null,
  })
  await portal.db
    .insertInto('background_task')
    .values([
      task('running', null),
      task('failed', before(6 * DAY)),
      task('failed', before(8 * DAY)),
      task('ready', before(1)),
    ])
    .execute()
  onTestFinished(async () => void (await portal.db.deleteFrom('background_task').execute()))
  const { tasks } = await load()
  expect(tasks?.tasks).toHaveLength(2)
  expect(tasks?.tasks).toContainEqual(
    expect.objectContaining({ state: 'running', requestedBy: ADA, accountName: 'Aerodyne Motors', failure: null }),
  )
  expect(tasks?.tasks).toContainEqual(
    expect.objectContaining({ state: 'failed', failure: expect.stringMatching(/^Something went wrong/) }),
  )
  await sql`insert into jobs.job (name, start_after) values ('usage-partitions', now() - interval '2 hours')`.execute(
    portal.db,
  )
  onTestFinished(async () => void (await sql`delete from jobs.job where name = 'usage-partitions'`.execute(portal.db)))
  portal.clock.forward(Math.max(0, Date.now() - portal.clock.now().getTime()))
  expect((await load()).tasks?.lateJobs).toEqual(['usage-partitions'])
})

test('servers that have been silent for a day are late, unless they have been silent for a month', async () => {
  const arrived = (customerNumber: string, at: Date) =>
    portal.db
      .updateTable('elastic_server')
      .set({ usage_arrived_at: at })
      .where('customer_number', '=', customerNumber)
      .execute()
  await portal.db.updateTable('elastic_server').set({ usage_arrived_at: null }).execute()
  expect((await load()).ingest).toEqual({ newestAt: null, lateCount: 0, late: [] })
  await arrived('100001', before(25 * HOUR))
  await arrived('100007', before(31 * DAY))
  await arrived('100008', before(HOUR))
  const { ingest } = await load()
  expect(ingest).toMatchObject({
    newestAt: before(HOUR).toISOString(),
    lateCount: 2,
  })
  const late = { customerNumber: '100001', accountName: 'Aerodyne Motors', arrivedAt: before(25 * HOUR).toISOString() }
  expect(ingest?.late, 'the account has two servers').toMatchObject([late, late])
})

test('locked addresses of all accounts are listed until they are unlocked', async () => {
  const serverId = elasticServerId('100001')
  const lock = (external_ip: string, failures: number, failed_at: Date) => ({
    ...{ customer_number: '100001', server_id: serverId, external_ip, failures, failed_at },
  })
  await portal.db.deleteFrom('pin_failure').execute()
  await portal.db
    .insertInto('pin_failure')
    .values([
      lock('203.0.113.7', 10, before(HOUR)),
      lock('203.0.113.8', 2, before(1)),
      lock('203.0.113.9', 10, before(25 * HOUR)),
    ])
    .execute()
  expect((await load()).locks).toEqual([
    {
      ...{
        customerNumber: '100001',
        accountName: 'Aerodyne Motors',
        serverId,
        externalIp: '203.0.113.7',
        failures: 10,
      },
      until: before(HOUR - DAY).toISOString(),
    },
  ])
  const body = { customerNumber: '100001', serverId, externalIp: '203.0.113.7' }
  expect((await (await portal.as(ADA))(unlockPin, { body })).status).toBe(403)
  expect((await (await portal.as(SAM))(unlockPin, { body })).body).toMatchObject({ data: { unlocked: true } })
  expect((await load()).locks).toEqual([])
})

test('this month and the next have a place', async () => {
  const months = (await load()).partitions?.months.filter(({ state }) => state === 'missing')
  expect(months).toEqual([])
})

test('slow statements are those of the processes, or those of pg_stat_statements where it is there', async () => {
  await sql`update portal_process set slow_statements = ${JSON.stringify([
    { text: 'select slow', calls: 2, meanMilliseconds: 300, maxMilliseconds: 400 },
  ])}`.execute(portal.db)
  await portal.db
    .insertInto('portal_process')
    .values({
      ...{ id: randomUUID(), machine: 'there', pid: 2, version: '0', state: 'draining', started_at: before(DAY) },
      slow_statements: JSON.stringify([{ text: 'select slow', calls: 1, meanMilliseconds: 600, maxMilliseconds: 600 }]),
    })
    .execute()
  expect((await load()).statements).toEqual({
    source: 'portal',
    statements: [{ text: 'select slow', calls: 3, meanMilliseconds: 400, maxMilliseconds: 600 }],
  })
  await sql`create view pg_stat_statements as
    select oid as dbid, 'select  of  server' as query, 7::bigint as calls, 250.04::float8 as mean_exec_time, 900::float8 as max_exec_time
      from pg_database`.execute(portal.db)
  onTestFinished(async () => void (await sql`drop view pg_stat_statements`.execute(portal.db)))
  // As the extension does.
  await sql`grant select on pg_stat_statements to public`.execute(portal.db)
  expect((await load()).statements).toEqual({
    source: 'pg_stat_statements',
    statements: [{ text: 'select of server', calls: 7, meanMilliseconds: 250, maxMilliseconds: 900 }],
  })
})

describe('a process', () => {
  test('is listed while it runs, says when it drains, and is gone when it has closed', async () => {
    const draining = new AbortController()
    const { close: _, ...database } = portal
    const second = await startPortal({}, { draining: draining.signal }, { ...database, close: async () => {} })
    const others = async () => (await load()).processes?.filter(({ pid }) => pid === process.pid) ?? []
    expect(await others()).toMatchObject([{ state: 'ready' }, { state: 'ready' }])
    draining.abort()
    await expect.poll(async () => (await others()).map(({ state }) => state).sort()).toEqual(['draining', 'ready'])
    await second.app.close()
    expect(await others()).toMatchObject([{ state: 'ready' }])
  })

  test('that has not been seen for a minute is not listed', async () => {
    const id = randomUUID()
    const gone = { id, machine: 'gone', pid: 1, version: '0', state: 'ready' as const, started_at: before(DAY) }
    await portal.db
      .insertInto('portal_process')
      .values({ ...gone, seen_at: new Date(Date.now() - 61_000) })
      .execute()
    expect((await load()).processes?.map((one) => one.id)).not.toContain(id)
  })
})

test('a part that cannot be read leaves the others as they are', async () => {
  await sql`alter table recovery_run rename to recovery_run_away`.execute(portal.db)
  onTestFinished(async () => void (await sql`alter table recovery_run_away rename to recovery_run`.execute(portal.db)))
  const { backups, drills, messages, processes } = await load()
  expect([backups, drills]).toEqual([null, null])
  expect(messages).not.toBeNull()
  expect(processes).not.toBeNull()
})
