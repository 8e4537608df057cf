import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { activatedElasticServers, elasticDevice } from '#contract/elastic/credentials/elastic-servers.ts'
import { lastUpdatedOn } from '#contract/elastic/usage/last-updated-on.ts'
import { elasticServerId } from '#server/demo/parts/elastic-servers.demo.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

let portal: Portal
let ops: Awaited<ReturnType<Portal['as']>>
beforeAll(async () => {
  portal = await startPortal()
  ops = await portal.as('olivia.ops@vendor.example')
})
afterAll(() => portal.close())

const body = { customerNumber: '100001' }

describe('the elastic servers of an account', () => {
  it('are all listed, the oldest first', async () => {
    const { body: answer } = await ops(activatedElasticServers, { body: { ...body, customerName: 'ignored' } })
    expect(answer).toEqual({
      status: 'SUCCESS',
      data: [
        { DeviceID: elasticServerId('100001'), Alias: 'Aerodyne Motors Elastic' },
        { DeviceID: elasticServerId('100001', 'second'), Alias: 'Aerodyne Motors Elastic – Test Bench' },
      ],
    })
  })

  it('begin with the one that the screens use', async () => {
    expect((await ops(elasticDevice, { body })).body).toEqual({
      status: 'SUCCESS',
      data: { deviceId: elasticServerId('100001'), alias: 'Aerodyne Motors Elastic' },
    })
  })

  it('an account can have no elastic server', async () => {
    const none = { body: { customerNumber: '100006' } }
    expect((await ops(activatedElasticServers, none)).body).toEqual({ status: 'SUCCESS', data: [] })
    expect(await ops(elasticDevice, none)).toMatchObject({
      status: 200,
      body: { status: 'FAILURE', code: 'NO_ELASTIC_SERVER', err: 'This account has no elastic license server.' },
    })
  })
})

describe('the last received transaction', () => {
  const on = async (customerNumber: string) =>
    (await ops(lastUpdatedOn, { query: { customerNumber } })).body.lastUpdatedOn as string

  it('is the newest arrival for the account, and that of the installation where it has none', async () => {
    const arrived = async (deviceId: string, at: string) => {
      await portal.db
        .updateTable('elastic_server')
        .set({ usage_arrived_at: new Date(at) })
        .where('device_id', '=', deviceId)
        .execute()
    }
    await arrived(elasticServerId('100001'), '2026-01-01T10:00:00.000Z')
    await arrived(elasticServerId('100001', 'second'), '2026-01-01T11:00:00.123Z')
    await arrived(elasticServerId('100007'), '2031-01-01T12:00:00.000Z')
    expect(await on('100001')).toBe('2026-01-01T11:00:00.123Z')
    expect(await on('100006')).toBe('2031-01-01T12:00:00.000Z')
  })

  it('is null if nothing was received', async () => {
    await portal.db.updateTable('elastic_server').set({ usage_arrived_at: null }).execute()
    expect(await on('100001')).toBeNull()
  })
})

describe.each([
  [activatedElasticServers, (customerNumber?: string) => ({ body: { customerNumber } })],
  [elasticDevice, (customerNumber?: string) => ({ body: { customerNumber } })],
  [
    lastUpdatedOn,
    (customerNumber?: string) => ({ query: (customerNumber ? { customerNumber } : {}) as Record<string, string> }),
  ],
])('the operation $name', (operation, parts) => {
  it('is readable for those who see the account', async () => {
    expect((await (await portal.as(null))(operation, parts('100001'))).status).toBe(401)
    const nina = await portal.as('nina.nimbus@nimbus.example')
    expect((await nina(operation, parts('100001'))).status).toBe(404)
    expect((await nina(operation, parts('100007'))).status).toBe(200)
    const ella = await portal.as('ella.export@restricted.example')
    expect((await ella(operation, parts('100004'))).status).toBe(403)
    // Only the time of the last arrival can be requested without an account: for the whole installation.
    expect((await ops(operation, parts())).status).toBe(operation.name === lastUpdatedOn.name ? 200 : 400)
  })
})
