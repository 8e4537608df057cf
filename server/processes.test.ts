import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { streamNotifications } from '#contract/messages/notifications.ts'
import { CHILD_ENVIRONMENT, databaseUrl } from '#server/testing/child-environment.ts'
import { demoDatabase } from '#server/testing/database.ts'
import { freePort } from '#server/testing/portal-process.ts'
import { until } from '#server/testing/until.ts'
import { emptyDataDirectory } from '#server/testing/walkable-directory.ts'

const PATIENCE = 240_000
/** Starts processes. */
const SLOW = { timeout: 600_000 }

/** The portal in two processes, as the role that owns nothing. */
async function startTwo() {
  const database = await demoDatabase()
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
      DEMO_USAGE: '2000',
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

const metric = async (origin: string, name: string) => {
  const text = await (await fetch(`${origin}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`))
  return new Map(lines.map((line) => [/process="(\d+)"/.exec(line)?.[1] ?? '', Number(line.split(' ').at(-1))]))
}

async function signIn(origin: string, email: string): Promise<string> {
  let url = `${origin}/auth/login?login_hint=${email}`
  const jar = new Map<string, string>()
  for (let step = 0; step < 10; step++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    await answer.arrayBuffer()
    for (const one of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? []
      jar.set(name, value)
    }
    const next = answer.headers.get('location')
    if (!next) break
    url = new URL(next, url).href
  }
  const session = jar.get('session')
  if (!session) throw new Error('not signed in')
  return `session=${session}`
}

test('two processes share port, events and jobs; one that dies is replaced, and a stop drains both', SLOW, async () => {
  const { child, said, ended, database, origin } = await startTwo()

  const processes = async () => [...(await metric(origin, 'process_start_time_seconds')).keys()].sort().join()
  await until(async () => (await processes()) === '1,2', 'the metrics of a process are missing', PATIENCE)

  // The port hands connections out in turns: four streams are two in each process.
  const cookie = await signIn(origin, 'vic.viewer@aerodyne.example')
  const streams = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const answer = await fetch(origin + streamNotifications.path, { headers: { cookie } })
      expect(answer.status).toBe(200)
      const received = { text: '' }
      const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
      const read = async () => {
        for (let part = await reader.read(); !part.done; part = await reader.read()) received.text += part.value
      }
      read().catch(() => {})
      return received
    }),
  )
  await until(() => streams.every(({ text }) => text.includes('event: alerts')), 'a stream never began', PATIENCE)
  await database.pool.query(
    `insert into alert (category, starts_at, description, services, created_by, created_at, changed_at)
     values ('CRITICAL', now() - interval '1 minute', 'Seen by every process', '{Portal}', 'a test', now(), now())`,
  )
  await until(
    () => streams.every(({ text }) => text.includes('Seen by every process')),
    'an alert did not arrive',
    PATIENCE,
  )

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
