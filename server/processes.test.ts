import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { getUserDetails } from '#contract/accounts/get-user-details.ts'
import { createAlert } from '#contract/messages/alert-authoring.ts'
import { streamNotifications } from '#contract/messages/notifications.ts'
import { whoami } from '#contract/service/whoami.ts'
import { setPortalAccess } from '#contract/settings/portal-access.ts'
import { ADMINISTRATOR, VIEWER } from '#domain/access/roles.ts'
import { SIGN_IN_PEOPLE } from '#server/demo/sign-in-people.ts'
import { systemClock } from '#server/doors/clock.ts'
import { CHILD_ENVIRONMENT, databaseUrl } from '#server/testing/child-environment.ts'
import { demoDatabase, freshDatabase, type TestDatabase } from '#server/testing/database.ts'
import { signInPeople } from '#server/testing/load/load-world.ts'
import { startMailServer } from '#server/testing/outside/mail-server.ts'
import { freePort } from '#server/testing/portal-process.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { until } from '#server/testing/until.ts'
import { walkableDirectory } from '#server/testing/walkable-directory.ts'

const PEOPLE = Array.from({ length: 20 }, (_, at) => ({ email: `p${at}@aerodyne.example`, role: VIEWER }))
const ADA = { email: 'ada@aerodyne.example', role: ADMINISTRATOR } as const

/** A provider that is never called, and a replica that does not answer. */
const NO_DEMO = {
  OIDC_ISSUER: 'http://127.0.0.1:9/',
  OIDC_CLIENT_ID: 'portal',
  OIDC_CLIENT_SECRET: 'secret',
  DATABASE_REPLICA_URL: 'postgres://portal@127.0.0.1:1/portal',
}

/** The portal in two processes, as the role that owns nothing. */
async function startTwo(database: TestDatabase, settings: Readonly<Record<string, string>>) {
  const mailServer = await startMailServer()
  const port = await freePort()
  const dataDir = walkableDirectory('processes')
  const child = spawn(process.execPath, ['server/main.ts'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...CHILD_ENVIRONMENT,
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl(database.portal.connection),
      PROCESSES: '2',
      DRAIN_SECONDS: '1',
      SMTP_URL: mailServer.url,
      ...settings,
    },
  })
  const said = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said.text += text
    })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  await until(() => said.text.includes('in 2 processes'), 'the portal did not start').catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  const close = async () => {
    child.kill('SIGKILL')
    await mailServer.close()
    await database.close()
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
  return { child, said, ended, database, mailServer, close, origin: `http://127.0.0.1:${port}` }
}

let portal: Awaited<ReturnType<typeof startTwo>>
beforeAll(async () => {
  portal = await startTwo(await freshDatabase(), NO_DEMO)
})
afterAll(() => portal.close())

test('demo people sign in and out, whichever process each request reaches', async () => {
  const { origin, close } = await startTwo(await demoDatabase(), { DEMO_USAGE: '2000' })
  onTestFinished(close)
  const cookies = new Map<string, string>()
  // Each request on a connection of its own: the port hands connections out in turns.
  const ask = async (path: string, method = 'GET') => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, connection: 'close', 'x-requested-with': 'portal' }
    const answer = await fetch(origin + path, { method, redirect: 'manual', headers })
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(/[=;]/)
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  const whoIsIn = async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => ask(getUserDetails.path)))
    return new Set(await Promise.all(answers.map(async (answer) => (await answer.json()).data?.email)))
  }
  for (const { email } of SIGN_IN_PEOPLE.slice(0, 3)) {
    let path = `/auth/login?login_hint=${email}`
    while (path !== '/home') {
      const answer = await ask(path)
      expect([302, 303], await answer.text()).toContain(answer.status)
      const { pathname, search } = new URL(answer.headers.get('location') ?? '', origin)
      path = pathname + search
    }
    expect(await whoIsIn()).toEqual(new Set([email]))
  }
  expect((await ask('/auth/logout', 'POST')).status).toBe(200)
  expect(await whoIsIn()).toEqual(new Set([undefined]))
})

