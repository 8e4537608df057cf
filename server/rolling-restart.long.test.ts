import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { whoami } from '#contract/service/whoami.ts'
import { environment } from '#contract/settings/environment.ts'
import { systemClock } from '#server/doors/clock.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { freePort, type PortalProcess, startPortalProcess } from '#server/testing/portal-process.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { until } from '#server/testing/until.ts'
import { walkableDirectory } from '#server/testing/walkable-directory.ts'

const HAPROXY = ['haproxy', '/usr/sbin/haproxy', '/usr/local/sbin/haproxy'].find(
  (command) => spawnSync(command, ['-v']).status === 0,
)
const REQUESTS = 5_000
const CLIENTS = 8
/** Milliseconds between requests, so that they last as long as the restarts. */
const BETWEEN_REQUESTS = 40

/** The configuration in docs/operations.md: only the readiness check, and how soon a portal is taken out. */
const configFor = (port: number, backends: readonly number[]) => `
global
  maxconn 500
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend portal
  bind 127.0.0.1:${port}
  default_backend portals
backend portals
  balance roundrobin
  option httpchk GET /readyz
  default-server check inter 1s fall 2 rise 2
${backends.map((backend, index) => `  server portal${index + 1} 127.0.0.1:${backend}`).join('\n')}
`

async function startProxy(command: string, port: number, backends: readonly number[]): Promise<ChildProcess> {
  const directory = walkableDirectory('haproxy')
  const file = path.join(directory, 'haproxy.cfg')
  fs.writeFileSync(file, configFor(port, backends))
  const proxy = spawn(command, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  onTestFinished(async () => {
    const gone = once(proxy, 'exit')
    proxy.kill('SIGKILL')
    await gone
    fs.rmSync(directory, { recursive: true, force: true })
  })
  return proxy
}

/** Undefined for a request that got no answer. */
function statusOf(options: http.RequestOptions): Promise<number | undefined> {
  return new Promise((resolve) => {
    const request = http.get({ host: '127.0.0.1', ...options })
    request.on('error', () => resolve(undefined))
    request.on('response', (answer) => {
      answer.on('error', () => resolve(undefined))
      answer.on('end', () => resolve(answer.statusCode))
      answer.resume()
    })
  })
}

test('two portals behind HAProxy are restarted one after the other, and no request fails', async (context) => {
  if (!HAPROXY) return context.skip('haproxy is not installed: the rolling restart was not tried')
  const database = await freshDatabase()
  onTestFinished(() => database.close())
  const { headers } = await giveServiceKey({ db: database.db, clock: systemClock }, 'a client')
  const targets = [{ path: whoami.path, headers }, { path: environment.path }, { path: '/healthz' }]
  const [port, ...backends] = [await freePort(), await freePort(), await freePort()]
  // One machine sends everything: more than the usual number of requests for one address.
  const start = (backend: number) =>
    startPortalProcess(database.connection, {
      PORT: String(backend),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      DRAIN_SECONDS: '5',
      RATE_LIMIT: '1000000',
    })
  const portals: PortalProcess[] = []
  onTestFinished(async () => {
    for (const portal of portals) await portal.kill()
  })
  for (const backend of backends) portals.push(await start(backend))
  await startProxy(HAPROXY, port, backends)
  const single = new http.Agent()
  const isUp = async () => (await statusOf({ port, path: '/readyz' })) === 200
  await until(isUp, 'the proxy never answered')

  let restarts = 0
  const answers = new Map<number | undefined, number>()
  let sent = 0
  const sendFor = async (agent: http.Agent) => {
    while (sent < REQUESTS || restarts < backends.length) {
      const status = await statusOf({ port, agent, ...targets[sent++ % targets.length] })
      answers.set(status, (answers.get(status) ?? 0) + 1)
      await sleep(BETWEEN_REQUESTS)
    }
  }
  const restart = async () => {
    for (const [index, backend] of backends.entries()) {
      expect(await portals[index]?.stop()).toBe(0)
      portals[index] = await start(backend)
      // Until the proxy has noticed that it is back: two checks, a second apart.
      await sleep(4_000)
      restarts++
    }
  }
  const keptAlive = new http.Agent({ keepAlive: true })
  onTestFinished(() => keptAlive.destroy())
  await Promise.all([
    restart(),
    ...Array.from({ length: CLIENTS }, (_, index) => sendFor(index % 2 === 0 ? keptAlive : single)),
  ])
  console.log(`${sent} requests during ${restarts} restarts:`, Object.fromEntries(answers))
  expect(Object.fromEntries(answers)).toEqual({ 200: sent })
})
