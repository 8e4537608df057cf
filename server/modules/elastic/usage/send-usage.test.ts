import fc from 'fast-check'
import type { KyselyPlugin } from 'kysely'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { endSession, startSession } from '#contract/elastic/sessions/elastic-sessions.ts'
import { lastUpdatedOn } from '#contract/elastic/usage/last-updated-on.ts'
import { type SentTransaction, sendUsage } from '#contract/elastic/usage/send-usage.ts'
import { usageList } from '#contract/elastic/usage/usage-list.ts'
import { bookTransactions } from '#server/modules/elastic/usage/book-transactions.ts'
import { loadUsageReport } from '#server/modules/elastic/usage/usage-report.ts'
import { isFullRun } from '#server/testing/full-run.ts'
import {
  addMeteredAccount,
  bookedCharges,
  codesOf as codes,
  type MeteredPortal,
  PRODUCT,
  sentTransaction,
  sessionRequest,
  startMeteredPortal,
} from '#server/testing/metering.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { driftedDays } from '#server/testing/usage.ts'

const HOUR = 3_600_000

let portal: MeteredPortal
beforeAll(async () => {
  portal = await startMeteredPortal('usage')
})
afterAll(() => portal.close())

const transaction = (customerNumber: string, changes: Partial<SentTransaction> = {}) =>
  sentTransaction(portal, customerNumber, changes)
const ago = (hours: number) => new Date(portal.clock.now().getTime() - hours * HOUR).toISOString()
const send = (transactions: readonly SentTransaction[]) => portal.sendUsage(transactions)

