import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { emailMonth, mailedStatementList } from '#contract/elastic/statements/mailed-statements.ts'
import { ADMINISTRATOR } from '#domain/access/roles.ts'
import { lockMailedStatements } from '#server/modules/elastic/statements/mailed-statement.queries.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { addMeteredAccount } from '#server/testing/metering.ts'
import { startMailServer } from '#server/testing/outside/mail-server.ts'
import { freePort, type PortalProcess, startPortalProcess } from '#server/testing/portal-process.ts'
import { until } from '#server/testing/until.ts'

/**
 * The real portal in a separate process, killed without warning before it freezes a statement, and before it mails it.
 */
const ADA = 'ada@aerodyne.example'
const SESSION = 'a-session-of-ada'

let database: Awaited<ReturnType<typeof freshDatabase>>
let portal: PortalProcess | undefined
beforeAll(async () => {
  database = await freshDatabase()
  const { db } = database
  await addMeteredAccount(db, 'K1', { sold: [{ id: 'K1-1', units: 1000 }] })
  await db.insertInto('contact').values({ customer_number: 'K1', email: ADA, role: ADMINISTRATOR }).execute()
  const now = Date.now()
  await db
    .insertInto('session')
    .values({
      id_hash: createHash('sha256').update(SESSION).digest(),
      email: ADA,
      created_at: new Date(now),
      last_seen_at: new Date(now),
      expires_at: new Date(now + 3_600_000),
    })
    .execute()
})
afterAll(async () => {
  await portal?.kill()
  await database.close()
})

const start = async (smtpPort: number) => {
  portal = await startPortalProcess(database.connection, { SMTP_URL: `smtp://127.0.0.1:${smtpPort}` })
  return portal
}
async function post(origin: string, path: string, body: object) {
  const answer = await fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'portal', cookie: `session=${SESSION}` },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as { status: string; data: unknown[] }
}
const mails = () => database.db.selectFrom('mail').select(['state', 'attempts']).execute()
const isSent = async () => (await mails()).every(({ state }) => state === 'sent')
const inList = async (origin: string) =>
  (await post(origin, mailedStatementList.page.path, { customerNumber: 'K1' })).data

test('a statement is mailed once and listed once although the portal was killed before freezing and before mailing it', async () => {
  const smtpPort = await freePort()
  const first = await start(smtpPort)
  const body = { customerid: 'K1', server: 'server-K1', activationid: 'K1-1', date: new Date().toISOString() }
  // Holds the lock of the account, so that the call waits in its transaction.
  await database.db.transaction().execute(async (tx) => {
    await lockMailedStatements(tx, 'K1')
    const lost = post(first.origin, emailMonth.path, body).catch(() => 'lost')
    await until(async () => (await countWaiting()) > 0, 'the call never waited')
    await first.kill()
    expect(await lost).toBe('lost')
  })
  const second = await start(smtpPort)
  expect(await inList(second.origin)).toEqual([])
  expect(await mails()).toEqual([])

  expect(await post(second.origin, emailMonth.path, body)).toMatchObject({ status: 'SUCCESS' })
  await until(async () => (await mails()).some(({ attempts }) => attempts > 0), 'the mail was never tried')
  await second.kill()
  expect(await mails()).toMatchObject([{ state: 'queued' }])

  const server = await startMailServer({ port: smtpPort })
  onTestFinished(() => server.close())
  const third = await start(smtpPort)
  await until(isSent, 'the mail did not arrive')
  expect(server.mails).toHaveLength(1)
  expect(server.mails[0]).toMatchObject({ to: [ADA], source: expect.stringContaining('application/pdf') })
  expect(await inList(third.origin)).toMatchObject([{ Kind: 'monthly', ActivationId: 'K1-1' }])
})

async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_locks l join pg_database d on d.oid = l.database
     where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`.execute(database.db)
  return rows[0]?.n ?? 0
}
