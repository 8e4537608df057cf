import fs from 'node:fs'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FulfillmentRecord } from '#contract/data/fulfillments.ts'
import type { UsageRecord } from '#contract/data/usage.ts'
import { FILE_KINDS } from '#server/data/data-kinds.ts'
import { readRows } from '#server/data/files/file-rows.ts'
import { importRows } from '#server/data/files/import-rows.ts'
import { columnsOf } from '#server/data/files/row-columns.ts'
import { auditContextOf, OPERATOR } from '#server/identity/principal.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { bookedCharges } from '#server/testing/metering.ts'
import { driftedDays } from '#server/testing/usage.ts'

/** The accounts, entitlements, hosts and seats of the samples in docs/import. */
let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
  for (const { kind } of FILE_KINDS)
    await importText(kind.name, fs.readFileSync(`docs/import/${kind.name}.jsonl`, 'utf8'))
})
afterAll(() => database.close())

const now = new Date('2026-11-16T08:00:00Z')

/** The outcomes of the rows: counts, and for each refused row its key and code. */
async function importText(name: string, text: string) {
  const data = FILE_KINDS.find(({ kind }) => kind.name === name)
  if (!data) throw new Error(`no kind ${name}`)
  const refused: Record<string, string> = {}
  const rows = readRows(Readable.from([Buffer.from(text)]), 'jsonl', columnsOf(data.kind.schema))
  const { created, unchanged } = await importRows(database.db, data, rows, {
    now,
    audit: auditContextOf(OPERATOR, { at: now, address: 'command line', requestId: '' }),
    isDryRun: false,
    isAllOrNothing: false,
    interrupted: new AbortController().signal,
    refuse: ({ key, code }) => {
      refused[key] = code
    },
    advance: () => {},
  })
  return { created, unchanged, refused }
}
const importRecords = (name: string, records: readonly object[]) =>
  importText(name, records.map((one) => JSON.stringify(one)).join('\n'))

describe('the ledger of activations', () => {
  /** In the samples, act-900001-1 has 10 seats, of which 4 are on this host. */
  const entry = (fulfillmentId: string, changes: Partial<FulfillmentRecord> = {}): FulfillmentRecord => ({
    customerNumber: '900001',
    fulfillmentId,
    activationId: 'act-900001-1',
    hostIdType: 'ETHERNET',
    hostId: '3cecef4b7d10',
    count: 1,
    fulfilledAt: '2026-05-01T00:00:00.000Z',
    ...changes,
  })
  const TRIAD = '3cecef4b7d20,3cecef4b7d21,3cecef4b7d22'

  test.each<[name: string, changes: Partial<FulfillmentRecord>, code: string]>([
    ['more seats than are left', { count: 7 }, 'SEAT_GONE'],
    ['a return of more than the host holds', { count: -6 }, 'NOT_HELD'],
    ['a return from another host', { count: -1, hostId: TRIAD }, 'NOT_HELD'],
    ['an unknown entitlement', { activationId: 'nothing' }, 'NO_SUCH_ACTIVATION'],
    ['an entitlement of another account', { activationId: 'act-900002-1' }, 'NO_SUCH_ACTIVATION'],
    ['an unknown host', { hostId: '000000000001' }, 'NO_SUCH_HOST'],
    ['an unknown parent', { count: -1, parentFulfillmentId: 'nothing' }, 'NO_SUCH_FULFILLMENT'],
    [
      'a return before its activation',
      { count: -1, parentFulfillmentId: 'f-900001-1', fulfilledAt: '2026-01-31T08:00:00.000Z' },
      'INVALID_RECORD',
    ],
    ['a return of more than is left of its parent', { count: -5, parentFulfillmentId: 'f-900001-1' }, 'NOT_HELD'],
    ['a parent of an activation', { parentFulfillmentId: 'f-900001-1' }, 'INVALID_RECORD'],
    ['no seats', { count: 0 }, 'INVALID_RECORD'],
    ['elastic units', { activationId: 'act-900001-3' }, 'NOT_ACTIVATABLE'],
    ['a time to come', { fulfilledAt: '2036-02-01T00:00:00.000Z' }, 'INVALID_RECORD'],
    ['a leap second', { fulfilledAt: '2026-06-30T23:59:60Z' }, 'INVALID_RECORD'],
    ['an id that has other values', { fulfillmentId: 'f-900001-1' }, 'CONFLICT'],
  ])('refuses %s, and takes the other rows', async (_name, changes, code) => {
    const bad = entry('bad', changes)
    const pair = [entry('up'), bad, entry('down', { count: -1 })].map((one) =>
      one === bad ? one : { ...one, fulfillmentId: `${one.fulfillmentId}-${code}-${JSON.stringify(changes).length}` },
    )
    const key = `900001:${bad.fulfillmentId}`
    expect(await importRecords('fulfillments', pair)).toEqual({ created: 2, unchanged: 0, refused: { [key]: code } })
    expect(await seatsOf()).toEqual({ activated: 4, [TRIAD]: undefined, '3cecef4b7d10': 4 })
  })

  async function seatsOf() {
    const { rows } = await sql<{ activated: number; host_id: string; seats: number }>`
      select e.activated_count as activated, s.host_id, s.seats from entitlement e
        join host_seats s on s.customer_number = e.customer_number and s.activation_id = e.activation_id
       where e.activation_id = 'act-900001-1' and s.seats > 0`.execute(database.db)
    const on = (id: string) => rows.find(({ host_id }) => host_id === id)?.seats
    return { activated: rows[0]?.activated, [TRIAD]: on(TRIAD), '3cecef4b7d10': on('3cecef4b7d10') }
  }

  test('counts the returns of one activation together, within a file and beyond', async () => {
    const of = (fulfillmentId: string, count: number) =>
      entry(fulfillmentId, { count, ...(count < 0 ? { parentFulfillmentId: 'sum-1' } : {}) })
    const rows = [of('sum-1', 3), entry('sum-other', { count: 3 }), of('sum-2', -2), of('sum-3', -2)]
    const refused = { '900001:sum-3': 'NOT_HELD' }
    expect(await importRecords('fulfillments', rows)).toEqual({ created: 3, unchanged: 0, refused })
    expect(await importRecords('fulfillments', rows)).toEqual({ created: 0, unchanged: 3, refused })
    const rest = [of('sum-4', -1), entry('sum-back', { count: -3, parentFulfillmentId: 'sum-other' })]
    expect(await importRecords('fulfillments', rest)).toEqual({ created: 2, unchanged: 0, refused: {} })
  })

  test('moves all seats of an entitlement in one instant, in either order, and takes each entry once', async () => {
    const move = [
      entry('move-in', { count: 10, hostId: TRIAD, action: 'REHOST' }),
      entry('move-out', { count: -4, action: 'REHOST' }),
    ]
    expect(await importRecords('fulfillments', move)).toEqual({ created: 2, unchanged: 0, refused: {} })
    expect(await seatsOf()).toEqual({ activated: 10, [TRIAD]: 10, '3cecef4b7d10': undefined })
    expect(await importRecords('fulfillments', move)).toEqual({ created: 0, unchanged: 2, refused: {} })
  })
})

