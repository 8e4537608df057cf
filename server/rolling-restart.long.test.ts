import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { productRecords } from '#contract/data/products.ts'
import { recordOperations } from '#contract/data/record-operations.ts'
import { whoami } from '#contract/service/whoami.ts'
import { environment } from '#contract/settings/environment.ts'
import { systemClock } from '#server/doors/clock.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { freePort, type PortalProcess, startPortalProcess } from '#server/testing/portal-process.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { until } from '#server/testing/until.ts'
import { walkableDirectory } from '#server/testing/walkable-directory.ts'

type Proxy = {
  readonly name: string
  readonly configFor: (port: number, backends: readonly number[], directory: string) => string
  readonly args: (file: string) => string[]
}
const { revoke } = recordOperations(productRecords)
const REQUESTS = 5_000
const CLIENTS = 8
/** Milliseconds between requests, so that they last as long as the restarts. */
const BETWEEN_REQUESTS = 40

/** The configurations in docs/operations.md, without TLS. HAProxy asks whether a portal is ready; nginx tries the next one. */
const HAPROXY: Proxy = {
  name: 'haproxy',
  configFor: (port, backends) => `
global
  maxconn 500
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend portal
  bind 127.0.0.1:${port}
  http-request set-header X-Forwarded-For %[src]
  http-request set-header X-Forwarded-Host %[req.hdr(Host)]
  http-request set-header X-Forwarded-Proto http
  default_backend portals
backend portals
  balance roundrobin
  option httpchk GET /readyz
  default-server check inter 1s fall 2 rise 2
${backends.map((backend, index) => `  server portal${index + 1} 127.0.0.1:${backend}`).join('\n')}
`,
  args: (file) => ['-db', '-f', file],
}
const NGINX: Proxy = {
  name: 'nginx',
  configFor: (port, backends, directory) => `
daemon off;
worker_processes 1;
pid ${directory}/nginx.pid;
error_log stderr crit;
events {}
http {
  access_log off;
  client_body_temp_path ${directory}/body;
  proxy_temp_path ${directory}/proxy;
  fastcgi_temp_path ${directory}/fastcgi;
  uwsgi_temp_path ${directory}/uwsgi;
  scgi_temp_path ${directory}/scgi;
  upstream portals {
${backends.map((backend) => `    server 127.0.0.1:${backend} max_fails=1 fail_timeout=2s;`).join('\n')}
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://portals;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Host $http_host;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_buffering off;
      proxy_next_upstream error timeout;
    }
  }
}
`,
  args: (file) => ['-e', 'stderr', '-c', file],
}

const findCommand = ({ name }: Proxy) =>
  [name, `/usr/sbin/${name}`, `/usr/local/sbin/${name}`].find((command) => spawnSync(command, ['-v']).status === 0)

async function startProxy(kind: Proxy, command: string, port: number, backends: readonly number[]): Promise<void> {
  const directory = walkableDirectory(kind.name)
  const file = path.join(directory, 'proxy.conf')
  fs.writeFileSync(file, kind.configFor(port, backends, directory))
  const proxy = spawn(command, kind.args(file), { stdio: ['ignore', 'ignore', 'inherit'] })
  onTestFinished(async () => {
    const gone = once(proxy, 'exit')
    proxy.kill('SIGTERM')
    await gone
    fs.rmSync(directory, { recursive: true, force: true })
  })
}

/** Undefined for a request that got no answer. */
function statusOf({ body, ...options }: http.RequestOptions & { body?: string }): Promise<number | undefined> {
  return new Promise((resolve) => {
    const request = http.request({ host: '127.0.0.1', ...options })
    request.on('error', () => resolve(undefined))
    request.on('response', (answer) => {
      answer.on('error', () => resolve(undefined))
      answer.on('end', () => resolve(answer.statusCode))
      answer.resume()
    })
    request.end(body)
  })
}

test.for([HAPROXY, NGINX])(
  'two portals behind $name are restarted in turn, and no request fails',
  async (proxy, context) => {
    const command = findCommand(proxy)
    if (!command) return context.skip(`${proxy.name} is not installed: the rolling restart was not tried`)
    const database = await freshDatabase()
    onTestFinished(() => database.close())
    const { headers } = await giveServiceKey({ db: database.db, clock: systemClock }, 'a client')
    const targets = [
      { path: whoami.path, headers },
      { path: environment.path },
      { path: '/healthz' },
      // A proxy must not send a POST that a portal has read to the next one.
      {
        path: revoke.path,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ ids: ['none'] }),
      },
    ]
    const [port, ...backends] = [await freePort(), await freePort(), await freePort()]
    // One machine sends everything: more than the usual number of requests for one address.
    const start = (backend: number) =>
      startPortalProcess(database.connection, {
        PORT: String(backend),
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        DRAIN_SECONDS: '5',
        TRUST_PROXY: '127.0.0.1',
        RATE_LIMIT: '1000000',
      })
    const portals: PortalProcess[] = []
    onTestFinished(async () => {
      for (const portal of portals) await portal.kill()
    })
    for (const backend of backends) portals.push(await start(backend))
    await startProxy(proxy, command, port, backends)
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
    console.log(`${proxy.name}: ${sent} requests during ${restarts} restarts:`, Object.fromEntries(answers))
    expect(Object.fromEntries(answers)).toEqual({ 200: sent })
  },
)
