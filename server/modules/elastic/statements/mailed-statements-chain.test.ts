import fc from 'fast-check'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { addMonths } from '#domain/calendar/calendar-periods.ts'
import type { MailedRecord } from '#domain/elastic/statements/mailed-statement.ts'
import { compare, subtract } from '#domain/money/decimal.ts'
import type { DB } from '#server/db/schema.ts'
import { freezeStatement } from '#server/modules/elastic/statements/freeze-statement.ts'
import { bookUsage, type UsageRow } from '#server/modules/elastic/usage/usage-booking.queries.ts'
import { ensureUsagePartitions } from '#server/modules/elastic/usage/usage-partitions.queries.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { isFullRun } from '#server/testing/full-run.ts'
import { addMeteredAccount } from '#server/testing/metering.ts'
import { pdfParts } from '#server/testing/pdf.ts'
import { usageRow } from '#server/testing/usage.ts'

const pdf = pdfParts()
let database: Awaited<ReturnType<typeof freshDatabase>>
let db: Kysely<DB>
beforeAll(async () => {
  database = await freshDatabase()
  db = database.db
})
afterAll(async () => {
  await pdf.close()
  await database.close()
})

const book = (rows: readonly UsageRow[]) => db.transaction().execute((tx) => bookUsage(tx, rows))

type Session = { product: string; endsAt: Date; arrives: number; cents: number; isSplit: boolean; isTakenBack: boolean }
const session: fc.Arbitrary<Session> = fc.record({
  product: fc.constantFrom('Fluid', 'HPC Pack', 'Wärme & Co'),
  endsAt: fc.date({
    min: new Date('2026-01-15T00:00:00Z'),
    max: new Date('2026-04-15T00:00:00Z'),
    noInvalidDate: true,
  }),
  // The mailing, of three, before which it arrives.
  arrives: fc.integer({ min: 0, max: 2 }),
  cents: fc.integer({ min: 2, max: 200_000 }),
  isSplit: fc.boolean(),
  isTakenBack: fc.boolean(),
})

test('three successive mailed months chain to the cent: late usage, corrections, splits, every time zone', async () => {
  await ensureUsagePartitions(db, { from: new Date('2025-12-01'), to: new Date('2026-05-31') })
  let accounts = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('UTC', 'Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kolkata', 'Europe/Berlin'),
      fc.array(session, { minLength: 5, maxLength: 40 }),
      async (timeZone, sessions) => {
        const account = `MC${++accounts}`
        const ids = [`${account}-1`, `${account}-2`]
        // The first has ended before the last month: only late usage brings it into that statement.
        await addMeteredAccount(db, account, {
          timeZone,
          sold: ids.map((id, index) => ({ id, units: 1000, to: index === 0 ? '2026-02-20' : '2027-12-31' })),
        })
        const frozen: Map<string, MailedRecord>[] = []
        for (const [round, first] of ['2026-01-01', '2026-02-01', '2026-03-01'].entries()) {
          await arrive(
            sessions.filter(({ arrives }) => arrives === round),
            account,
            ids,
          )
          const period = { from: first, to: addDays(addMonths(first, 1), -1) }
          const key = { customerNumber: account, kind: 'monthly', period, activationId: '' } as const
          const { statement } = await db
            .transaction()
            .execute((tx) => freezeStatement(tx, pdf, key, { at: new Date('2026-05-01T00:00:00Z'), by: 'a test' }))
          frozen.push(new Map(statement.records.map((record) => [record.activationId, record])))
        }
        for (const [index, records] of frozen.entries())
          for (const id of ids) {
            const record = records.get(id)
            if (!record) continue
            expect(subtract(record.balanceBefore, record.used)).toBe(record.balanceAfter)
            if (index === 0) continue
            const before = frozen[index - 1]?.get(id)
            const { late = '', balance = '', between = '' } = record.broughtForward ?? {}
            expect(compare(balance, before?.balanceAfter ?? balance)).toBe(0)
            expect(compare(subtract(balance, late), record.balanceBefore)).toBe(0)
            expect(compare(between, 0)).toBe(0)
          }
      },
    ),
    { numRuns: isFullRun ? 6 : 2 },
  )
})

/** Splits are two transactions; what is taken back is a correction that names the original. */
async function arrive(sessions: readonly Session[], account: string, [first = '', second = '']: string[]) {
  for (const { product, endsAt, cents, isSplit, isTakenBack } of sessions) {
    const row = (activation_id: string, amount: number) =>
      usageRow({
        customer_number: account,
        product,
        started_at: new Date(endsAt.getTime() - 3_600_000),
        ends_at: endsAt,
        activation_id,
        charge: (amount / 100).toFixed(2),
      })
    const part = Math.floor(cents / 2)
    await book(isSplit ? [row(first, part), row(second, cents - part)] : [row(first, cents)])
    if (!isTakenBack) continue
    const original = await db
      .selectFrom('usage_transaction')
      .select(['transaction_number', 'activation_id', 'charge'])
      .where('customer_number', '=', account)
      .orderBy('transaction_number', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const { transaction_number: corrects, activation_id, charge: charged } = original
    await book([{ ...row(activation_id ?? '', 0), charge: `-${charged}`, corrects }])
  }
}
