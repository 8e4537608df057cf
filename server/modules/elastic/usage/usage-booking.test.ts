import type { Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { sessionHours } from '#domain/elastic/sessions/session-charge.ts'
import type { DB } from '#server/db/schema.ts'
import type { UsageRow } from '#server/modules/elastic/usage/usage-booking.queries.ts'
import { ensureUsagePartitions } from '#server/modules/elastic/usage/usage-partitions.queries.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { addElasticAccount, driftedDays, runningRow, usageRow } from '#server/testing/usage.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let db: Kysely<DB>

beforeAll(async () => {
  database = await freshDatabase()
  db = database.db
  await addElasticAccount(db, 'C1', 'Europe/Berlin')
  await addElasticAccount(db, 'C2', 'America/Los_Angeles')
  await ensureUsagePartitions(db, { from: new Date('2026-08-01'), to: new Date('2026-12-01') })
})
afterAll(() => database.close())

async function insert(...rows: UsageRow[]): Promise<string> {
  const inserted = await db.insertInto('usage_transaction').values(rows).returning('transaction_number').execute()
  return inserted[0]!.transaction_number
}

const end = (number: string, values: { ends_at: Date; charge: string }) =>
  db
    .updateTable('usage_transaction')
    .set({ session_status: 'Completed', activation_id: 'A1', ...values })
    .where('transaction_number', '=', number)
    .execute()

const differences = () => driftedDays(db)

const listDays = (customerNumber: string) =>
  db
    .selectFrom('usage_day')
    .select(['day', 'charge', 'transactions'])
    .where('customer_number', '=', customerNumber)
    .orderBy('day')
    .execute()

describe('the sum per day', () => {
  it('is the sum of the rows after every kind of change', async () => {
    await insert(
      usageRow(),
      usageRow({ charge: '0.10' }),
      usageRow({ product: 'HPC Pack' }),
      usageRow({ customer_number: 'C2' }),
    )
    expect(await differences()).toEqual([])
    const open = await insert(runningRow())
    expect(await differences()).toEqual([])
    await end(open, { ends_at: new Date('2026-11-01T00:30:00Z'), charge: '3.25' })
    expect(await differences()).toEqual([])
    const wrong = await insert(usageRow({ charge: '5.00' }))
    await insert(usageRow({ charge: '-2.00', corrects: wrong }))
    expect(await differences()).toEqual([])
    await db.updateTable('account').set({ time_zone: 'Asia/Tokyo' }).where('customer_number', '=', 'C1').execute()
    expect(await differences()).toEqual([])
    await db.updateTable('account').set({ time_zone: 'Europe/Berlin' }).where('customer_number', '=', 'C1').execute()
    expect(await differences()).toEqual([])
  })

  it('counts usage on the day of its end in the zone of the account', async () => {
    const before = await listDays('C2')
    await insert(
      usageRow({
        customer_number: 'C2',
        started_at: new Date('2026-09-01T05:00:00Z'),
        ends_at: new Date('2026-09-01T06:59:59.999Z'),
        charge: '1.00',
      }),
      usageRow({ customer_number: 'C2', ends_at: new Date('2026-10-12T07:00:00Z'), charge: '2.00' }),
    )
    const added = (await listDays('C2')).filter(({ day }) => !before.some((other) => other.day === day))
    expect(added).toEqual([
      { day: '2026-08-31', charge: '1.00', transactions: 1 },
      { day: '2026-10-12', charge: '2.00', transactions: 1 },
    ])
  })

  it('stays exact when many write at once', async () => {
    const writer = (at: number) =>
      insert(
        ...Array.from({ length: 20 }, (_, n) =>
          usageRow({ charge: '0.01', product: `P${(at + n) % 7}`, customer_number: (at + n) % 2 ? 'C1' : 'C2' }),
        ),
      )
    // In either order of the accounts: writers that deadlock would be ended by the database.
    await Promise.all(Array.from({ length: 24 }, (_, at) => writer(at)))
    expect(await differences()).toEqual([])
  })

  it('does not change when a statement fails', async () => {
    const before = await listDays('C1')
    await expect(insert(usageRow(), usageRow({ product_count: 0 }))).rejects.toThrow('product_count')
    expect(await listDays('C1')).toEqual(before)
  })
})

describe('a booked transaction', () => {
  it('can neither be changed nor deleted', async () => {
    const number = await insert(usageRow())
    await expect(end(number, { ends_at: new Date('2026-10-11T00:00:00Z'), charge: '9.00' })).rejects.toThrow(
      'is booked',
    )
    const gone = db.deleteFrom('usage_transaction').where('transaction_number', '=', number).execute()
    await expect(gone).rejects.toThrow('append-only')
  })

  it.each([
    ['a charge without an end', runningRow({ charge: '1.00', activation_id: 'A1' })],
    ['an end without a charge', usageRow({ charge: null })],
    ['a charge on no entitlement', usageRow({ activation_id: null })],
    ['an end before the start', usageRow({ ends_at: new Date('2026-10-10T07:59:59Z') })],
    ['a negative charge that corrects nothing', usageRow({ charge: '-1.00' })],
    ['a server of somebody else', usageRow({ server_id: 'server-C2' })],
    ['an account that does not exist', usageRow({ customer_number: 'C9', server_id: 'server-C1' })],
    ['a month without a partition', usageRow({ ends_at: new Date('2031-01-01T00:00:00Z') })],
  ])('is never %s', async (_name, row) => {
    await expect(insert(row)).rejects.toThrow()
  })

  it('has the hours of the domain rule', async () => {
    const start = new Date('2026-10-10T08:00:00.000Z')
    for (const length of [0, 1, 17_999, 18_000, 53_999, 54_000, 3_599_999, 5_400_000, 86_400_000]) {
      const ends_at = new Date(start.getTime() + length)
      const number = await insert(usageRow({ started_at: start, ends_at }))
      const { hours } = await db
        .selectFrom('usage_transaction')
        .select('hours')
        .where('transaction_number', '=', number)
        .executeTakeFirstOrThrow()
      expect(hours).toBe(sessionHours(start, ends_at))
    }
  })
})

describe('a correction', () => {
  let original: string
  beforeEach(async () => {
    original = await insert(usageRow({ charge: '10.00' }))
  })

  it('takes back the whole charge, in parts or at once', async () => {
    await insert(usageRow({ charge: '-4.00', corrects: original }))
    await insert(usageRow({ charge: '-6.00', corrects: original }))
    await expect(insert(usageRow({ charge: '-0.01', corrects: original }))).rejects.toThrow('takes back more')
  })

  it('never takes back more than was charged, not even two at once', async () => {
    const halves = [1, 2, 3].map(() => insert(usageRow({ charge: '-4.00', corrects: original })))
    const outcomes = await Promise.allSettled(halves)
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    const twice = [usageRow({ charge: '-1.50', corrects: original }), usageRow({ charge: '-1.50', corrects: original })]
    await expect(insert(...twice)).rejects.toThrow('takes back more')
  })

  it.each([
    ['nothing at all', () => '999999999', {}],
    ['another entitlement', () => original, { activation_id: 'A2' }],
    ['another currency', () => original, { currency: 'AEC' }],
  ])('cannot be of %s', async (_name, corrects, values) => {
    await expect(insert(usageRow({ charge: '-1.00', corrects: corrects(), ...values }))).rejects.toThrow(
      'a correction needs',
    )
  })

  it('cannot be of a session that is still running, nor of a correction', async () => {
    const open = await insert(runningRow())
    await expect(insert(usageRow({ charge: '-1.00', corrects: open }))).rejects.toThrow('a correction needs')
    const correction = await insert(usageRow({ charge: '-1.00', corrects: original }))
    await expect(insert(usageRow({ charge: '-1.00', corrects: correction }))).rejects.toThrow('a correction needs')
  })
})

test('the newest arrival is kept with the server, regardless of when the usage ended', async () => {
  const arrived = async () =>
    (await db.selectFrom('elastic_server').select('usage_arrived_at').where('device_id', '=', 'server-C2').execute())[0]
      ?.usage_arrived_at
  await insert(usageRow({ customer_number: 'C2', arrived_at: new Date('2030-05-05T05:00:00Z') }))
  await insert(usageRow({ customer_number: 'C2', arrived_at: new Date('2030-05-04T05:00:00Z') }))
  expect(await arrived()).toEqual(new Date('2030-05-05T05:00:00Z'))
})
