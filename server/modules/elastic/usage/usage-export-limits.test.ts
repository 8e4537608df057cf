import { type Insertable, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { USAGE_EXPORT } from '#contract/elastic/usage/usage-exports.ts'
import type { Task } from '#contract/tasks/tasks.ts'
import type { Config } from '#server/config.ts'
import { closePools } from '#server/db/database.ts'
import type { DB } from '#server/db/schema.ts'
import { elasticServerId } from '#server/demo/parts/elastic-servers.demo.ts'
import { usageExportTask } from '#server/modules/elastic/usage/usage-export.task.ts'
import type { Services } from '#server/services.ts'
import { taskJob } from '#server/tasks/run-task.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { bookRows, usageRow } from '#server/testing/usage.ts'
import { type ExportsAs, exportsAs, jobServices, uniqueFilter } from '#server/testing/usage-exports.ts'

const CUSTOMER = '100001'
const VIC = 'vic.viewer@aerodyne.example'
const ADA = 'ada.admin@aerodyne.example'
let portal: Portal
let services: Services
let vic: ExportsAs
let ada: ExportsAs

beforeAll(async () => {
  portal = await startPortal({ EXPORTS_PER_PERSON: '5', EXPORTS_PER_ACCOUNT: '7' })
  services = jobServices(portal)
  vic = await exportsAs(portal, VIC, CUSTOMER)
  ada = await exportsAs(portal, ADA, CUSTOMER)
})
afterAll(async () => {
  await closePools(services.pools)
  await portal.close()
})
afterEach(async () => {
  await portal.db.deleteFrom('background_task').execute()
})

/** Exports that were made earlier, without their files. */
async function keep(email: string, count: number, values: Partial<Insertable<DB['background_task']>> = {}) {
  const row = {
    customer_number: CUSTOMER,
    kind: USAGE_EXPORT,
    requested_by: email,
    request: '{}',
    file_name: 'usage.csv',
    state: 'ready' as const,
    requested_at: portal.clock.now(),
    ...values,
  }
  await portal.db
    .insertInto('background_task')
    .values(Array.from({ length: count }, () => row))
    .execute()
}

const criteria = [
  { name: 'EndTime_ts', method: 'AFTER', value: '2020-01-01T00:00:00.000Z' },
  { name: 'Product', method: 'CONTAINS', value: 'pro' },
]
const filter = { condition: 'ALL', criteria }

describe('the same export requested again', () => {
  it('is answered with the one that is being made', async () => {
    const first = await vic.request({ filter })
    const again = await vic.request({ filter })
    expect([first.body.reused, again.body.reused]).toEqual([false, true])
    expect((again.body.data as Task).id).toBe((first.body.data as Task).id)
    expect(await vic.list()).toHaveLength(1)
  })

  it('is answered with the file that is ready, however the request is written', async () => {
    const { id } = await vic.start({ filter })
    await vic.finish(id)
    const after = { ...criteria[0], value: '2020-01-01T01:00:00.000+01:00' }
    const written = {
      filter: { condition: 'ALL', criteria: [{ ...criteria[1], casefold: true }, after] },
      sorting: [{ name: 'StartTime', direction: 'DESC' }],
    }
    expect((await vic.request(written)).body).toMatchObject({ reused: true, data: { id, state: 'ready' } })
  })

  it('is made again for another filter, sorting, server or person', async () => {
    const { id } = await vic.start({ filter })
    await vic.finish(id)
    const others = [
      await vic.request(),
      await vic.request({ filter, sorting: [{ name: 'Product', direction: 'asc' }] }),
      await vic.request({ filter, serverId: 'another' }),
      await ada.request({ filter }),
    ]
    expect(others.map(({ body }) => body.reused)).toEqual([false, false, false, false])
  })

  it('is the same whether it names the only server of the account or none', async () => {
    const only = await portal.db
      .selectFrom('elastic_server')
      .select(({ fn }) => ['customer_number', fn.min('device_id').as('device_id')])
      .groupBy('customer_number')
      .having(({ fn }) => fn.countAll(), '=', 1)
      .executeTakeFirstOrThrow()
    const olivia = await exportsAs(portal, 'olivia.ops@vendor.example', only.customer_number)
    const { id } = await olivia.start({ filter })
    expect((await olivia.start({ filter, serverId: only.device_id })).id).toBe(id)
  })

  it('is made again after usage was received', async () => {
    const { id } = await vic.start({ filter })
    await vic.finish(id)
    // This usage arrived before usage that was booked earlier.
    const received = usageRow({
      customer_number: CUSTOMER,
      server_id: elasticServerId(CUSTOMER),
      arrived_at: new Date('2026-10-10T09:00:00Z'),
    })
    await bookRows(portal.db, [received], { from: new Date('2026-10-01'), to: new Date('2026-10-31') })
    expect((await vic.request({ filter })).body).toMatchObject({ reused: false, data: { state: 'waiting' } })
  })

  it('is made again when the file is lost or has expired', async () => {
    const { id } = await vic.start({ filter })
    await vic.finish(id)
    const startAgain = async () => (await vic.start({ filter })).id
    expect(await startAgain()).toBe(id)
    await portal.db.deleteFrom('task_piece').where('task_id', '=', id).execute()
    const second = await startAgain()
    expect(second).not.toBe(id)
    await vic.finish(second)
    await portal.db
      .updateTable('background_task')
      .set({ kept_until: portal.clock.now() })
      .where('id', '=', second)
      .execute()
    expect(await startAgain()).not.toBe(second)
  })
})

describe('the quota', () => {
  it('a person has one number of exports on all accounts together', async () => {
    await keep(VIC, 4)
    await keep(VIC, 1, { customer_number: '100008' })
    expect(await vic.request({ filter: uniqueFilter() })).toMatchObject({
      status: 200,
      body: {
        status: 'FAILURE',
        code: 'TOO_MANY_EXPORTS',
        err: 'You already have 5 background exports. Delete one that you no longer need.',
      },
    })
    const [newest] = await vic.list()
    await vic.delete(newest?.id ?? '')
    expect((await vic.request({ filter: uniqueFilter() })).body.status).toBe('SUCCESS')
  })

  it('an account has one number of exports for all people together', async () => {
    await keep(VIC, 4)
    await keep(ADA, 3)
    const err =
      'This account already has 7 background exports. Delete one that you no longer need, or try again when older ones have expired.'
    expect((await ada.request({ filter: uniqueFilter() })).body).toEqual({
      status: 'FAILURE',
      code: 'TOO_MANY_EXPORTS',
      err,
    })
  })

  it('counts neither failed nor expired exports', async () => {
    await keep(VIC, 3, { state: 'failed', failure: 'error' })
    await keep(VIC, 3, { state: 'expired' })
    expect((await vic.request({ filter: uniqueFilter() })).body.status).toBe('SUCCESS')
  })

  it('the exports of a person have a total size', async () => {
    await keep(VIC, 1, { bytes: String(portal.config.exports.bytesPerPerson) })
    const err = 'Your background exports take up all the space that you have. Delete one that you no longer need.'
    expect((await vic.request({ filter: uniqueFilter() })).body).toEqual({
      status: 'FAILURE',
      code: 'EXPORT_SPACE_USED',
      err,
    })
  })

  it('the exports of an account have a total size for all people together', async () => {
    await keep(VIC, 1, { bytes: String(portal.config.exports.bytesPerAccount) })
    const err =
      'The background exports of this account take up all the space that it has. Delete one that you no longer need, or try again when older ones have expired.'
    expect((await ada.request({ filter: uniqueFilter() })).body).toEqual({
      status: 'FAILURE',
      code: 'EXPORT_SPACE_USED',
      err,
    })
  })

  it.each([
    ['bytesPerPerson', /^Your exports would take up more space than you have\./],
    ['bytesPerAccount', /^The exports of this account would take up more space than it has\./],
  ] as const)('stops an export that outgrows it: %s', async (limit, failure) => {
    const { id } = await vic.start({ filter: uniqueFilter() })
    const { bytes } = await vic.finish(id)
    await expect(runAgain(id, { [limit]: bytes - 1 })).rejects.toThrow()
    expect(await vic.status(id)).toMatchObject({ state: 'failed', failure: expect.stringMatching(failure) })
    expect(await vic.pieces(id)).toEqual([])
    await portal.db
      .updateTable('background_task')
      .set({ state: 'waiting', failure: null })
      .where('id', '=', id)
      .execute()
    await runAgain(id, { [limit]: bytes })
    expect(await vic.status(id)).toMatchObject({ state: 'ready', failure: null })
  })
})

describe('without enough free disk space', () => {
  it('no export starts', async () => {
    const full = await startPortal({ EXPORT_MIN_FREE_MB: '10000000' })
    const exports = await exportsAs(full, VIC, CUSTOMER)
    expect(await exports.request()).toMatchObject({
      status: 200,
      body: {
        status: 'FAILURE',
        code: 'NO_DISK_SPACE',
        err: 'The portal has too little free disk space for an export. Nothing was started. Please try again later.',
      },
    })
    expect(await exports.list()).toEqual([])
    await full.close()
  })

  it('an export that has begun fails at once and says why', async () => {
    const { id } = await vic.start({ filter: uniqueFilter() })
    await vic.finish(id)
    await expect(runAgain(id, { minFreeBytes: Number.MAX_SAFE_INTEGER })).rejects.toThrow()
    const failure = 'The portal ran out of disk space. Please try again later.'
    expect(await vic.status(id)).toMatchObject({ state: 'failed', failure })
    expect((await vic.download(id)).status).toBe(404)
  })

  it('an export that fills the disk of the database fails at once and says why', async () => {
    const { id } = await vic.start({ filter: uniqueFilter() })
    await vic.finish(id)
    await sql`create function fill_disk() returns trigger language plpgsql as $$
      begin raise exception 'No space left on device' using errcode = 'disk_full'; end $$`.execute(portal.db)
    await sql`create trigger fill_disk before insert on task_piece execute function fill_disk()`.execute(portal.db)
    await expect(runAgain(id, {})).rejects.toThrow('No space left on device')
    await sql`drop function fill_disk cascade`.execute(portal.db)
    const failure = 'The portal ran out of disk space. Please try again later.'
    expect(await vic.status(id)).toMatchObject({ state: 'failed', failure })
    expect(await vic.pieces(id)).toEqual([])
  })

  it('the files of all accounts together have a limit', async () => {
    await keep(ADA, 1, { customer_number: '100008', bytes: '1000' })
    const { id } = await vic.start({ filter: uniqueFilter() })
    await vic.finish(id)
    await expect(runAgain(id, { bytesInTotal: 1000 })).rejects.toThrow()
    expect(await vic.status(id)).toMatchObject({ state: 'failed', failure: expect.stringMatching(/out of disk space/) })
  })
})

async function runAgain(id: string, limits: Partial<Config['exports']>): Promise<void> {
  await portal.db.updateTable('background_task').set({ state: 'waiting' }).where('id', '=', id).execute()
  const config = { ...portal.config, exports: { ...portal.config.exports, ...limits } }
  const attempt = { signal: new AbortController().signal, isLast: false }
  await taskJob(usageExportTask).run({ customerNumber: CUSTOMER, id }, { ...services, config }, attempt)
}