describe('a batch of usage', () => {
  it('is rated, booked and on the screen at once', async () => {
    await addMeteredAccount(portal.db, 'U1')
    const { lines } = await send([transaction('U1', { project: 'Wing' }), transaction('U1', { productCount: 2 })])
    expect(codes(lines)).toEqual(['SUCCESS', 'SUCCESS'])
    expect(await bookedCharges(portal.db, 'U1')).toEqual({ 'U1-1': '22.50' })
    const olivia = await portal.asOlivia()
    const { body } = await olivia(usageList.page, { body: { customerNumber: 'U1' } })
    expect(body.data).toHaveLength(2)
    const updated = await olivia(lastUpdatedOn, { query: { customerNumber: 'U1' } })
    expect(updated.body.lastUpdatedOn).toBe(portal.clock.now().toISOString())
    expect(await driftedDays(portal.db, ['U1'])).toEqual([])
  })

  it('books each id once, in this batch, the next one and ten at the same time', async () => {
    await addMeteredAccount(portal.db, 'U2')
    const one = transaction('U2')
    expect(codes((await send([one, one])).lines)).toEqual(['SUCCESS', 'SUCCESS'])
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send([one, transaction('U2', { id: 'shared' })])),
    )
    for (const { lines } of answers) expect(codes(lines)).toEqual(['SUCCESS', 'SUCCESS'])
    expect(codes((await send([{ ...one, product: 'Nothing' }])).lines)).toEqual(['SUCCESS'])
    expect(await bookedCharges(portal.db, 'U2')).toEqual({ 'U2-1': '15.00' })
  })

  it('does not book what the portal has metered itself, while the session runs and afterwards', async () => {
    await addMeteredAccount(portal.db, 'UM')
    const sessions = await giveServiceKey(portal, 'Sessions', { scopes: ['sessions'], days: 30 })
    const nobody = await portal.as(null)
    const { body: started } = await nobody(startSession, { body: sessionRequest('UM'), headers: sessions.headers })
    const { sessionId } = started.data as { sessionId: string }
    expect(codes((await send([transaction('UM', { id: sessionId })])).lines)).toEqual(['SUCCESS'])
    expect(await bookedCharges(portal.db, 'UM')).toEqual({})
    portal.clock.forward(4 * 60_000)
    const end = () => nobody(endSession, { params: { sessionId }, headers: sessions.headers })
    const { body: ended } = await end()
    expect(ended.data).toEqual({ hours: '0.07', charge: '0.50' })
    const others = ['UM.another', `${sessionId}#2`, sessionId].map((id) => transaction('UM', { id }))
    expect(codes((await send(others)).lines)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
    expect(await bookedCharges(portal.db, 'UM')).toEqual({ 'UM-1': '15.50' })
    expect(codes((await send([transaction('UM', { id: sessionId })])).lines)).toEqual(['SUCCESS'])
    expect(await bookedCharges(portal.db, 'UM')).toEqual({ 'UM-1': '15.50' })
    expect((await end()).body).toEqual(ended)
  })

  it('answers a repeated id as the line before it, also if that is refused', async () => {
    await addMeteredAccount(portal.db, 'UR')
    const unknown = { id: 'repeated', product: 'Nothing' }
    const { lines } = await send([
      transaction('UR', unknown),
      transaction('UR', { id: 'repeated' }),
      transaction('UR', { id: 'correction', correctionOf: 'nothing', charge: '-1.00' }),
      transaction('UR', { id: 'correction' }),
    ])
    expect(codes(lines)).toEqual(['UNKNOWN_PRODUCT', 'UNKNOWN_PRODUCT', 'UNKNOWN_ORIGINAL', 'UNKNOWN_ORIGINAL'])
    expect(codes((await send([transaction('UR', { id: 'repeated' })])).lines)).toEqual(['SUCCESS'])
    expect(await bookedCharges(portal.db, 'UR')).toEqual({ 'UR-1': '7.50' })
  })

  it('is rated by the first entitlement that has a rate for the product', async () => {
    await addMeteredAccount(portal.db, 'UT', {
      sold: [
        { id: 'UT-1', units: 5, to: '2098-01-01', rates: 'without rates' },
        { id: 'UT-2', units: 50 },
      ],
    })
    expect(codes((await send([transaction('UT')])).lines)).toEqual(['SUCCESS'])
    expect(await bookedCharges(portal.db, 'UT')).toEqual({ 'UT-1': '5.00', 'UT-2': '2.50' })
    await addMeteredAccount(portal.db, 'UV', { sold: [{ id: 'UV-1', units: 5, rates: 'without rates' }] })
    expect(codes((await send([transaction('UV')])).lines)).toEqual(['UNKNOWN_PRODUCT'])
  })

  it('refuses a charge that is too large by itself, and books the others', async () => {
    await sql`
      insert into elastic_rate (rate_table_version, part_number, units_per_hour)
      select 'dear', part_number, '99999999.9999' from product where name = ${PRODUCT}`.execute(portal.db)
    await addMeteredAccount(portal.db, 'UD', { sold: [{ id: 'UD-1', units: 5, rates: 'dear' }] })
    const hour = { startTime: ago(2), endTime: ago(1) }
    const { lines } = await send([
      transaction('UD', { ...hour, productCount: 10_001 }),
      transaction('UD', { ...hour, productCount: 10_000 }),
    ])
    expect(lines).toMatchObject([
      { code: 'INVALID_TRANSACTION', err: 'The charge is larger than 999,999,999,999.99 elastic units.' },
      { status: 'SUCCESS' },
    ])
    expect(await bookedCharges(portal.db, 'UD')).toEqual({ 'UD-1': '999999999999.00' })
  })

  it('with a leap second is refused as a whole', async () => {
    await addMeteredAccount(portal.db, 'UL')
    const sent = [transaction('UL'), transaction('UL', { endTime: '2026-06-30T23:59:60Z' })]
    expect((await send(sent)).status).toBe(400)
    expect(await bookedCharges(portal.db, 'UL')).toEqual({})
  })

  it('splits a charge once, also when its parts come back from a file', async () => {
    const sold = ['UP-1', 'UP-2', 'UP-3'].map((id, at) => ({ id, units: 2, to: `${2090 + at}-01-01` }))
    await addMeteredAccount(portal.db, 'UP', { sold })
    const split = transaction('UP', { id: 'Z' })
    // An id may look like a part; it is not.
    expect(codes((await send([split, transaction('UP', { id: 'Z#2' })])).lines)).toEqual(['SUCCESS', 'SUCCESS'])
    const charges = { 'UP-1': '2.00', 'UP-2': '2.00', 'UP-3': '11.00' }
    expect(await bookedCharges(portal.db, 'UP')).toEqual(charges)
    const take = (id: string, parts: readonly (number | undefined)[]) =>
      portal.db.transaction().execute((tx) =>
        bookTransactions(
          tx,
          parts.map((part, at) => ({
            ...split,
            id,
            activationId: sold[at]?.id ?? '',
            charge: '1.00',
            ...(part ? { part } : {}),
          })),
          { now: portal.clock.now(), oldest: new Date(0), isHistory: true },
        ),
      )
    expect(await take('Z', [undefined, 2, 3])).toEqual(['known', 'known', 'known'])
    expect(await bookedCharges(portal.db, 'UP')).toEqual(charges)
    expect(await take('file', [undefined])).toEqual(['booked'])
    expect(await take('file', [undefined, 2, 3])).toEqual(['known', 'booked', 'booked'])
    expect(await take('file', [undefined, 2, 3])).toEqual(['known', 'known', 'known'])
    expect(await bookedCharges(portal.db, 'UP')).toEqual({ 'UP-1': '3.00', 'UP-2': '3.00', 'UP-3': '12.00' })
  })

  it('keeps activation id and charge as given', async () => {
    await addMeteredAccount(portal.db, 'U3', {
      sold: [
        { id: 'U3-1', units: 5 },
        { id: 'U3-2', units: 5, to: '2098-01-01' },
      ],
    })
    const given = { activationId: 'U3-1', charge: '123.45', product: 'Not in the catalog' }
    expect(codes((await send([transaction('U3', given)])).lines)).toEqual(['SUCCESS'])
    expect(codes((await send([transaction('U3', { activationId: 'U3-2' })])).lines)).toEqual(['SUCCESS'])
    expect(await bookedCharges(portal.db, 'U3')).toEqual({ 'U3-1': '125.95', 'U3-2': '5.00' })
  })

  it('refuses each line by itself, and a refused one can be sent again', async () => {
    await addMeteredAccount(portal.db, 'U4')
    await addMeteredAccount(portal.db, 'U5', { sold: [{ id: 'U5-1', units: 5, from: '2090-01-01' }] })
    const unknown = transaction('U4', { product: 'Nothing' })
    const { lines } = await send([
      transaction('U4'),
      unknown,
      transaction('U4', { serverId: 'server-none' }),
      transaction('U4', { activationId: 'U1-1', charge: '1.00' }),
      transaction('U4', { startTime: ago(1), endTime: ago(2) }),
      transaction('U4', { endTime: ago(-1) }),
      transaction('U4', { startTime: ago(4 * 365 * 24) }),
      transaction('U5'),
    ])
    expect(codes(lines)).toEqual([
      'SUCCESS',
      'UNKNOWN_PRODUCT',
      'UNKNOWN_SERVER',
      'NO_SUCH_ACTIVATION',
      'INVALID_TRANSACTION',
      'INVALID_TRANSACTION',
      'INVALID_TRANSACTION',
      'NO_BALANCE',
    ])
    expect(codes((await send([{ ...unknown, product: PRODUCT }])).lines)).toEqual(['SUCCESS'])
    expect(await bookedCharges(portal.db, 'U4')).toEqual({ 'U4-1': '15.00' })
  })

  it('is refused line by line where export compliance denies the account', async () => {
    await addMeteredAccount(portal.db, 'U6')
    await portal.db
      .updateTable('account')
      .set({ export_control_status: 'Denied' })
      .where('customer_number', '=', 'U6')
      .execute()
    expect(codes((await send([transaction('U6')])).lines)).toEqual(['EXPORT'])
  })

  it('is booked into months that do not exist yet', async () => {
    await addMeteredAccount(portal.db, 'U7')
    const old = ago(1000 * 24)
    expect(codes((await send([transaction('U7', { startTime: old, endTime: old })])).lines)).toEqual(['SUCCESS'])
    expect(await driftedDays(portal.db, ['U7'])).toEqual([])
  })

  it('holds 5,000 transactions of several accounts, and not one more', async () => {
    const accounts = ['U8', 'U9']
    for (const account of accounts)
      await addMeteredAccount(portal.db, account, { sold: [{ id: `${account}-1`, units: 1_000_000 }] })
    const many = Array.from({ length: 5_001 }, (_, at) =>
      transaction(accounts[at % 2] ?? '', { username: `user-${at % 30}`, project: `project-${at % 7}` }),
    )
    expect((await send(many)).status).toBe(400)
    const { status, lines } = await send(many.slice(0, 5_000))
    expect(status).toBe(200)
    expect(lines).toHaveLength(5_000)
    expect(await bookedCharges(portal.db, 'U8')).toEqual({ 'U8-1': '18750.00' })
    expect(await driftedDays(portal.db, accounts)).toEqual([])
  })

  it('needs the scope usage', async () => {
    const other = await giveServiceKey(portal, 'Only sessions', { scopes: ['sessions'] })
    const nobody = await portal.as(null)
    const answer = await nobody(sendUsage, { body: { transactions: [transaction('U1')] }, headers: other.headers })
    expect(answer.status).toBe(403)
    expect((await nobody(sendUsage, { body: { transactions: [transaction('U1')] } })).status).toBe(401)
    expect((await send([])).status).toBe(400)
  })
})

