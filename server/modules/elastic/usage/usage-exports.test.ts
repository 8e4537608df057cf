import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startUsageExport } from '#contract/elastic/usage/usage-exports.ts'
import { usageList } from '#contract/elastic/usage/usage-list.ts'
import { deleteTask, downloadTask, getTask, listTasks, type Task } from '#contract/tasks/tasks.ts'
import { closePools } from '#server/db/database.ts'
import { usageExportTask } from '#server/modules/elastic/usage/usage-export.task.ts'
import type { Services } from '#server/services.ts'
import { expireTasksJob } from '#server/tasks/expire-tasks.ts'
import { taskJob } from '#server/tasks/run-task.ts'
import { insertPiece } from '#server/tasks/task-pieces.queries.ts'
import { failTask, noteProgress } from '#server/tasks/tasks.queries.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'
import { type ExportsAs, exportsAs, jobServices, uniqueFilter } from '#server/testing/usage-exports.ts'

const CUSTOMER = '100001'
const VIC = 'vic.viewer@aerodyne.example'
const ADA = 'ada.admin@aerodyne.example'
const DAY = 86_400_000
let portal: Portal
let send: Awaited<ReturnType<Portal['as']>>
let vic: ExportsAs
let services: Services

beforeAll(async () => {
  portal = await startPortal()
  send = await portal.as(VIC)
  vic = await exportsAs(portal, VIC, CUSTOMER)
  services = jobServices(portal)
})
afterAll(async () => {
  await closePools(services.pools)
  await portal.close()
})

const query = { customerNumber: CUSTOMER }
const startNew = () => vic.start({ filter: uniqueFilter() })

