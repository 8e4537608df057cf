import fc from 'fast-check'
import { type IsolationLevel, type Kysely, sql, type Transaction } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '#server/db/database.ts'
import type { DB } from '#server/db/schema.ts'
import { claimActivationIds } from '#server/modules/entitlements/entitlements.public.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { isFullRun } from '#server/testing/full-run.ts'
import { until } from '#server/testing/until.ts'

/*
 * The database itself guarantees the rules of the ledger: these tests write concurrently and without any rule of the
 * code.
 */
const CUSTOMER = '100001'
const HOSTS = ['00000000000a', '00000000000b', '00000000000c'] as const
const QUANTITY = 5
const OVER_QUANTITY = 'activated_within_quantity'
const BELOW_ZERO = 'host_seats_not_negative'
const LEVELS: readonly IsolationLevel[] = ['read committed', 'repeatable read', 'serializable']

let database: Awaited<ReturnType<typeof freshDatabase>>
let many: Database
let activationId: string
let made = 0

beforeAll(async () => {
  database = await freshDatabase()
  many = openDatabase({ ...database.connection, max: 24 })
  await database.db
    .insertInto('account')
    .values([
      { customer_number: CUSTOMER, name: 'One' },
      { customer_number: '100002', name: 'Other' },
    ])
    .execute()
  await database.db
    .insertInto('host')
    .values(HOSTS.map((host_id) => ({ ...host, host_id, host_name: host_id, added_at: new Date() })))
    .execute()
})
beforeEach(async () => {
  activationId = await anEntitlement(QUANTITY)
})
afterAll(async () => {
  await many.db.destroy()
  await database.close()
})

const host = { customer_number: CUSTOMER, host_id_type: 'ETHERNET' } as const

async function anEntitlement(quantity: number): Promise<string> {
  const activation_id = `a-${++made}`
  await claimActivationIds(database.db, [{ customer_number: CUSTOMER, activation_id }])
  await database.db
    .insertInto('entitlement')
    .values({
      customer_number: CUSTOMER,
      activation_id,
      entitlement_id: `e-${made}`,
      part_number: 'P1',
      product_name: 'Solver',
      license_model: 'Network',
      line_item_quantity: quantity,
      start_date: '2026-01-01',
      end_date: '2026-12-31',
    })
    .execute()
  return activation_id
}

function fulfill(
  db: Kysely<DB> | Transaction<DB>,
  seats: number,
  host_id: string = HOSTS[0],
  activation = activationId,
) {
  return db
    .insertInto('fulfillment')
    .values({ ...host, host_id, activation_id: activation, fulfill_count: seats, fulfilled_at: new Date() })
    .execute()
}

/** The sums that the database keeps, and the sums of the ledger's rows. */
async function sums() {
  const { rows } = await sql<{ kept: number; ledger: number; kept_on_hosts: string; ledger_on_hosts: string }>`
    select e.activated_count as kept,
           (select coalesce(sum(f.fulfill_count), 0)::int from fulfillment f
             where f.customer_number = ${CUSTOMER} and f.activation_id = e.activation_id) as ledger,
           (select string_agg(s.host_id || '=' || s.seats, ' ' order by s.host_id)
              from host_seats s where s.customer_number = ${CUSTOMER} and s.activation_id = e.activation_id) as kept_on_hosts,
           (select string_agg(g.host_id || '=' || g.seats, ' ' order by g.host_id)
              from (select f.host_id, sum(f.fulfill_count) as seats from fulfillment f
                     where f.customer_number = ${CUSTOMER} and f.activation_id = e.activation_id group by 1) g) as ledger_on_hosts
      from entitlement e
     where e.customer_number = ${CUSTOMER} and e.activation_id = ${activationId}`.execute(database.db)
  const [row] = rows
  if (!row) throw new Error('no entitlement')
  expect(row.kept).toBe(row.ledger)
  expect(row.kept_on_hosts).toBe(row.ledger_on_hosts)
  return { activated: row.kept, onHosts: row.kept_on_hosts }
}

