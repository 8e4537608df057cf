import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { setPortalAccess } from '#contract/settings/portal-access.ts'
import { ADMINISTRATOR, VIEWER } from '#domain/access/roles.ts'
import { CHILD_ENVIRONMENT } from '#server/testing/child-environment.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { startMailServer } from '#server/testing/mail-server.ts'
import { until } from '#server/testing/until.ts'

/** The real portal as a process of its own, killed without warning in the middle of its work. */
const PATIENCE = 60_000
const ada = { email: 'ada@aerodyne.example', role: ADMINISTRATOR }
const bob = { email: 'bob@aerodyne.example', role: VIEWER }
const SESSION = 'a-session-of-ada'

let database: Awaited<ReturnType<typeof freshDatabase>>
const processes: ChildProcess[] = []
beforeEach(async () => {
  database = await freshDatabase()
  const { db } = database
  await db.insertInto('account').values({ customer_number: '1', name: 'Aerodyne', org_type: 'Direct' }).execute()
  await db.insertInto('contact').values({ customer_number: '1', email: ada.email, role: ADMINISTRATOR }).execute()
  const now = Date.now()
  await db
    .insertInto('session')
    .values({
      id_hash: createHash('sha256').update(SESSION).digest(),
      email: ada.email,
      created_at: new Date(now),
      last_seen_at: new Date(now),
      expires_at: new Date(now + 3_600_000),
    })
    .execute()
})
afterEach(async () => {
  for (const child of processes.splice(0)) await kill(child)
  await database.close()
})

async function startProcess(smtpPort: number) {
  const port = await freePort()
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-mail-'))
  onTestFinished(() => fs.rmSync(dataDir, { recursive: true, force: true }))
  const child = spawn(process.execPath, ['server/main.ts'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...CHILD_ENVIRONMENT,
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl(),
      SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
      // A provider that is never called: it only keeps the demo data away.
      OIDC_ISSUER: 'http://127.0.0.1:9/',
      OIDC_CLIENT_ID: 'portal',
      OIDC_CLIENT_SECRET: 'secret',
      LOG_LEVEL: 'silent',
    },
  })
  processes.push(child)
  const origin = `http://127.0.0.1:${port}`
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error('the portal did not start')
    return fetch(`${origin}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    )
  }
  await until(isReady, 'the portal did not start', PATIENCE)
  return { child, origin }
}

function databaseUrl(): string {
  const { host, port, user, password, database: name } = database.connection
  const secret = encodeURIComponent(String(password))
  return `postgres://${user}:${secret}@localhost:${port}/${name}?host=${encodeURIComponent(String(host))}`
}

async function addBob(origin: string): Promise<void> {
  const answer = await fetch(origin + setPortalAccess.path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-requested-with': 'portal',
      cookie: `session=${SESSION}`,
    },
    body: JSON.stringify({ customerNumber: '1', oldContacts: [ada], newContacts: [ada, bob] }),
  })
  expect(await answer.json()).toEqual({ status: 'SUCCESS', data: [ada, bob] })
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Takes connections and never says a word. */
async function silentServer(port: number) {
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    socket.on('error', () => {})
    sockets.add(socket)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    isCalled: () => sockets.size > 0,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        for (const socket of sockets) socket.destroy()
      }),
  }
}

const mail = () =>
  database.db.selectFrom('mail').select(['state', 'attempts', 'trouble', 'message_id']).executeTakeFirstOrThrow()
const isSent = async () => (await mail()).state === 'sent'

test('an email arrives once although the mail server was down and the portal was killed before sending it', async () => {
  const smtpPort = await freePort()
  const first = await startProcess(smtpPort)
  await addBob(first.origin)
  await until(async () => (await mail()).attempts > 0, 'the mail was never tried', PATIENCE)
  expect(await mail()).toMatchObject({ state: 'queued', trouble: expect.stringContaining('ECONNREFUSED') })

  const silent = await silentServer(smtpPort)
  await until(silent.isCalled, 'the mail was not tried again', PATIENCE)
  await kill(first.child)
  await silent.close()
  expect(await mail()).toMatchObject({ state: 'queued' })

  const server = await startMailServer({ port: smtpPort })
  onTestFinished(() => server.close())
  const second = await startProcess(smtpPort)
  await until(isSent, 'the mail did not arrive', PATIENCE)
  await stop(second.child)
  expect(server.mails).toHaveLength(1)
  expect(server.mails[0]).toMatchObject({ to: [bob.email], source: expect.stringContaining('Aerodyne') })
}, 180_000)

test('a portal that is killed before it records a delivery sends the email again under the same Message-ID', async () => {
  let victim: ChildProcess | undefined
  const server = await startMailServer({
    onMail: async () => {
      if (victim) await kill(victim)
      victim = undefined
    },
  })
  onTestFinished(() => server.close())
  const first = await startProcess(server.port)
  victim = first.child
  await addBob(first.origin)
  await until(() => server.mails.length === 1, 'the mail did not arrive', PATIENCE)
  expect(await mail()).toMatchObject({ state: 'queued' })

  const second = await startProcess(server.port)
  await until(isSent, 'the mail was not sent again', PATIENCE)
  await stop(second.child)
  const { message_id } = await mail()
  expect(server.mails).toHaveLength(2)
  for (const { source } of server.mails) expect(source).toContain(`Message-ID: ${message_id}`)
}, 180_000)
