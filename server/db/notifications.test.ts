import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#server/db/database.ts'
import { hearSignals, MAX_UNHEARD } from '#server/db/notifications.queries.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { limit } from '#server/testing/slowness.ts'
import { until } from '#server/testing/until.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

/**
 * A proxy in front of PostgreSQL. `freeze` lets all open connections die silently: they stay open, but no byte passes.
 */
async function startProxy() {
  const { host = '', port } = database.connection
  const pairs = new Set<[Socket, Socket]>()
  const server = net.createServer((client) => {
    const upstream = host.startsWith('/') ? net.connect(`${host}/.s.PGSQL.${port}`) : net.connect(port, host)
    client.pipe(upstream).pipe(client)
    for (const end of [client, upstream]) end.on('error', () => {})
    pairs.add([client, upstream])
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      for (const [client, upstream] of pairs) {
        client.unpipe().resume()
        upstream.unpipe().resume()
      }
    },
    async close() {
      for (const pair of pairs) for (const end of pair) end.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

test('a listener whose connection dies silently is soon distrusted and reconnects', async () => {
  const proxy = await startProxy()
  const { pool } = openDatabase({ ...database.connection, host: '127.0.0.1', port: proxy.port })
  const heard: string[] = []
  const signals = hearSignals(
    pool,
    { news: (payload) => heard.push(payload) },
    () => heard.push('connected'),
    () => heard.push('lost'),
  )
  await until(() => signals.isHearing(), 'the listener hears nothing')
  await database.pool.query("notify news, 'first'")
  await until(() => heard.includes('first'), 'the notification does not arrive')

  proxy.freeze()
  const frozenAt = performance.now()
  await database.pool.query("notify news, 'unheard'")
  await until(() => !signals.isHearing(), 'the listener is still relied on')
  // Some time for this test's own polling.
  expect(performance.now() - frozenAt).toBeLessThan(MAX_UNHEARD + limit(500))

  await until(() => signals.isHearing(), 'the listener does not come back')
  expect(heard).toEqual(['connected', 'first', 'lost', 'connected'])
  await database.pool.query("notify news, 'second'")
  await until(() => heard.includes('second'), 'the notification does not arrive')

  await signals.close()
  await pool.end()
  await proxy.close()
})
