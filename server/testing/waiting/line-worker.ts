import readline from 'node:readline'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/database.ts'
import { createLogThreads } from '#server/modules/license-use/logs/log-threads.ts'
import { storeObservations } from '#server/modules/license-use/logs/store-observations.ts'
import { advanceLines } from '#server/modules/license-use/waiting/advance-lines.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'

/*
 * Does what the portal does with a report of a license server, or each minute without one, in a process that can be killed at any moment. A line
 * of stdin is a command as JSON; a line of stdout says that it is done.
 */

export type LineCommand = {
  readonly now: string
  readonly customerNumber: string
  /** Null: no report, only time passes. */
  readonly report: { readonly hostId: string; readonly text: string } | null
}

const { db } = openDatabase({ connectionString: process.env.DATABASE_URL, max: 1 })
const config = readConfig({ PUBLIC_URL: 'http://localhost', LOG_LEVEL: 'silent' })
const logThreads = createLogThreads()

console.log('ready')
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { now: at, customerNumber, report } = JSON.parse(line) as LineCommand
  const now = new Date(at)
  const services = { clock: { now: () => now }, config }
  await db.transaction().execute(async (tx) => {
    if (report) {
      const key = { customerNumber, hostId: report.hostId }
      await storeObservations(tx, { secrets: UNWRAPPED, logThreads, jobs: null }, key, [{ text: report.text }], now)
    }
    await advanceLines(tx, services, customerNumber, { now, ...(report ? { reporting: report.hostId } : {}) })
  })
  console.log('done')
}
