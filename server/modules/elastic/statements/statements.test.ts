import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  getStatement,
  getStatementPdf,
  readStatement,
  type WireStatement,
} from '#contract/elastic/statements/statements.ts'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import { addMonths, startOfMonth } from '#domain/calendar/calendar-periods.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import type { ChartPart } from '#domain/chart/fold-rest.ts'
import { leftOutNote, onlySliceText, pieSlices, pieTotal } from '#domain/chart/pie.ts'
import { correctionsNote } from '#domain/elastic/statements/stated-corrections.ts'
import { PIE_PARTS, partsByCurrency } from '#domain/elastic/statements/statement.ts'
import { formatDecimal, subtract, sum, toFixedText } from '#domain/money/decimal.ts'
import { bookUsage, type UsageRow } from '#server/modules/elastic/usage/usage-booking.queries.ts'
import { ensureUsagePartitions } from '#server/modules/elastic/usage/usage-partitions.queries.ts'
import { insertEntitlements } from '#server/modules/entitlements/entitlements.public.ts'
import { ADA, type Call, OLIVIA } from '#server/testing/activations.ts'
import { isFullRun } from '#server/testing/full-run.ts'
import { readPdf } from '#server/testing/pdf.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { addElasticAccount, usageRow } from '#server/testing/usage.ts'

const customerNumber = '100001'
let portal: Portal
let ada: Call
let olivia: Call
let lastMonth: DayRange
beforeAll(async () => {
  portal = await startPortal()
  ;[ada, olivia] = [await portal.as(ADA), await portal.as(OLIVIA)]
  const month = startOfMonth(dayIn('Europe/Berlin', portal.clock.now()))
  lastMonth = { from: addMonths(month, -1), to: addDays(month, -1) }
})
afterAll(() => portal.close())

const monthOf = (first: string): DayRange => ({ from: first, to: addDays(addMonths(first, 1), -1) })
async function state(account: string, period: DayRange): Promise<WireStatement> {
  const { body } = await olivia(getStatement, { body: { customerNumber: account, ...period } })
  expect(body).toMatchObject({ status: 'SUCCESS' })
  return body.data as WireStatement
}
const recordOf = ({ Records }: WireStatement, id: string) => Records.find(({ ActivationId }) => ActivationId === id)

describe('a statement', () => {
  test('states what the transactions of the period add up to, entitlement by entitlement and product by product', async () => {
    const { rows } = await sql<{ activation_id: string; product: string; charge: string }>`
      select u.activation_id, u.product, sum(u.charge)::text as charge
        from usage_transaction u join account a using (customer_number)
       where u.customer_number = ${customerNumber}
         and (u.ends_at at time zone a.time_zone)::date between ${lastMonth.from} and ${lastMonth.to}
       group by 1, 2`.execute(portal.db)
    expect(rows.length).toBeGreaterThan(5)
    const { Records, Products, Customer } = await state(customerNumber, lastMonth)
    expect(Customer).toEqual({
      ReportDate: dayIn('Europe/Berlin', portal.clock.now()),
      AccountID: customerNumber,
      AccountName: 'Aerodyne Motors',
      PeriodStartDate: lastMonth.from,
      PeriodEndDate: lastMonth.to,
    })
    const stated = Records.flatMap(({ ActivationId, Products: own }) =>
      own.map(({ product, total }) => `${ActivationId} ${product} ${total}`),
    )
    expect(stated.sort()).toEqual(rows.map((row) => `${row.activation_id} ${row.product} ${row.charge}`).sort())
    for (const record of Records) {
      expect(toFixedText(subtract(record.BalanceBeforeStart, record.Used), 2)).toBe(record.BalanceAtEnd)
      expect(toFixedText(sum(record.Products.map(({ total }) => total)), 2)).toBe(record.Used)
    }
    expect(sum(Products.map(({ total }) => total))).toBe(sum(rows.map(({ charge }) => charge)))
  })

  test('reads instants as days of the account, and ignores the clock of the caller', async () => {
    const body = {
      customerNumber,
      from: `${lastMonth.from}T12:00:00Z`,
      to: `${lastMonth.to}T12:00:00Z`,
      today: '1999-01-01',
    }
    expect((await ada(getStatement, { body })).body.data).toEqual(await state(customerNumber, lastMonth))
  })

  test('is refused when no entitlement has dates or usage in the period', async () => {
    const body = { customerNumber, from: '1999-01-01', to: '1999-01-31' }
    for (const operation of [getStatement, getStatementPdf])
      expect((await ada(operation, { body })).body).toMatchObject({
        status: 'FAILURE',
        code: 'NO_ACTIVE_ENTITLEMENTS',
        err: 'No active entitlements for account',
      })
  })

  test('chains with those before and after it to the cent: late usage, corrections, splits, every time zone', async () => {
    await ensureUsagePartitions(portal.db, { from: new Date('2025-12-01'), to: new Date('2026-05-31') })
    let accounts = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('UTC', 'Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kolkata', 'Europe/Berlin'),
        fc.array(session, { minLength: 1, maxLength: 40 }),
        fc.array(session, { maxLength: 20 }),
        async (timeZone, booked, late) => {
          const account = `ST${++accounts}`
          await addElasticAccount(portal.db, account, timeZone)
          const ids = [`${account}-a`, `${account}-b`]
          await portal.db.transaction().execute((tx) =>
            insertEntitlements(
              tx,
              ids.map((id) => elasticEntitlement(account, id)),
            ),
          )
          const toRows = (sessions: readonly Session[]) => sessions.flatMap((one) => rowsOf(one, account, ids))
          await portal.db.transaction().execute((tx) => bookUsage(tx, toRows(booked)))
          const march = await state(account, monthOf('2026-03-01'))
          // Late usage ended in any of the months; the first transaction is corrected.
          await portal.db.transaction().execute((tx) => bookUsage(tx, toRows(late)))
          await portal.db.transaction().execute(async (tx) => {
            const first = await tx
              .selectFrom('usage_transaction')
              .selectAll()
              .where('customer_number', '=', account)
              .orderBy('transaction_number')
              .limit(1)
              .executeTakeFirstOrThrow()
            const { product, started_at, activation_id, transaction_number: corrects } = first
            const ends_at = new Date(first.ends_at)
            const row = { customer_number: account, product, started_at, ends_at, activation_id, corrects }
            await bookUsage(tx, [usageRow({ ...row, charge: `-${first.charge}` })])
          })
          const months = []
          for (const first of ['2026-02-01', '2026-03-01', '2026-04-01'])
            months.push(await state(account, monthOf(first)))
          const whole = await state(account, { from: '2025-01-01', to: '2026-12-31' })
          for (const id of ids) {
            const [one, two, three] = months.map((month) => recordOf(month, id))
            expect(two?.BalanceBeforeStart).toBe(one?.BalanceAtEnd)
            expect(three?.BalanceBeforeStart).toBe(two?.BalanceAtEnd)
            for (const record of [one, two, three])
              expect(toFixedText(subtract(record?.BalanceBeforeStart ?? '', record?.Used ?? ''), 2)).toBe(
                record?.BalanceAtEnd,
              )
            expect(await bookedOn(account, id)).toBe(recordOf(whole, id)?.Used)
          }
          expect(march.Records).toHaveLength(2)
        },
      ),
      { numRuns: isFullRun ? 8 : 3 },
    )
  })
})