test('any order of arrival in any batches gives the same balances', async () => {
  let round = 0
  const minutes = fc.array(fc.integer({ min: 0, max: 600 }), { minLength: 1, maxLength: 12 })
  const cut = fc.integer({ min: 0, max: 12 })
  await fc.assert(
    fc.asyncProperty(
      minutes.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
      cut,
      async ([one, other], at) => {
        round++
        const balances = []
        for (const [name, lengths] of [
          ['A', one],
          ['B', other],
        ] as const) {
          const account = `P${round}${name}`
          const sold = [60, 45, 30].map((units, n) => ({ id: `${account}-${n}`, units, to: `209${n}-01-01` }))
          await addMeteredAccount(portal.db, account, { timeZone: 'America/New_York', sold })
          const sent = lengths.map((length) => {
            const endTime = ago(length / 60)
            return transaction(account, {
              endTime,
              startTime: new Date(Date.parse(endTime) - length * 60_000).toISOString(),
            })
          })
          for (const batch of [sent.slice(0, at), sent.slice(at)]) if (batch.length > 0) await send(batch)
          balances.push(Object.values(await bookedCharges(portal.db, account)))
        }
        expect(balances[0]).toEqual(balances[1])
        expect(await driftedDays(portal.db, [`P${round}A`, `P${round}B`])).toEqual([])
      },
    ),
    { numRuns: isFullRun ? 12 : 4 },
  )
})

describe('a report for finance', () => {
  it('has usage that arrives while it is made in its sums and its rows, or in neither', async () => {
    await addMeteredAccount(portal.db, 'FIN')
    await send([transaction('FIN')])
    const arriving: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        await send([transaction('FIN')])
        return result
      },
    }
    const scope = { customerNumber: 'FIN', serverId: null }
    const asked = { scope, request: {}, timeZone: 'UTC', now: portal.clock.now() }
    const { described } = await loadUsageReport(portal.db.withPlugin(arriving), asked)
    const rows = (title: string) =>
      described.blocks.flatMap((block) => (block.kind === 'table' && block.title === title ? block.rows : []))
    expect(rows('Transactions')).toHaveLength(1)
    expect(rows('By product').map(({ cells }) => cells[1])).toEqual(['1', '1'])
    expect((await loadUsageReport(portal.db, asked)).facts).toContainEqual(['Cost', '30.00 AEU'])
  })
})