test('seats are activated and returned, host by host', async () => {
  await fulfill(database.db, 3, HOSTS[0])
  await fulfill(database.db, 2, HOSTS[1])
  await fulfill(database.db, -1, HOSTS[0])
  expect(await sums()).toEqual({ activated: 4, onHosts: '00000000000a=2 00000000000b=2' })
})

test('refuses more seats on all hosts than the entitlement has', async () => {
  await fulfill(database.db, 3, HOSTS[0])
  await fulfill(database.db, 2, HOSTS[1])
  await expect(fulfill(database.db, 1, HOSTS[2])).rejects.toThrow(OVER_QUANTITY)
  expect(await sums()).toEqual({ activated: 5, onHosts: '00000000000a=3 00000000000b=2' })
})

test('a host returns only what it holds, whatever others hold', async () => {
  await fulfill(database.db, 4, HOSTS[0])
  await fulfill(database.db, 1, HOSTS[1])
  await expect(fulfill(database.db, -2, HOSTS[1])).rejects.toThrow(BELOW_ZERO)
  await expect(fulfill(database.db, -1, HOSTS[2])).rejects.toThrow(BELOW_ZERO)
  expect(await sums()).toEqual({ activated: 5, onHosts: '00000000000a=4 00000000000b=1' })
})

test('a statement that would exceed the seats is rolled back as a whole', async () => {
  const rows = [3, 3].map((seats, at) => ({
    ...host,
    host_id: HOSTS[at] ?? '',
    activation_id: activationId,
    fulfill_count: seats,
    fulfilled_at: new Date(),
  }))
  await expect(database.db.insertInto('fulfillment').values(rows).execute()).rejects.toThrow(OVER_QUANTITY)
  expect(await sums()).toEqual({ activated: 0, onHosts: null })
})

test('the quantity cannot shrink below what is activated', async () => {
  await fulfill(database.db, 4)
  const shrink = (line_item_quantity: number) =>
    database.db
      .updateTable('entitlement')
      .set({ line_item_quantity })
      .where('activation_id', '=', activationId)
      .executeTakeFirst()
  await expect(shrink(3)).rejects.toThrow(OVER_QUANTITY)
  await shrink(4)
})

test.each([
  ['update', sql`update fulfillment set fulfill_count = 1`],
  ['delete', sql`delete from fulfillment`],
  ['truncate', sql`truncate fulfillment cascade`],
])('the ledger is append-only: %s is refused', async (_name, statement) => {
  await fulfill(database.db, 2)
  // The trigger of a shard says the name of the shard.
  await expect(statement.execute(database.db)).rejects.toThrow(/^fulfillment(_\d+)? is append-only/)
  expect((await sums()).activated).toBe(2)
})

test.each([
  ['the total', () => sql`update entitlement set activated_count = 0 where activation_id = ${activationId}`],
  ['seats on a host', () => sql`update host_seats set seats = 0 where activation_id = ${activationId}`],
  ['which hosts have seats', () => sql`delete from host_seats where activation_id = ${activationId}`],
  [
    'seats on another host',
    () => sql`insert into host_seats values (${CUSTOMER}, ${activationId}, 'ETHERNET', ${HOSTS[1]}, 1)`,
  ],
])('the database refuses to change %s apart from the ledger', async (_name, statement) => {
  await fulfill(database.db, 2)
  await expect(statement().execute(database.db)).rejects.toThrow('follows the fulfillment ledger')
  await sums()
})

test('an entitlement or host that has or had seats cannot be deleted', async () => {
  await fulfill(database.db, 2)
  await fulfill(database.db, -2)
  await expect(sql`delete from entitlement where activation_id = ${activationId}`.execute(database.db)).rejects.toThrow(
    'foreign key',
  )
})