type Session = { product: string; endsAt: Date; cents: number; isSplit: boolean }
const session: fc.Arbitrary<Session> = fc.record({
  product: fc.constantFrom('Fluid', 'HPC Pack', 'Wärme & Co'),
  endsAt: fc.date({
    min: new Date('2026-01-15T00:00:00Z'),
    max: new Date('2026-05-15T00:00:00Z'),
    noInvalidDate: true,
  }),
  cents: fc.integer({ min: 1, max: 200_000 }),
  isSplit: fc.boolean(),
})

/** A session that does not fit on one entitlement continues on the next as a separate transaction. */
function rowsOf({ product, endsAt, cents, isSplit }: Session, account: string, [first, second]: string[]): UsageRow[] {
  const row = (activationId: string | undefined, charge: number) =>
    usageRow({
      customer_number: account,
      product,
      started_at: new Date(endsAt.getTime() - 3_600_000),
      ends_at: endsAt,
      activation_id: activationId ?? '',
      charge: (charge / 100).toFixed(2),
    })
  const part = Math.floor(cents / 3)
  return isSplit && part > 0 ? [row(first, part), row(second, cents - part)] : [row(first, cents)]
}

const elasticEntitlement = (account: string, id: string) => ({
  customer_number: account,
  activation_id: id,
  entitlement_id: `entitlement-${id}`,
  part_number: 'ELASTIC',
  product_name: 'Elastic Units',
  license_model: 'Elastic-AEU',
  po_number: `PO-${id}`,
  line_item_quantity: 1,
  units_per_line: '1000',
  currency: 'AEU',
  start_date: '2025-01-01',
  end_date: '2027-12-31',
})

async function bookedOn(account: string, id: string): Promise<string> {
  const { rows } = await sql<{ charge: string }>`
    select coalesce(sum(charge), 0)::numeric(16, 2)::text as charge from usage_transaction
     where customer_number = ${account} and activation_id = ${id}`.execute(portal.db)
  return rows[0]?.charge ?? ''
}