describe('a background export', () => {
  it('is made by the portal and holds everything that matches', async () => {
    const begun = await vic.start()
    expect(begun).toMatchObject({ state: 'waiting', total: null, done: 0, finishedAt: null, keptUntil: null })
    const ready = await vic.finish(begun.id)
    const { body } = await send(usageList.count, { body: { customerNumber: CUSTOMER } })
    expect(ready).toMatchObject({ state: 'ready', total: body.data, done: body.data })
    expect(Date.parse(ready.keptUntil!) - Date.parse(ready.finishedAt!)).toBe(7 * DAY)

    const file = await vic.download(begun.id)
    expect(file.headers['content-disposition']).toBe(`attachment; filename=${ready.fileName}`)
    expect(Number(file.headers['content-length'])).toBe(ready.bytes)
    expect(String(file.body.text).trimEnd().split('\r\n')).toHaveLength(Number(body.data) + 1)
  })

  it('shows what was requested, by whom, and whether its file was downloaded', async () => {
    const filter = uniqueFilter()
    const { id } = await vic.start({ filter })
    expect(await vic.finish(id)).toMatchObject({
      customerNumber: CUSTOMER,
      accountName: 'Aerodyne Motors',
      request: { filter },
      requestedBy: VIC,
      downloadedAt: null,
    })
    await vic.download(id)
    expect((await vic.status(id)).downloadedAt).toBe(portal.clock.now().toISOString())
  })

  it('holds the transactions that match its filter', async () => {
    const filter = { condition: 'ALL', criteria: [{ name: 'Active', method: 'EQUALS', value: true }] }
    const { id } = await vic.start({ filter, sorting: [{ name: 'Product', direction: 'asc' }] })
    await vic.finish(id)
    const products = String((await vic.download(id)).body.text)
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[2])
    expect(products.length).toBeGreaterThanOrEqual(5)
    expect(products).toEqual(products.toSorted())
  })

  it('is in the list of the person who started it, and of nobody else', async () => {
    const { id } = await vic.start({
      filter: { condition: 'ALL', criteria: [{ name: 'User', method: 'EQUALS', value: 'x' }] },
    })
    const own = (await send(listTasks, { query })).body.data as Task[]
    expect(own[0]?.id).toBe(id)
    const ada = await portal.as(ADA)
    expect((await ada(listTasks, { query })).body.data).toEqual([])
    for (const operation of [getTask, downloadTask]) {
      expect((await ada(operation, { params: { id }, query })).status).toBe(404)
      expect((await send(operation, { params: { id }, query: { customerNumber: '100002' } })).status).toBe(404)
      expect((await send(operation, { params: { id: 'x' }, query })).status).toBe(400)
    }
    await vic.finish(id)
  })

  it('cannot be started while three others are under way', async () => {
    const ada = await exportsAs(portal, ADA, CUSTOMER)
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => ada.request({ filter: uniqueFilter() })))
    const begun = answers.filter(({ body }) => body.status === 'SUCCESS').map(({ body }) => body.data as Task)
    // Exports that were finished in between make room for more than three.
    expect(begun.length).toBeGreaterThanOrEqual(3)
    for (const { body } of answers.filter((answer) => answer.body.status === 'FAILURE'))
      expect(body).toEqual({
        status: 'FAILURE',
        code: 'TOO_MANY_EXPORTS',
        err: '3 of your exports are still being made. Wait for one of them to finish.',
      })
    await until(async () => (await ada.list()).every(({ state }) => state === 'ready'), 'exports of Ada never end')
  })

  it('is refused at once when its filter is wrong', async () => {
    const filter = { condition: 'ALL', criteria: [{ name: 'Foo', method: 'EQUALS', value: 1 }] }
    const answer = await send(startUsageExport, { body: { customerNumber: CUSTOMER, filter } })
    expect(answer).toMatchObject({ status: 400, body: { err: expect.stringContaining("unknown field 'Foo'") } })
    const sorted = await send(startUsageExport, {
      body: { customerNumber: CUSTOMER, sorting: [{ name: 'Foo', direction: 'asc' }] },
    })
    expect(sorted.status).toBe(400)
  })

  it('is started once for one idempotency key, and the start is in the audit log', async () => {
    const call = { body: { ...query, filter: uniqueFilter() }, headers: { 'idempotency-key': 'export-once' } }
    const [one, other] = [await send(startUsageExport, call), await send(startUsageExport, call)]
    const { id } = one.body.data as Task
    expect(other.body.data).toEqual(one.body.data)
    const logged = await portal.db.selectFrom('audit_log').selectAll().where('target', '=', id).execute()
    expect(logged).toMatchObject([
      { action: 'fetchUsage/exports/start', email: VIC, customer_number: CUSTOMER, outcome: 'done' },
    ])
    await vic.finish(id)
  })

  it('ends in the same file when it is made a second time after a crash', async () => {
    const { id } = await startNew()
    await vic.finish(id)
    const first = (await vic.download(id)).body.text
    const key = { customerNumber: CUSTOMER, id }
    await portal.db.updateTable('background_task').set({ state: 'running' }).where('id', '=', id).execute()
    // The first attempt died when it had written more than the second one will.
    await insertPiece(portal.db, { ...key, attempt: 1 }, 1, Buffer.from('half of it'))
    await taskJob(usageExportTask).run(key, services, { signal: new AbortController().signal, isLast: false })
    expect((await vic.download(id)).body.text).toBe(first)
    expect(await vic.pieces(id)).toEqual([{ attempt: 2, number: 0 }])
  })

  it('is not changed by an attempt that was replaced by another', async () => {
    const { id } = await startNew()
    await vic.finish(id)
    const run = { customerNumber: CUSTOMER, id, attempt: 0 }
    expect(await insertPiece(portal.db, run, 0, Buffer.from('late'))).toBe(false)
    expect(await noteProgress(portal.db, run, { done: 0, total: 1, bytes: 0 })).toBe(false)
    await failTask(portal.db, run, 'error', portal.clock.now())
    expect((await vic.status(id)).state).toBe('ready')
    expect((await vic.download(id)).status).toBe(200)
  })

  it('fails visibly when there is no further retry', async () => {
    const { id } = await startNew()
    await vic.finish(id)
    await portal.db.updateTable('background_task').set({ state: 'waiting' }).where('id', '=', id).execute()
    const key = { customerNumber: CUSTOMER, id }
    const signal = AbortSignal.abort(new Error('stopped'))
    await expect(taskJob(usageExportTask).run(key, services, { signal, isLast: false })).rejects.toThrow('stopped')
    expect((await vic.status(id)).state).toBe('waiting')
    expect((await vic.download(id)).status).toBe(409)
    await expect(taskJob(usageExportTask).run(key, services, { signal, isLast: true })).rejects.toThrow('stopped')
    const failure = 'Something went wrong on our side. Please start it again.'
    expect(await vic.status(id)).toMatchObject({ state: 'failed', failure })
    expect(await vic.pieces(id)).toEqual([])
    expect((await vic.download(id)).status).toBe(404)
  })

  it('loses its file after seven days, and keeps its place in the list', async () => {
    const { id } = await startNew()
    await vic.finish(id)
    const attempt = { signal: new AbortController().signal, isLast: true }
    await expireTasksJob.run({}, services, attempt)
    expect((await vic.download(id)).status).toBe(200)
    const later = { ...services, clock: { now: () => new Date(portal.clock.now().getTime() + 7 * DAY) } }
    await expireTasksJob.run({}, later, attempt)
    expect((await vic.status(id)).state).toBe('expired')
    expect((await vic.download(id)).status).toBe(404)
    expect(await vic.pieces(id), 'for a download that began in time').not.toEqual([])
    const anHourLater = { ...services, clock: { now: () => new Date(later.clock.now().getTime() + 3_600_000) } }
    await expireTasksJob.run({}, anHourLater, attempt)
    expect(await vic.pieces(id)).toEqual([])
  })
})

