import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { whoami } from '#contract/service/whoami.ts'
import { systemClock } from '#server/doors/clock.ts'
import { CHILD_ENVIRONMENT, databaseUrl } from '#server/testing/child-environment.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { freePort } from '#server/testing/portal-process.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { until } from '#server/testing/until.ts'
import { emptyDataDirectory } from '#server/testing/walkable-directory.ts'

const PATIENCE = 240_000
/** Starts processes. */
const SLOW = { timeout: 600_000 }

/** The portal in two processes, as the role that owns nothing. */
async function startTwo() {
  const database = await freshDatabase()
  const port = await freePort()
  const dataDir = emptyDataDirectory('processes')
  const child = spawn(process.execPath, ['server/main.ts'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...CHILD_ENVIRONMENT,
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl(database.portal.connection),
      PROCESSES: '2',
      DRAIN_SECONDS: '1',
      // A provider that is never called.
      OIDC_ISSUER: 'http://127.0.0.1:9/',
      OIDC_CLIENT_ID: 'portal',
      OIDC_CLIENT_SECRET: 'secret',
    },
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await database.close()
    fs.rmSync(dataDir, { recursive: true, force: true })
  })
  const said = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said.text += text
    })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  await until(() => said.text.includes('in 2 processes'), 'the portal did not start', PATIENCE)
  return { child, said, ended, database, origin: `http://127.0.0.1:${port}` }
}

const metric = async (origin: string, name: string, route = '') => {
  const text = await (await fetch(`${origin}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) && line.includes(route))
  return new Map(lines.map((line) => [/process="(\d+)"/.exec(line)?.[1] ?? '', Number(line.split(' ').at(-1))]))
}

test('two processes share the port; one that dies is replaced, and a stop drains both', SLOW, async () => {
  const { child, said, ended, database, origin } = await startTwo()

  const processes = async () => [...(await metric(origin, 'process_start_time_seconds')).keys()].sort().join()
  await until(async () => (await processes()) === '1,2', 'the metrics of a process are missing', PATIENCE)

  // Each request on a connection of its own: the port hands connections out in turns.
  const { headers } = await giveServiceKey({ db: database.db, clock: systemClock }, 'a client')
  const call = async () => (await fetch(origin + whoami.path, { headers: { ...headers, connection: 'close' } })).status
  for (let sent = 0; sent < 8; sent++) expect(await call()).toBe(200)
  const answered = async () =>
    [...(await metric(origin, 'portal_request_seconds_count', whoami.path)).keys()].sort().join()
  await until(async () => (await answered()) === '1,2', 'one process answered nothing', PATIENCE)

  const before = await workersOf(child.pid!)
  expect(before).toHaveLength(2)
  process.kill(before[0]!, 'SIGKILL')
  await until(() => /Process \d of 2 ended \(SIGKILL\): starting another/.test(said.text), 'nothing was said', PATIENCE)
  await until(async () => (await processes()) === '1,2', 'no other came', PATIENCE)
  const after = await workersOf(child.pid!)
  expect(after).toHaveLength(2)
  expect(after).not.toContain(before[0])

  child.kill('SIGTERM')
  await until(async () => (await fetch(`${origin}/readyz`)).status === 503, 'it stayed ready', PATIENCE)
  expect((await fetch(`${origin}/healthz`)).status).toBe(200)
  expect(await ended, said.text).toBe(0)
  expect(said.text).toContain('The portal has stopped')
  expect(await workersOf(child.pid!)).toEqual([])
  for (const pid of after) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

async function workersOf(pid: number): Promise<number[]> {
  const found = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return found
    .filter((name) => {
      try {
        const stat = fs.readFileSync(`/proc/${name}/stat`, 'utf8')
        const isParent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid
        return isParent && fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('server/main.ts')
      } catch {
        return false
      }
    })
    .map(Number)
}
