import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countUsage } from '#contract/elastic/fetch-usage.ts'
import {
  downloadUsageExport,
  getUsageExport,
  listUsageExports,
  startUsageExport,
  type UsageExport,
} from '#contract/elastic/usage-exports.ts'
import { jobQueue } from '#server/jobs/job-queue.ts'
import { continuationTokens } from '#server/lists/continuation-tokens.ts'
import { listCalls } from '#server/lists/list-calls.ts'
import { preparedPages } from '#server/lists/prepared-pages.ts'
import { expireUsageExportsJob } from '#server/modules/elastic/expire-usage-exports.ts'
import { usageExportJob } from '#server/modules/elastic/run-usage-export.ts'
import { closePools, openPools, type Pools } from '#server/plugins/database.ts'
import type { Services } from '#server/plugins/services.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'
import { walkableDirectory } from '#server/testing/walkable-directory.ts'

const CUSTOMER = '100001'
const VIC = 'vic.viewer@aerodyne.example'
const DAY = 86_400_000
let portal: Portal
let ask: Awaited<ReturnType<Portal['as']>>
let services: Services
let pools: Pools
const dataDir = walkableDirectory('exports')

beforeAll(async () => {
  portal = await startPortal({ DATA_DIR: dataDir })
  ask = await portal.as(VIC)
  const tokens = continuationTokens(randomBytes(32))
  pools = openPools(portal.pool)
  services = {
    ...portal,
    tokens,
    jobs: jobQueue(portal.db, portal.app.log),
    pages: preparedPages(portal.db, portal.pool),
    lists: listCalls(pools),
    traffic: { begun: 0 },
    pools,
  }
})
afterAll(async () => {
  await closePools(pools)
  await portal.close()
  fs.rmSync(dataDir, { recursive: true, force: true })
})

const query = { customerNumber: CUSTOMER }
const fileOf = (id: string) => path.join(dataDir, 'exports', `${id}.csv`)

async function start(body: object = {}): Promise<UsageExport> {
  portal.clock.forward(1000)
  const answer = await ask(startUsageExport, { body: { customerNumber: CUSTOMER, ...body } })
  expect(answer.body).toMatchObject({ status: 'SUCCESS' })
  return answer.body.data as UsageExport
}

async function statusOf(id: string): Promise<UsageExport> {
  return (await ask(getUsageExport, { params: { id }, query })).body.data as UsageExport
}

async function finished(id: string): Promise<UsageExport> {
  await until(async () => ['ready', 'failed'].includes((await statusOf(id)).state), `export ${id} never ends`)
  return statusOf(id)
}

const download = (id: string) => ask(downloadUsageExport, { params: { id }, query })

