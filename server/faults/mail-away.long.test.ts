import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '#server/testing/database.ts'
import { describeRun, startWriters } from '#server/testing/load/fault-run.ts'
import { startMailServer } from '#server/testing/outside/mail-server.ts'
import { freePort, startPortalProcess } from '#server/testing/portal-process.ts'

test('a mail server that is away delays emails only, and each arrives once when it is back', async () => {
  const database = await freshDatabase()
  onTestFinished(() => database.close())
  const smtpPort = await freePort()
  const portal = await startPortalProcess(database.connection, { SMTP_URL: `smtp://127.0.0.1:${smtpPort}` })
  onTestFinished(() => portal.kill())
  const run = await startWriters(database.db, portal.origin)
  await run.hasWritten(150)
  const { rows } = await database.pool.query<{ n: number }>(
    `select count(*)::int as n from mail where state = 'queued'`,
  )
  expect(rows[0]?.n).toBeGreaterThan(0)
  const server = await startMailServer({ port: smtpPort })
  onTestFinished(() => server.close())
  await run.hasWritten(30)
  const broken = await run.end(database.db)
  const ids = server.mails.map(({ source }) => /^Message-ID: (.+)$/im.exec(source)?.[1])
  console.log(`mail server away and back; ${describeRun(run.journal)}; ${ids.length} emails arrived`)
  expect(broken).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
  const sent = await database.pool.query<{ n: number }>(`select count(*)::int as n from mail where state = 'sent'`)
  expect(sent.rows[0]?.n).toBe(ids.length)
})
