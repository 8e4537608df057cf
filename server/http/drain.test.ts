import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { environment } from '#contract/settings/environment.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { startPortal } from '#server/testing/portal.ts'
import { startPortalProcess } from '#server/testing/portal-process.ts'
import { until } from '#server/testing/until.ts'

type Answer = { status: number | undefined; connection: string | undefined }

/** Requests keep-alive, so that the test sees whether the connection is closed. */
async function get(port: number | string, path: string, agent: http.Agent): Promise<Answer> {
  const request = http.get({ host: '127.0.0.1', port, path, agent })
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
  answer.resume()
  await once(answer, 'end')
  return { status: answer.statusCode, connection: answer.headers.connection }
}

function keepAlive(): http.Agent {
  const agent = new http.Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  return agent
}

test('a draining portal answers, says that it is not ready, and ends every connection', async () => {
  const draining = new AbortController()
  const portal = await startPortal({}, { draining: draining.signal })
  onTestFinished(() => portal.close())
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = portal.app.server.address() as AddressInfo
  const agent = keepAlive()
  expect(await get(port, '/readyz', agent)).toEqual({ status: 200, connection: 'keep-alive' })

  draining.abort()
  expect(await get(port, '/readyz', agent)).toEqual({ status: 503, connection: 'close' })
  for (const path of ['/healthz', environment.path])
    expect(await get(port, path, agent), path).toEqual({ status: 200, connection: 'close' })
  expect(await get(port, '/api/nothing', agent)).toEqual({ status: 404, connection: 'close' })
})

test('a portal that is told to end drains for a while, then closes its port and ends', async () => {
  const database = await freshDatabase()
  onTestFinished(() => database.close())
  const portal = await startPortalProcess(database.connection, { DRAIN_SECONDS: '2' })
  onTestFinished(() => portal.kill())
  const { port } = new URL(portal.origin)
  const agent = keepAlive()
  const begun = performance.now()
  const stopped = portal.stop()
  await until(async () => (await get(port, '/readyz', agent)).status === 503, 'the portal never drained')
  expect(await get(port, environment.path, agent)).toEqual({ status: 200, connection: 'close' })
  expect(await stopped).toBe(0)
  expect(performance.now() - begun).toBeGreaterThanOrEqual(2_000)
  await expect(get(port, '/healthz', agent)).rejects.toThrow('ECONNREFUSED')
})