describe('a background export', () => {
  it('is made by the portal and holds everything that matches', async () => {
    const begun = await start()
    expect(begun).toMatchObject({ state: 'waiting', total: null, written: 0, finishedAt: null, keptUntil: null })
    const ready = await finished(begun.id)
    const { body } = await ask(countUsage, { body: { customerNumber: CUSTOMER } })
    expect(ready).toMatchObject({ state: 'ready', total: body.data, written: body.data })
    expect(Date.parse(ready.keptUntil!) - Date.parse(ready.finishedAt!)).toBe(7 * DAY)

    const file = await download(begun.id)
    expect(file.headers['content-disposition']).toBe(`attachment; filename="${ready.fileName}"`)
    expect(Number(file.headers['content-length'])).toBe(ready.bytes)
    expect(String(file.body.text).trimEnd().split('\r\n')).toHaveLength(Number(body.data) + 1)
  })

  it('goes by its filter, as the list does', async () => {
    const filter = { condition: 'ALL', criteria: [{ name: 'Active', method: 'EQUALS', value: true }] }
    const { id } = await start({ filter, sorting: [{ name: 'Product', direction: 'asc' }] })
    await finished(id)
    const products = String((await download(id)).body.text)
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[2])
    expect(products.length).toBeGreaterThanOrEqual(5)
    expect(products).toEqual(products.toSorted())
  })

  it('stands in the list of the one who asked, and is nobody else’s', async () => {
    const { id } = await start({
      filter: { condition: 'ALL', criteria: [{ name: 'User', method: 'EQUALS', value: 'x' }] },
    })
    const own = (await ask(listUsageExports, { query })).body.data as UsageExport[]
    expect(own[0]?.id).toBe(id)
    const ada = await portal.as('ada.admin@aerodyne.example')
    expect((await ada(listUsageExports, { query })).body.data).toEqual([])
    for (const operation of [getUsageExport, downloadUsageExport]) {
      expect((await ada(operation, { params: { id }, query })).status).toBe(404)
      expect((await ask(operation, { params: { id }, query: { customerNumber: '100002' } })).status).toBe(404)
      expect((await ask(operation, { params: { id: 'x' }, query })).status).toBe(400)
    }
    await finished(id)
  })

  it('is not asked for more than three at a time', async () => {
    const ada = await portal.as('ada.admin@aerodyne.example')
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => ada(startUsageExport, { body: query })))
    const begun = answers.filter(({ body }) => body.status === 'SUCCESS').map(({ body }) => body.data as UsageExport)
    // Those that were finished in between make room.
    expect(begun.length).toBeGreaterThanOrEqual(3)
    for (const { body } of answers.filter((answer) => answer.body.status === 'FAILURE'))
      expect(body).toEqual({
        status: 'FAILURE',
        code: 'TOO_MANY_EXPORTS',
        err: '3 of your exports are still being made. Wait for one of them to finish.',
      })
    const states = async () => (await ada(listUsageExports, { query })).body.data as UsageExport[]
    await until(async () => (await states()).every(({ state }) => state === 'ready'), 'exports of Ada never end')
  })

  it('is refused at once when its filter is faulty', async () => {
    const filter = { condition: 'ALL', criteria: [{ name: 'Foo', method: 'EQUALS', value: 1 }] }
    const answer = await ask(startUsageExport, { body: { customerNumber: CUSTOMER, filter } })
    expect(answer).toMatchObject({ status: 400, body: { err: expect.stringContaining("unknown field 'Foo'") } })
    const sorted = await ask(startUsageExport, {
      body: { customerNumber: CUSTOMER, sorting: [{ name: 'Foo', direction: 'asc' }] },
    })
    expect(sorted.status).toBe(400)
  })

  it('is asked for once with one idempotency key, and the asking is in the audit log', async () => {
    const headers = { 'idempotency-key': 'export-once' }
    const [one, other] = [
      await ask(startUsageExport, { body: query, headers }),
      await ask(startUsageExport, { body: query, headers }),
    ]
    const { id } = one.body.data as UsageExport
    expect(other.body.data).toEqual(one.body.data)
    const logged = await portal.db.selectFrom('audit_log').selectAll().where('target', '=', id).execute()
    expect(logged).toMatchObject([{ action: 'usage.export', email: VIC, customer_number: CUSTOMER, outcome: 'done' }])
    await finished(id)
  })

  it('ends in the same file when it is made a second time after a crash', async () => {
    const { id } = await start()
    await finished(id)
    const first = fs.readFileSync(fileOf(id), 'utf8')
    const key = { customerNumber: CUSTOMER, id }
    await portal.db.updateTable('usage_export').set({ state: 'running' }).where('id', '=', id).execute()
    fs.writeFileSync(`${fileOf(id)}.part`, 'half of it')
    await usageExportJob.run(key, services, { signal: new AbortController().signal, isLast: false })
    expect(fs.readFileSync(fileOf(id), 'utf8')).toBe(first)
    expect(fs.existsSync(`${fileOf(id)}.part`)).toBe(false)
  })

  it('says that it failed when nobody will try again', async () => {
    const { id } = await start()
    await finished(id)
    await portal.db.updateTable('usage_export').set({ state: 'running' }).where('id', '=', id).execute()
    const key = { customerNumber: CUSTOMER, id }
    const signal = AbortSignal.abort(new Error('stopped'))
    await expect(usageExportJob.run(key, services, { signal, isLast: false })).rejects.toThrow('stopped')
    expect((await statusOf(id)).state).toBe('running')
    expect((await download(id)).status).toBe(409)
    await expect(usageExportJob.run(key, services, { signal, isLast: true })).rejects.toThrow('stopped')
    expect((await statusOf(id)).state).toBe('failed')
    expect((await download(id)).status).toBe(404)
  })

  it('loses its file after seven days, and keeps its place in the list', async () => {
    const { id } = await start()
    await finished(id)
    const attempt = { signal: new AbortController().signal, isLast: true }
    await expireUsageExportsJob.run({}, services, attempt)
    expect((await download(id)).status).toBe(200)
    const later = { ...services, clock: { now: () => new Date(portal.clock.now().getTime() + 7 * DAY) } }
    await expireUsageExportsJob.run({}, later, attempt)
    expect(fs.existsSync(fileOf(id))).toBe(false)
    expect((await statusOf(id)).state).toBe('expired')
    expect((await download(id)).status).toBe(404)
  })
})

describe.each([
  [startUsageExport, { body: query }],
  [listUsageExports, { query }],
  [getUsageExport, { query, params: { id: '00000000-0000-4000-8000-000000000000' } }],
  [downloadUsageExport, { query, params: { id: '00000000-0000-4000-8000-000000000000' } }],
])('$name', (operation, parts) => {
  it('is for those who see the account', async () => {
    expect((await (await portal.as(null))(operation, parts)).status).toBe(401)
    expect((await (await portal.as('nina.nimbus@nimbus.example'))(operation, parts)).status).toBe(404)
    const ella = await portal.as('ella.export@restricted.example')
    const restricted = JSON.parse(JSON.stringify(parts).replaceAll(CUSTOMER, '100004')) as typeof parts
    expect((await ella(operation, restricted)).status).toBe(403)
  })
})