describe('deleting an export', () => {
  it('removes it with its file, and is in the audit log', async () => {
    const { id, fileName } = await startNew()
    await vic.finish(id)
    expect((await vic.delete(id)).body).toEqual({ status: 'SUCCESS', data: null })
    expect(await vic.pieces(id)).toEqual([])
    expect((await vic.list()).map((one) => one.id)).not.toContain(id)
    expect((await vic.download(id)).status).toBe(404)
    const logged = await portal.db
      .selectFrom('audit_log')
      .selectAll()
      .where('target', '=', id)
      .where('action', '=', 'tasks/delete')
      .execute()
    expect(logged).toMatchObject([
      { email: VIC, customer_number: CUSTOMER, outcome: 'done', before: { fileName, state: 'ready' } },
    ])
    expect((await vic.delete(id)).status).toBe(404)
  })

  it('is allowed only to the person who started the export', async () => {
    const { id } = await startNew()
    await vic.finish(id)
    expect((await (await exportsAs(portal, ADA, CUSTOMER)).delete(id)).status).toBe(404)
    expect((await vic.delete('x')).status).toBe(400)
    expect((await vic.status(id)).state).toBe('ready')
  })

  it('stops one that is being made and leaves no file behind', async () => {
    const locked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    // Blocks the reading of usage, and so holds the export in the middle of its work.
    const holding = portal.db.transaction().execute(async (tx) => {
      await sql`lock table only usage_transaction in access exclusive mode`.execute(tx)
      locked.resolve()
      await released.promise
    })
    await locked.promise
    const { id } = await startNew()
    await until(async () => (await vic.status(id)).state === 'running', 'the export never begins')
    expect((await vic.delete(id)).status).toBe(200)
    released.resolve()
    await holding
    const isOver = async () => {
      const { rows } = await sql<{ state: string }>`select state from jobs.job where data ->> 'id' = ${id}`.execute(
        portal.db,
      )
      return rows[0]?.state === 'completed'
    }
    await until(isOver, 'the job of the deleted export never ends')
    expect(await vic.pieces(id)).toEqual([])
    expect((await vic.list()).map((one) => one.id)).not.toContain(id)
  })
})

describe.each([
  [startUsageExport, { body: query }],
  [listTasks, { query }],
  [getTask, { query, params: { id: '00000000-0000-4000-8000-000000000000' } }],
  [downloadTask, { query, params: { id: '00000000-0000-4000-8000-000000000000' } }],
  [deleteTask, { query, params: { id: '00000000-0000-4000-8000-000000000000' } }],
])('the operation $name', (operation, parts) => {
  it('is allowed for those who see the account', async () => {
    expect((await (await portal.as(null))(operation, parts)).status).toBe(401)
    expect((await (await portal.as('nina.nimbus@nimbus.example'))(operation, parts)).status).toBe(404)
    const ella = await portal.as('ella.export@restricted.example')
    const restricted = JSON.parse(JSON.stringify(parts).replaceAll(CUSTOMER, '100004')) as typeof parts
    expect((await ella(operation, restricted)).status).toBe(403)
  })
})
