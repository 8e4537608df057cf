import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { usageList } from '#contract/elastic/usage/usage-list.ts'
import { TOO_MANY_TRANSACTIONS, tooManyTransactions } from '#domain/elastic/usage/usage-export.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { loadUsage } from '#server/demo/load-usage.ts'
import { elasticServerId } from '#server/demo/parts/elastic-servers.demo.ts'
import { seededRandom } from '#server/demo/random.ts'
import { usageNames } from '#server/demo/usage-names.ts'
import { usageBatches } from '#server/demo/usage-sessions.ts'
import { type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'

const CUSTOMER = '100001'
let portal: Portal
let send: Awaited<ReturnType<Portal['as']>>

beforeAll(async () => {
  portal = await startPortal()
  send = await portal.as('vic.viewer@aerodyne.example')
})
afterAll(() => portal.close())

const between = (from: string, to: string): FilterInput => ({
  condition: 'ALL',
  criteria: [
    { name: 'EndTime_ts', method: 'AFTER', value: from },
    { name: 'StartTime_ts', method: 'BEFORE', value: to },
  ],
})

const inFile = (instant: unknown) => String(instant).slice(0, 19).replace('T', ' ')
const exported = (body: object = {}) => send(usageList.exportCsv, { body: { customerNumber: CUSTOMER, ...body } })

describe('an export', () => {
  it('holds what the list holds: the columns of the screen, in its order, with times in UTC', async () => {
    const filter: FilterInput = {
      condition: 'ALL',
      criteria: [{ name: 'Project', method: 'EQUALS', value: 'Night Run' }],
    }
    const list = await send(usageList.page, { body: { customerNumber: CUSTOMER, filter } })
    const [row] = list.body.data as Record<string, string | number | null>[]
    const { body, headers, status } = await exported({ filter })
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(String(body.text)).toBe(
      '\ufeff"Start Time (UTC)","End Time (UTC)","Product","Count","Hours","Cost","Currency","Username","Hostname","Project",' +
        '"Session ID","Session Status","External IP","Version","Cloud Job Id","Correction Of"\r\n' +
        `${inFile(row!.StartTime)},${inFile(row!.EndTime)},"Fluid Flow Pro",2,2.00,30.00,"AEU","${row!.User}","${row!.Host}","Night Run",` +
        `"${row!.DeviceID}","Completed","${row!.REFERER_IP_ADDRESS}","${row!.productVersion}",,\r\n`,
    )
  })

  it('leaves blank what an active session has not got yet', async () => {
    const { body } = await exported({
      filter: { condition: 'ALL', criteria: [{ name: 'Active', method: 'EQUALS', value: true }] },
    })
    const lines = String(body.text).trimEnd().split('\r\n').slice(1)
    expect(lines.length).toBeGreaterThanOrEqual(5)
    for (const line of lines) expect(line).toMatch(/^2[-\d]+ [\d:]+,,"[^"]+",\d+,,,"AEU"/)
  })

  it('lets no name become a formula in a spreadsheet', async () => {
    const criteria = ['=', '+', '-', '@'].map((value) => ({ name: 'Project', method: 'STARTSWITH' as const, value }))
    const { body } = await exported({ filter: { condition: 'ANY', criteria } })
    const text = String(body.text)
    for (const name of ['=SUM(A1:A9)', '+49 Halle 3', '-draft-', '@home']) expect(text).toContain(`"'${name}"`)
    expect(text).not.toMatch(/,"?[=+@]/)
  })

  it('is named after the account and its days', async () => {
    const { headers } = await exported({ filter: between('2026-09-30T22:00:00.000Z', '2026-10-31T22:59:59.999Z') })
    expect(headers['content-disposition']).toBe(
      'attachment; filename=usage-transactions_100001_2026-10-01_2026-10-31.csv',
    )
  })

  it.each([
    ['an unknown field', { filter: { condition: 'ALL', criteria: [{ name: 'Foo', method: 'EQUALS', value: 1 }] } }],
    ['an unknown sort field', { sorting: [{ name: 'Foo', direction: 'asc' }] }],
    ['a page', { offset: 10 }],
    ['no limit at all', { limit: 0 }],
    ['a limit of nothing', { limit: 0 }],
  ])('refuses %s before it sends anything', async (_name, body) => {
    expect(await exported(body)).toMatchObject({ status: 400, body: { status: 'FAILURE' } })
  })

  it('an export of more transactions than its own limit is refused, never cut', async () => {
    const filter: FilterInput = { condition: 'ALL', criteria: [{ name: 'Active', method: 'EQUALS', value: true }] }
    const whole = await exported({ filter })
    const found = String(whole.body.text).trimEnd().split('\r\n').length - 1
    for (const limit of [found, 30_000, 30_001]) expect((await exported({ filter, limit })).body).toEqual(whole.body)
    expect(await exported({ filter, limit: found - 1 })).toMatchObject({
      status: 200,
      body: { status: 'FAILURE', code: 'TOO_MANY_ROWS', err: tooManyTransactions(found - 1) },
    })
  })

  it('is allowed for those who see the account', async () => {
    const body = { customerNumber: CUSTOMER }
    expect((await (await portal.as(null))(usageList.exportCsv, { body })).status).toBe(401)
    expect((await (await portal.as('nina.nimbus@nimbus.example'))(usageList.exportCsv, { body })).status).toBe(404)
    const ella = await portal.as('ella.export@restricted.example')
    expect((await ella(usageList.exportCsv, { body: { customerNumber: '100004' } })).status).toBe(403)
  })
})

describe('a long export', () => {
  const FULL = between('2021-01-01T00:00:00Z', '2021-03-01T00:00:00Z')

  /** Thirty thousand and one sessions of one winter; the last of them ends after the others. */
  beforeAll(async () => {
    const plan = {
      customerNumber: CUSTOMER,
      serverId: elasticServerId(CUSTOMER),
      activationId: 'winter',
      currency: 'AEU',
      rateTableVersion: '2026R1.3',
      rateFactor: 1,
      names: usageNames(CUSTOMER, 40, seededRandom('winter')),
      inCloud: 0,
    }
    const random = seededRandom('winter usage')
    const winter = {
      ...plan,
      from: new Date('2021-01-02'),
      to: new Date('2021-02-20'),
      sessions: 30_000,
      cents: 3_000_000,
    }
    const more = { ...plan, from: new Date('2021-04-01'), to: new Date('2021-04-02'), sessions: 1, cents: 100 }
    await portal.db
      .transaction()
      .execute((tx) => loadUsage(tx, [...usageBatches(winter, random), ...usageBatches(more, random)]))
  })

  it('an export of exactly 30,000 transactions is complete', async () => {
    const { body } = await exported({ filter: FULL })
    const lines = String(body.text).trimEnd().split('\r\n')
    expect(lines).toHaveLength(30_001)
    expect(new Set(lines).size).toBe(30_001)
    const starts = lines.slice(1).map((line) => line.slice(0, 24))
    expect(starts).toEqual(starts.toSorted().reverse())
  })

  it('an export of 30,001 transactions is refused, never cut', async () => {
    const answer = await exported({ filter: between('2021-01-01T00:00:00Z', '2021-05-01T00:00:00Z') })
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'FAILURE', code: 'TOO_MANY_ROWS', err: TOO_MANY_TRANSACTIONS },
    })
    const all = between('2021-01-01T00:00:00Z', '2021-05-01T00:00:00Z')
    expect((await exported({ filter: all, limit: 50_000 })).body).toEqual(answer.body)
  })

  it('waits for a slow reader, and holds no connection meanwhile', async () => {
    await portal.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = portal.app.server.address() as AddressInfo
    const cookie = await signIn(portal.app, 'vic.viewer@aerodyne.example')
    const piecesRead = async () => {
      const { rows } = await sql<{ calls: string }>`
        select sum(idx_scan) as calls from pg_stat_user_indexes where relname like 'usage_transaction_2021%'`.execute(
        portal.db,
      )
      return Number(rows[0]?.calls)
    }
    const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const request = http.request(
        {
          port,
          method: 'POST',
          path: usageList.exportCsv.path,
          headers: { cookie, 'content-type': 'application/json' },
        },
        resolve,
      )
      request.on('error', reject)
      request.end(JSON.stringify({ customerNumber: CUSTOMER, filter: FULL }))
    })
    // Nobody reads, so the buffers between the database and the reader fill up, and then nothing moves.
    let last = -1
    await until(async () => {
      const now = await piecesRead()
      const stands = now === last && portal.pool.idleCount === portal.pool.totalCount
      last = now
      return stands
    }, 'the export goes on although nobody reads it')
    let bytes = 0
    for await (const piece of answer) bytes += (piece as Buffer).length
    expect(bytes).toBeGreaterThan(30_000 * 100)
  })
})
