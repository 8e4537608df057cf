import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DB } from '#server/db/schema.ts'
import { freshDatabase, type TestDatabase } from '#server/testing/database.ts'
import { findBrokenPromises } from '#server/testing/load/broken-promises.ts'
import { type FaultRun, startWriters } from '#server/testing/load/fault-run.ts'
import type { Promised } from '#server/testing/load/journal.ts'
import { type PortalProcess, startPortalProcess } from '#server/testing/portal-process.ts'

/** The real portal in a separate process, killed once while clients write. */
let database: TestDatabase
let portal: PortalProcess
let run: FaultRun
beforeAll(async () => {
  database = await freshDatabase()
  portal = await startPortalProcess(database.connection)
  run = await startWriters(database.db, portal.origin, { accounts: 1 })
})
afterAll(async () => {
  await portal.kill()
  await database.close()
})

test('keeps every promise when the portal is killed while clients write', async () => {
  await run.hasWritten(30)
  await portal.kill()
  portal = await startPortalProcess(database.connection, { PORT: new URL(portal.origin).port })
  await run.hasWritten(30)
  expect(await run.end(database.db)).toEqual([])
  expect(new Set(run.journal.promised.map(({ kind }) => kind)).size).toBe(5)
})

/** What the checker says about a database that somebody has spoiled. Nothing of it stays. */
async function spoiled(
  spoil: (tx: Kysely<DB>) => Promise<unknown>,
  extra: readonly Promised[] = [],
): Promise<string[]> {
  let broken: string[] = []
  const undo = new Error('undo')
  const tried = database.db.transaction().execute(async (tx) => {
    // Without triggers and foreign keys, which would refuse most of this.
    await sql`set local session_replication_role = replica`.execute(tx)
    await spoil(tx)
    const { promised, unknown } = run.journal
    broken = await findBrokenPromises(tx, { promised: [...promised, ...extra], unknown })
    throw undo
  })
  await expect(tried).rejects.toBe(undo)
  return broken
}

function last<K extends Promised['kind']>(kind: K) {
  const found = run.journal.promised.findLast((one): one is Extract<Promised, { kind: K }> => one.kind === kind)
  if (!found) throw new Error(`no ${kind} was acknowledged`)
  return found
}

test('finds lost usage', async () => {
  const { id } = last('usage')
  const broken = await spoiled((tx) => sql`delete from usage_transaction where session_id = ${id}`.execute(tx))
  expect(broken).toContainEqual(expect.stringContaining(`usage ${id} was acknowledged and is lost`))
  expect(broken).toContainEqual(expect.stringContaining('usage sums differ'))
})

test('finds usage that was booked twice', async () => {
  const { id } = last('usage')
  const broken = await spoiled(async (tx) => {
    const row = await tx
      .selectFrom('usage_transaction')
      .selectAll()
      .where('session_id', '=', id)
      .executeTakeFirstOrThrow()
    const columns = Object.keys(row).filter((name) => !['transaction_number', 'hours', 'ended_on'].includes(name))
    const names = sql.join(columns.map((name) => sql.ref(name)))
    await sql`insert into usage_transaction (${names}) select ${names} from usage_transaction where session_id = ${id}`.execute(
      tx,
    )
  })
  expect(broken).toContainEqual(expect.stringContaining(`usage ${id} is there 2 times`))
})

test('finds a lost order, and what it does to the balance and the audit log', async () => {
  const { activationId } = last('order')
  const broken = await spoiled((tx) => sql`delete from entitlement where activation_id = ${activationId}`.execute(tx))
  expect(broken).toContainEqual(expect.stringContaining(`order ${activationId} was acknowledged and is lost`))
})

test('finds an order that nobody was told of', async () => {
  const { activationId } = last('order')
  const broken = await spoiled((tx) =>
    sql`update entitlement set activation_id = 'other', price = price + 1 where activation_id = ${activationId}`.execute(
      tx,
    ),
  )
  expect(broken).toContainEqual(expect.stringContaining('1 are there that nobody was told of, such as other'))
})

test('finds a balance that does not match the orders', async () => {
  const broken = await spoiled((tx) => sql`update fsa_contract set ordered = ordered + 1`.execute(tx))
  expect(broken).toEqual([expect.stringContaining('was drawn from the spending account')])
})

test('finds a charge that differs from the one that was told', async () => {
  const { id, charge } = last('session')
  const broken = await spoiled((tx) =>
    sql`update usage_transaction set charge = charge + 1 where session_id = ${id}`.execute(tx),
  )
  expect(broken).toContainEqual(expect.stringContaining(`session ${id} is`))
  expect(charge).toBeDefined()
})

test('finds a lost checkout', async () => {
  const { id } = last('checkout')
  const broken = await spoiled((tx) => sql`delete from web_checkout where checkout_id = ${id}`.execute(tx))
  expect(broken).toContainEqual(expect.stringContaining(`checkout ${id} was acknowledged and is lost`))
})

test('finds seats that differ from the last save', async () => {
  const { hostId } = last('plan')
  const broken = await spoiled((tx) =>
    sql`update host_seats set seats = seats + 1 where host_id = ${hostId}`.execute(tx),
  )
  expect(broken).toContainEqual(expect.stringContaining(`${hostId} has`))
})

test('finds a plan that is lost, and one that failed', async () => {
  const { id } = last('plan')
  const broken = await spoiled((tx) =>
    sql`update host_plan set state = 'failed', failure = 'x', failure_code = 'X' where plan_id = ${id}`.execute(tx),
  )
  expect(broken).toContainEqual(expect.stringContaining(`plan ${id} was acknowledged and is lost`))
})

test('finds a missing audit entry and one that is there twice', async () => {
  const { activationId } = last('order')
  const entry = sql`audit_log where action = 'entitlements' and after::text like ${`%${activationId}%`}`
  const missing = await spoiled((tx) => sql`delete from ${entry}`.execute(tx))
  expect(missing).toEqual([expect.stringContaining(`${activationId} is in the audit log 0 times`)])
  const columns = sql.raw(
    'at, email, address, request_id, principal, action, text, customer_number, target, after, outcome',
  )
  const twice = await spoiled((tx) =>
    sql`insert into audit_log (${columns}) select ${columns} from ${entry}`.execute(tx),
  )
  expect(twice).toEqual([expect.stringContaining(`${activationId} is in the audit log 2 times`)])
})

test('finds a lost email, and a delivered one that would be sent again', async () => {
  const { customerNumber } = last('plan')
  const lost = await spoiled((tx) =>
    sql`delete from mail where id = (select max(id) from mail where customer_number = ${customerNumber})`.execute(tx),
  )
  expect(lost).toContainEqual(expect.stringMatching(/plans were done, and \d+ emails were written/))
  const again = await spoiled((tx) =>
    sql`insert into outbox_message (id, lane, payload, queued_at, next_attempt_at)
        select gen_random_uuid(), 'mail', jsonb_build_object('mailId', max(id)), now(), now() from mail
         where customer_number = ${customerNumber}`.execute(tx),
  )
  expect(again).toEqual([expect.stringContaining('1 delivered emails are still in the outbox')])
})

test('says nothing about a write whose client gave up, whether it was done or not', async () => {
  const { customerNumber, activationId } = last('order')
  const { promised } = run.journal
  const told = promised.filter((one) => !(one.kind === 'order' && one.activationId === activationId))
  const unknown = [{ customerNumber, kind: 'order' as const }]
  expect(await findBrokenPromises(database.db, { promised: told, unknown })).toEqual([])
  expect(await findBrokenPromises(database.db, { promised: told, unknown: [] })).not.toEqual([])
})
