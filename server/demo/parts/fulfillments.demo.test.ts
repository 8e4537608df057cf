import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { listServers, type Server } from '#contract/activations/hosts/servers.ts'
import { downloadLicense } from '#contract/activations/license-files/license-files.ts'
import { DONGLE, MAIN_HOST, TRACK, TRIAD, WORKSTATION } from '#server/demo/fulfillments-hosts.ts'
import { DEMO_PARTS, loadDemo } from '#server/demo/load-demo.ts'
import { ADA, type Call } from '#server/testing/activations.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

/** Fulfillments and license files, and the parts that they need. */
const PARTS = DEMO_PARTS.slice(0, DEMO_PARTS.findIndex(({ name }) => name === 'license files') + 1)

describe.each([
  ['an ordinary day', '2026-11-15T12:00:00Z'],
  ['1 January in Berlin, still December in UTC', '2026-12-31T23:30:00Z'],
])('the demo data of %s', (_name, now) => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  beforeAll(async () => {
    database = await freshDatabase()
    await loadDemo(database.db, { now: new Date(now), usageTransactions: 0, progress: () => {}, parts: PARTS })
  })
  afterAll(() => database.close())

  const loadRows = async <T>(query: ReturnType<typeof sql<T>>) => (await query.execute(database.db)).rows

  it('Aerodyne has single and triad hosts: active, inactive and unknown', async () => {
    const hosts = await loadRows(sql<{ shape: string; state: string }>`
      select distinct case when h.host_id like '%,%' then 'triad' else 'single' end as shape,
             case when s.seats > 0 then 'active' when s.seats = 0 then 'inactive' else 'unknown' end as state
        from host h left join (select host_id, sum(seats) as seats from host_seats
                                where customer_number = '100001' group by 1) s using (host_id)
       where h.customer_number = '100001'`)
    expect(hosts.map(({ shape, state }) => `${shape} ${state}`).sort()).toEqual([
      'single active',
      'single inactive',
      'single unknown',
      'triad active',
      'triad inactive',
    ])
  })

  it.each([
    ['100001', '100002'],
    ['100003', '100009'],
  ])('%s and %s hold seats on the same host', async (one, other) => {
    const hostsOf = async (customerNumber: string) =>
      (
        await loadRows(sql<{ host: string }>`
          select distinct concat_ws(' ', host_id_type, host_id) as host from host_seats
           where customer_number = ${customerNumber} and seats > 0`)
      ).map(({ host }) => host)
    const others = await hostsOf(other)
    expect((await hostsOf(one)).filter((host) => others.includes(host))).not.toEqual([])
  })

  it('entitlements have no, some or all seats activated, also on several hosts', async () => {
    const [counts] = await loadRows(sql<Record<string, number>>`
      select count(*) filter (where activated_count = 0)::int as none,
             count(*) filter (where activated_count between 1 and line_item_quantity - 1)::int as some,
             count(*) filter (where activated_count = line_item_quantity and line_item_quantity > 0)::int as all,
             count(*) filter (where activated_count > 0 and end_date < ${now.slice(0, 10)}::date)::int as expired,
             (select count(*)::int from (select from host_seats where customer_number = '100001' and seats > 0
               group by activation_id having count(*) > 2) t) as on_three_hosts
        from entitlement where customer_number = '100001' and kind = 'SSL' and state = 'Deployed'`)
    for (const count of Object.values(counts ?? {})) expect(count).toBeGreaterThan(0)
  })

  it('history has entries 29 and 31 seconds apart', async () => {
    const gaps = await loadRows(sql<{ gap: number }>`
      select distinct extract(epoch from fulfilled_at - lag(fulfilled_at) over (order by fulfilled_at))::int as gap
        from fulfillment where customer_number = '100001' and host_id = '001e67d40b92' and fulfill_count < 0`)
    expect(gaps.map(({ gap }) => gap)).toEqual(expect.arrayContaining([29, 31]))
  })

  it('no fulfillment is older than its host or in the future', async () => {
    const odd = await loadRows(sql`
      select from fulfillment f join host h using (customer_number, host_id_type, host_id)
       where f.fulfilled_at > ${now}::timestamptz or f.fulfilled_at < h.added_at`)
    expect(odd).toEqual([])
  })
})

describe('license files', () => {
  const customerNumber = '100001'
  let portal: Portal
  let ada: Call
  let servers: Map<string, Server>
  beforeAll(async () => {
    portal = await startPortal()
    ada = await portal.as(ADA)
    const { body } = await ada(listServers, { body: { customerNumber } })
    servers = new Map((body.data as Server[]).map((server) => [server.id, server]))
  })
  afterAll(() => portal.close())

  test('Aerodyne has hosts in every state, the active ones first', () => {
    const states = [...servers.values()].map(({ state }) => state)
    expect(new Set(states)).toEqual(new Set(['Active', 'Inactive', 'Unknown']))
    expect(states).toEqual([...states].sort())
  })

  test.each([
    ['seats came after its file', MAIN_HOST, true],
    ['a lease in its file has expired', DONGLE, true],
    ['it never had one', WORKSTATION, false],
  ])('a host is out of date because %s', (_, { id }, hasFile) => {
    expect(servers.get(id)).toMatchObject({ isOutOfDate: true, generatedBy: hasFile ? ADA : null })
  })

  test.each([
    ['a triad', TRIAD, `license_100001_${TRIAD.id.replaceAll(',', '-')}.lic`],
    ['a shared server', TRACK, `license_100001_${TRACK.id}_shared.lic`],
  ])('the license file of %s can be downloaded', async (_, { name, id, type }, fileName) => {
    const types = id.split(',').map(() => type)
    const body = { customerNumber, serverName: name, serverId: id, serverIdType: types.join(',') }
    const answer = await ada(downloadLicense, { body })
    expect(answer.body).toMatchObject({ status: 'SUCCESS', licenseFileName: fileName })
    expect(answer.body.licenseText).toContain('SIGN="')
  })
})