test("refuses another account's activation or host", async () => {
  const row = { ...host, host_id: HOSTS[0], activation_id: activationId, fulfill_count: 1, fulfilled_at: new Date() }
  const insert = (change: object) =>
    database.db
      .insertInto('fulfillment')
      .values({ ...row, ...change })
      .execute()
  await expect(insert({ customer_number: '100002' })).rejects.toThrow('foreign key')
  await expect(insert({ host_id: '00000000000f' })).rejects.toThrow('foreign key')
})

test('the sums match the ledger and stay within bounds after any sequence of changes', async () => {
  const step = fc.record({
    seats: fc.integer({ min: -4, max: 6 }).filter((n) => n !== 0),
    host: fc.constantFrom(...HOSTS),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      activationId = await anEntitlement(QUANTITY)
      const held = new Map<string, number>()
      let total = 0
      for (const { seats, host: id } of steps) {
        const fits = total + seats <= QUANTITY && (held.get(id) ?? 0) + seats >= 0
        const kept = await fulfill(database.db, seats, id).then(
          () => true,
          () => false,
        )
        expect(kept).toBe(fits)
        if (!fits) continue
        total += seats
        held.set(id, (held.get(id) ?? 0) + seats)
      }
      expect((await sums()).activated).toBe(total)
    }),
    { numRuns: isFullRun ? 40 : 12, seed: 5 },
  )
})

describe.each(LEVELS)('concurrent changes at isolation level %s', (level) => {
  /** Retries on a serialization failure as a caller would, and gives up on a refusal. */
  async function attempt(seats: number, hostId: string, activation: string): Promise<boolean> {
    for (;;) {
      try {
        await many.db
          .transaction()
          .setIsolationLevel(level)
          .execute(async (tx) => {
            await sql`select activated_count from entitlement where activation_id = ${activation}`.execute(tx)
            await fulfill(tx, seats, hostId, activation)
          })
        return true
      } catch (error) {
        const { code } = error as { code?: string }
        if (code !== '40001' && code !== '40P01') return false
      }
    }
  }

  test('give the last five seats to five of twenty people', async () => {
    const activation = activationId
    const tries = Array.from({ length: 20 }, (_, n) => attempt(1, HOSTS[n % 3] ?? '', activation))
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(QUANTITY)
    expect((await sums()).activated).toBe(QUANTITY)
  })

  test('return the same three seats once for ten people', async () => {
    await fulfill(database.db, 3, HOSTS[0])
    await fulfill(database.db, 2, HOSTS[1])
    const activation = activationId
    const tries = Array.from({ length: 10 }, () => attempt(-1, HOSTS[0], activation))
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(3)
    expect(await sums()).toEqual({ activated: 2, onHosts: '00000000000a=0 00000000000b=2' })
  })

  test('refuse a writer whose snapshot is outdated', async () => {
    const activation = activationId
    const second = await many.db.startTransaction().setIsolationLevel(level).execute()
    await sql`select sum(fulfill_count) from fulfillment where activation_id = ${activation}`.execute(second)
    const first = await many.db.startTransaction().setIsolationLevel(level).execute()
    await fulfill(first, 3, HOSTS[0])
    const late = fulfill(second, 3, HOSTS[1]).then(
      () => 'kept',
      (error: Error) => error.message,
    )
    await until(isSomeoneWaiting, 'the second writer does not wait for the first')
    await first.commit().execute()
    expect(await late).toMatch(level === 'read committed' ? OVER_QUANTITY : 'could not serialize access')
    await second.rollback().execute()
    expect((await sums()).activated).toBe(3)
  })
})

/** For a lock, or on the coordinator of a sharded database for the node that does. */
async function isSomeoneWaiting(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
     where datname = current_database() and state = 'active' and wait_event_type in ('Lock', 'Client')`.execute(
    database.db,
  )
  return rows.length > 0
}