describe('the PDF file of a statement', () => {
  test('says what the screen says, line by line: the account, the period, both tables and both charts', async () => {
    const body = { customerNumber, ...lastMonth }
    const answer = await ada(getStatementPdf, { body })
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename=statement_100001_${lastMonth.from}_${lastMonth.to}.pdf`,
    })
    const { info, lines, right } = await readPdf(answer.body.bytes as Buffer)
    expect(info).toMatchObject({ Title: 'Elastic statement', Language: 'en-US' })
    expect(right).toBeLessThan(802)
    const shown = await state(customerNumber, lastMonth)
    const end = lines.findIndex((line) => line.startsWith('Run-out forecast as of '))
    expect(end).toBeGreaterThan(0)
    const stated = lines.slice(0, end).filter((line) => !EVERY_PAGE.some((pattern) => pattern.test(line)))
    // The total inside of a ring is a line of its own among those of its slices.
    const isTotal = (line: string) => /^[\d,]+\.\d\d$/.test(line)
    expect(stated.filter((line) => !isTotal(line))).toEqual(linesOf(shown))
    expect(stated.filter(isTotal)).toEqual(ringTotals(shown))
  })
})

/** What is repeated where a page or a table begins or ends. */
const EVERY_PAGE = [
  /^Licensing Portal$/,
  /^Elastic statement · Account 100001 · \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d Page \d+ of \d+$/,
  /^Usage by (purchase order|product)$/,
  /^Purchase Order Activation ID Start Date End Date Balance Used Balance Currency$/,
  /^Before At End$/,
  /^Start$/,
  /^Product Used Currency$/,
]

/** Every line of the file, from what the screen is sent. */
function linesOf(shown: WireStatement): string[] {
  const { Customer, Records, Products, Corrections } = shown
  const units = (value: string) => formatDecimal(value, 2)
  const parts = partsByCurrency(readStatement(shown))
  const pie = (title: string, values: readonly ChartPart[], what: readonly [string, string]) => {
    const slices = pieSlices(values)
    const [only, ...others] = slices
    if (only && others.length === 0) return [title, onlySliceText(only.label, units(only.value))]
    const sliceLines = slices.map(({ label, value, percent }) => `${label} ${units(value)} ${percent.toFixed(1)}%`)
    return slices.length > 0 ? [title, ...sliceLines, leftOutNote(values, what) ?? []].flat() : []
  }
  return [
    'Elastic statement',
    `Report Date ${Customer.ReportDate}`,
    `Account ID (Account Name) ${Customer.AccountID} (${Customer.AccountName})`,
    `Period Start Date ${Customer.PeriodStartDate}`,
    `Period End Date ${Customer.PeriodEndDate}`,
    ...Records.flatMap((record) => [
      [
        record['CA[ENT|ansysponum]'],
        record.ActivationId,
        record.StartDate,
        record.EndDate,
        ...[record.BalanceBeforeStart, record.Used, record.BalanceAtEnd].map(units),
        record.Currency,
      ].join(' '),
      ...record.Products.map(({ product, total, currency }) => `${product} ${units(total)} ${currency}`),
    ]),
    ...parts.map(({ currency, balanceBefore, used, balanceAfter }) =>
      ['Total', ...[balanceBefore, used, balanceAfter].map(units), currency].join(' '),
    ),
    ...parts.flatMap(({ currency, purchaseOrders }) =>
      pie(`By purchase order, ${currency}`, purchaseOrders, PIE_PARTS.purchaseOrders),
    ),
    ...Products.map(({ product, total, currency }) => `${product} ${units(total)} ${currency}`),
    ...parts.map(({ currency, used }) => `Total ${units(used)} ${currency}`),
    ...parts.flatMap(({ currency, products }) => pie(`By product, ${currency}`, products, PIE_PARTS.products)),
    correctionsNote(Corrections ?? []) ?? [],
  ].flat()
}

/** The totals of the pies with several slices. */
function ringTotals(shown: WireStatement): string[] {
  const parts = partsByCurrency(readStatement(shown))
  return [...parts.map(({ purchaseOrders }) => purchaseOrders), ...parts.map(({ products }) => products)]
    .map((values) => pieSlices(values))
    .filter((slices) => slices.length > 1)
    .map((slices) => formatDecimal(pieTotal(slices), 2))
}

describe.each([getStatement, getStatementPdf])('the operation $name', (operation) => {
  test('answers 200, 400, 401, 403 and 404', async () => {
    const nobody = await portal.as(null)
    const ella = await portal.as('ella.export@restricted.example')
    const body = { customerNumber, ...lastMonth }
    expect((await ada(operation, { body })).status).toBe(200)
    expect((await ada(operation, { body: { ...body, bogus: 1 } })).status).toBe(400)
    expect((await ada(operation, { body: { ...body, from: '2026-02-30' } })).status).toBe(400)
    expect((await ada(operation, { body: { ...body, from: addDays(body.to, 1) } })).status).toBe(400)
    expect((await nobody(operation, { body })).status).toBe(401)
    expect((await ella(operation, { body: { ...body, customerNumber: '100004' } })).status).toBe(403)
    expect((await ella(operation, { body })).status).toBe(404)
  })
})