describe('usage', () => {
  const usage = (id: string, changes: Partial<UsageRecord> = {}): UsageRecord => ({
    id,
    serverId: 'els-900002-1',
    product: 'Example Solver Pro',
    productCount: 1,
    username: 'hana',
    host: 'pump-02',
    startTime: '2026-08-01T08:00:00.000Z',
    endTime: '2026-08-01T09:00:00.000Z',
    activationId: 'act-900002-2',
    charge: '7.50',
    ...changes,
  })
  const booked = () => bookedCharges(database.db, '900002')

  test('is booked once by its id, part by part, with corrections and details', async () => {
    const before = Number((await booked())['act-900002-2'])
    const records = [
      usage('split', { cloudJobId: 'job-1', externalIp: '203.0.113.7', status: 'Timed out' }),
      usage('split', { part: 2, charge: '2.50', startTime: '2026-08-01T09:00:00.000Z' }),
      usage('back', { correctionOf: 'split', charge: '-3.00', endTime: '2026-08-02T09:00:00.000Z' }),
    ]
    expect(await importRecords('usage', records)).toEqual({ created: 3, unchanged: 0, refused: {} })
    expect(await importRecords('usage', records)).toEqual({ created: 0, unchanged: 3, refused: {} })
    expect(Number((await booked())['act-900002-2']) - before).toBeCloseTo(7, 2)
    const rows = await database.db
      .selectFrom('usage_transaction')
      .select(['session_status', 'cloud_job_id', 'external_ip', 'charge'])
      .where('session_id', '=', 'split')
      .orderBy('transaction_number')
      .execute()
    expect(rows).toEqual([
      { session_status: 'Timed out', cloud_job_id: 'job-1', external_ip: '203.0.113.7', charge: '7.50' },
      { session_status: 'Completed', cloud_job_id: null, external_ip: null, charge: '2.50' },
    ])
    expect(await driftedDays(database.db)).toEqual([])
  })

  test('usage of the past is booked on expired entitlements and closed accounts', async () => {
    await sql`update entitlement set state = 'Obsolete' where activation_id = 'act-900002-2'`.execute(database.db)
    await sql`update account set export_control_status = 'Denied' where customer_number = '900002'`.execute(database.db)
    const { charge: _charge, activationId: _activation, ...unrated } = usage('unrated')
    const records = [
      usage('old', { startTime: '2019-01-01T00:00:00.000Z', endTime: '2019-01-01T01:00:00.000Z' }),
      unrated,
      usage('future', { endTime: '2027-01-01T00:00:00.000Z' }),
      usage('ancient', { startTime: '1999-12-31T00:00:00.000Z' }),
      usage('elsewhere', { activationId: 'act-900001-3' }),
      usage('unknown', { serverId: 'nothing' }),
    ]
    const { created, refused } = await importRecords('usage', records)
    expect(created).toBe(1)
    expect(refused).toEqual({
      'els-900002-1:unrated': 'EXPORT',
      'els-900002-1:future': 'INVALID_TRANSACTION',
      'els-900002-1:ancient': 'INVALID_TRANSACTION',
      'els-900002-1:elsewhere': 'NO_SUCH_ACTIVATION',
      'nothing:unknown': 'UNKNOWN_SERVER',
    })
    expect(await driftedDays(database.db)).toEqual([])
  })
})
