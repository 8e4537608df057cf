import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Command } from '#server/cli/command.ts'
import { pinUnlock, usageCheck, usageRebuild } from '#server/cli/usage.ts'
import { auditContextOf, OPERATOR } from '#server/identity/principal.ts'
import { bookUsage } from '#server/modules/elastic/usage/usage-booking.queries.ts'
import { ensureUsagePartitions } from '#server/modules/elastic/usage/usage-partitions.queries.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'
import { addElasticAccount, driftedDays, runningRow, usageRow } from '#server/testing/usage.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
  const { db } = database
  await addElasticAccount(db, 'C1', 'Europe/Berlin')
  await addElasticAccount(db, 'C2', 'America/Los_Angeles')
  await ensureUsagePartitions(db, { from: new Date('2026-10-01'), to: new Date('2026-10-31') })
  const rows = ['C1', 'C2'].flatMap((customer_number) => [
    usageRow({ customer_number, project: 'Wing', charge: '0.10' }),
    usageRow({ customer_number, user_name: 'ben', activation_id: 'A2' }),
    runningRow({ customer_number }),
  ])
  await db.transaction().execute((tx) => bookUsage(tx, rows))
})
afterAll(() => database.close())

async function run(command: Command, ...words: string[]): Promise<string> {
  const lines: string[] = []
  const now = new Date('2026-10-20T00:00:00Z')
  const audit = auditContextOf(OPERATOR, { at: now, address: 'command line', requestId: '' })
  await command.run(words, {
    config: undefined as never,
    installation: database as never,
    now,
    secrets: UNWRAPPED,
    audit,
    say: (line) => void lines.push(line),
    progress: () => {},
  })
  return lines.join('\n')
}

test.each([
  ['usage_day', 'product'],
  ['usage_user_day', 'user_name'],
  ['usage_project_day', 'project'],
  ['usage_host_day', 'host'],
  ['usage_total', 'activation_id'],
])('usage check finds what differs in %s, and usage rebuild mends it', async (table) => {
  expect(await run(usageCheck, 'all')).toBe('The sums of 2 accounts are those of their transactions')
  await database.db.transaction().execute(async (tx) => {
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx)
    await sql`update ${sql.table(table)} set charge = charge + 0.01 where customer_number = 'C2'`.execute(tx)
    await sql`alter table ${sql.table(table)} enable trigger user`.execute(tx)
  })
  await expect(run(usageCheck, 'C2')).rejects.toThrow('differ from the transactions')
  await run(usageCheck, 'C1')
  expect(await driftedDays(database.db)).toMatchObject([{ sums: table }, { sums: table }])
  await database.db.deleteFrom('usage_rebuild').execute()
  expect(await run(usageRebuild, 'C2')).toBe('The sums of 1 account were made anew')
  expect(await driftedDays(database.db)).toEqual([])
})

test('a rebuild is in the audit log', async () => {
  const { action, principal } = await database.db
    .selectFrom('audit_log')
    .select(['action', 'principal'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect([action, principal]).toEqual(['usage.rebuild', 'operator'])
})

test('an account without a server is refused', async () => {
  await expect(run(usageCheck, 'C9')).rejects.toThrow('has no elastic license server')
})

test('pin unlock lets an address try again', async () => {
  const key = { customer_number: 'C1', server_id: 'server-C1', external_ip: '203.0.113.7' }
  await database.db
    .insertInto('pin_failure')
    .values({ ...key, failures: 10, failed_at: new Date() })
    .execute()
  expect(await run(pinUnlock, 'C1', 'server-C1', '203.0.113.7')).toBe('203.0.113.7 is unlocked')
  expect(await run(pinUnlock, 'C1', 'server-C1', '203.0.113.7')).toContain('Nothing is locked')
})