/** The events that one client has received so far. */
async function openStream(cookie: string) {
  const answer = await fetch(portal.origin + streamNotifications.path, { headers: { cookie, connection: 'close' } })
  expect(answer.status).toBe(200)
  const received = { text: '' }
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  const read = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) received.text += part.value
  }
  read().catch(() => {})
  return { received, close: () => reader.cancel() }
}

test('an alert reaches the clients of both processes, and each mail is sent once', async () => {
  const { database, mailServer, origin } = portal
  const { db } = database
  await db.insertInto('account').values({ customer_number: '1', name: 'Aerodyne', org_type: 'Direct' }).execute()
  await db
    .insertInto('contact')
    .values({ customer_number: '1', ...ADA })
    .execute()
  const [ada = '', staff = ''] = await signInPeople(db, [ADA, { email: 'adam@vendor.example', roles: ['admin'] }])
  const call = async ({ path }: { path: string }, cookie: string, body: object) => {
    const headers = { cookie, 'content-type': 'application/json', 'x-requested-with': 'portal', connection: 'close' }
    const answer = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.status, await answer.text()).toBe(200)
  }

  // The port hands connections out in turns: four streams are in each process.
  const streams = await Promise.all(Array.from({ length: 8 }, () => openStream(ada)))
  const date = new Date().toISOString()
  const alert = { category: 'CRITICAL', date, expires: null, service: ['Portal'], links: [] }
  await call(createAlert, staff, { ...alert, description: 'Everything is down' })
  for (const { received } of streams)
    await until(() => received.text.includes('Everything is down'), 'the alert did not arrive')
  for (const { close } of streams) await close()

  await call(setPortalAccess, ada, { customerNumber: '1', oldContacts: [ADA], newContacts: [ADA, ...PEOPLE] })
  const isDelivered = async () => (await db.selectFrom('outbox_message').select('id').execute()).length === 0
  await until(isDelivered, 'mails wait')
  const recipients = mailServer.mails.flatMap(({ to }) => to).filter((to) => to !== ADA.email)
  expect(recipients.sort()).toEqual(PEOPLE.map(({ email }) => email).sort())
})

const metric = async (origin: string, name: string, route = '') => {
  const text = await (await fetch(`${origin}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) && line.includes(route))
  return new Map(lines.map((line) => [/process="(\d+)"/.exec(line)?.[1] ?? '', Number(line.split(' ').at(-1))]))
}

test('two processes share the port; one that dies is replaced, and a stop drains both', async () => {
  const { child, said, ended, database, origin } = portal

  const processes = async () => [...(await metric(origin, 'process_start_time_seconds')).keys()].sort().join()
  await until(async () => (await processes()) === '1,2', 'the metrics of a process are missing')

  const text = await (await fetch(`${origin}/metrics`)).text()
  const lags = text.split('\n').filter((line) => line.startsWith('portal_replica_lag_seconds{'))
  expect(lags.map((line) => line.split(' ').at(-1))).toEqual(['Nan', 'Nan'])

  // Each request on a connection of its own: the port hands connections out in turns.
  const { headers } = await giveServiceKey({ db: database.db, clock: systemClock }, 'a client')
  const call = async () => (await fetch(origin + whoami.path, { headers: { ...headers, connection: 'close' } })).status
  for (let sent = 0; sent < 8; sent++) expect(await call()).toBe(200)
  const answered = async () =>
    [...(await metric(origin, 'portal_request_seconds_count', whoami.path)).keys()].sort().join()
  await until(async () => (await answered()) === '1,2', 'one process answered nothing')

  const before = await workersOf(child.pid!)
  expect(before).toHaveLength(2)
  process.kill(before[0]!, 'SIGKILL')
  await until(() => /Process \d of 2 ended \(SIGKILL\): starting another/.test(said.text), 'nothing was said')
  await until(async () => (await processes()) === '1,2', 'no other came')
  const after = await workersOf(child.pid!)
  expect(after).toHaveLength(2)
  expect(after).not.toContain(before[0])

  child.kill('SIGTERM')
  await until(async () => (await fetch(`${origin}/readyz`)).status === 503, 'it stayed ready')
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
