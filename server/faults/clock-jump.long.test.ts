import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { createMailer } from '#server/doors/mailer.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { atRandomTimes, describeRun, startWriters } from '#server/testing/load/fault-run.ts'
import { startPortal } from '#server/testing/portal.ts'
import { walkableDirectory } from '#server/testing/walkable-directory.ts'

const MINUTE = 60_000
/**
 * Forward beyond the life of an elastic session without heartbeats, back again, and back before the start; less than ends a sign-in.
 * At the end the clock is where it was furthest: emails that were written there are due only then.
 */
const JUMPS = [20, -20, -20, 20, 20].map((minutes) => minutes * MINUTE)

test('a clock that jumps forward and back under writers loses nothing and doubles nothing', async () => {
  const database = await freshDatabase()
  let offset = 0
  const clock = { now: () => new Date(Date.now() + offset) }
  const mailer = createMailer(readConfig({ DATA_DIR: walkableDirectory('clock') }))
  const portal = await startPortal({}, { clock, mailer }, database)
  onTestFinished(() => portal.close())
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  const address = portal.app.server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const run = await startWriters(database.db, origin)
  await atRandomTimes(JUMPS.length, 2_000, async (at) => {
    await run.hasWritten(20)
    offset += JUMPS[at] ?? 0
  })
  await run.hasWritten(20)
  const broken = await run.end(database.db)
  console.log(`${JUMPS.length} jumps of the clock; ${describeRun(run.journal)}`)
  expect(broken).toEqual([])
})
