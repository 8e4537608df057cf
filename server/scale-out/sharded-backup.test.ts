import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { runWords } from '#server/cli/run-words.ts'
import { openDatabase } from '#server/db/database.ts'
import { isSharded } from '#server/scale-out/shard.queries.ts'
import { databaseUrl } from '#server/testing/child-environment.ts'
import { addMeteredAccount, sentTransaction, startMeteredPortal } from '#server/testing/metering.ts'
import { until } from '#server/testing/until.ts'
import { driftedDays } from '#server/testing/usage.ts'
import { walkableDirectory } from '#server/testing/walkable-directory.ts'

const { CITUS_URL } = process.env
if (!CITUS_URL) console.warn('CITUS_URL is not set: no backup of a sharded installation was made')

/** More than one, so that both workers have some of them. */
const CUSTOMERS = ['LOAD-1', 'LOAD-2', 'LOAD-3', 'LOAD-4']

test.runIf(CITUS_URL)('a backup under write load is of one instant, and is restored and sharded again', async () => {
  const metered = await startMeteredPortal('usage')
  const directory = walkableDirectory('sharded-backup')
  onTestFinished(() => fs.rmSync(directory, { recursive: true, force: true }))
  for (const customer of CUSTOMERS)
    await addMeteredAccount(metered.db, customer, { sold: [{ id: `${customer}-1`, units: 1_000_000 }] })
  const acknowledged: string[] = []
  let open = true
  const writers = CUSTOMERS.map(async (customer) => {
    while (open) {
      const { lines } = await metered.sendUsage([sentTransaction(metered, customer)])
      for (const { id, status } of lines) if (status === 'SUCCESS') acknowledged.push(id)
    }
  })
  await until(() => acknowledged.length > 40, 'nothing was booked')
  const before = [...acknowledged]
  const file = path.join(directory, 'portal.backup')
  const env = { DATABASE_URL: databaseUrl(metered.connection) }
  const portal = async (...words: string[]) => {
    const said: string[] = []
    const output = { write: (text: string) => said.push(text) }
    return { status: await runWords(words, { env, stdout: output, stderr: output }), said: said.join('') }
  }
  expect(await portal('backup', file)).toMatchObject({ status: 0, said: expect.stringContaining('ready') })
  const during = acknowledged.length - before.length
  open = false
  await Promise.all(writers)
  expect(during).toBeGreaterThan(0)
  await metered.app.close()
  await metered.db.destroy()
  await metered.portal.db.destroy()

  const restored = await portal('restore', file, '--replace', metered.connection.database)
  expect(restored).toMatchObject({ status: 0, said: expect.stringContaining('Run "shard" again') })
  const { db } = openDatabase(metered.connection)
  onTestFinished(() => db.destroy())
  const receipts = async () => {
    const { rows } = await sql<{ id: string }>`
      select id from usage_receipt where customer_number in (${sql.join(CUSTOMERS)})`.execute(db)
    return new Set(rows.map(({ id }) => id))
  }
  expect(await isSharded(db)).toBe(false)
  const kept = await receipts()
  expect(before.filter((id) => !kept.has(id))).toEqual([])
  expect(await driftedDays(db)).toEqual([])
  await db.destroy()

  expect(await portal('shard', '--shards', '4')).toMatchObject({
    status: 0,
    said: expect.stringContaining('6 shards'),
  })
})
