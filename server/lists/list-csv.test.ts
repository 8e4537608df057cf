import fc from 'fast-check'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { csvLine } from '#domain/csv.ts'
import { streamCsv } from '#server/lists/list-csv.ts'
import { defineList } from '#server/lists/list-source.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { until } from '#server/testing/until.ts'

const list = defineList({
  name: 'cells',
  fields: {
    id: { type: 'number', column: 'c.id', nullable: false },
    text: { type: 'text', column: 'c.text' },
    amount: { type: 'number', column: 'c.amount' },
    at: { type: 'instant', column: 'c.at', missingIsFuture: true, missingIsInfinity: true },
    day: { type: 'day', column: 'c.day' },
    isOn: { type: 'boolean', column: 'c.is_on' },
    parts: { type: 'text-list', column: 'c.parts' },
  },
  key: ['id'],
  defaultSort: [{ name: 'id', direction: 'asc' }],
  from: sql`cells c`,
  scope: () => sql<boolean>`true`,
})
const COLUMNS = [
  ['text', 'Text'],
  ['amount', 'Amount'],
  ['amount', 'Money', 2],
  ['at', 'Time'],
  ['day', 'Day'],
  ['isOn', 'On'],
  ['parts', '=Parts'],
] as const
const HEADER = `\ufeff"Text","Amount","Money","Time (UTC)","Day","On","'=Parts"\r\n`

let database: Awaited<ReturnType<typeof freshDatabase>>
let db: Kysely<never>
beforeAll(async () => {
  database = await freshDatabase()
  db = database.db as unknown as Kysely<never>
  await sql`create table cells (id int primary key, text text, amount numeric, at timestamptz not null, day date, is_on boolean,
    parts text[])`.execute(db)
})
afterAll(() => database.close())

async function csv(): Promise<{ text: string; rows: number; pieces: number }> {
  const whole = { text: '', rows: 0, pieces: 0 }
  for await (const piece of streamCsv(db, list, {}, { columns: COLUMNS })) {
    whole.text += Buffer.from(piece.bytes).toString()
    whole.rows += piece.rows
    whole.pieces++
  }
  return whole
}

it('writes only the header for an empty list', async () => {
  expect(await csv()).toEqual({ text: HEADER, rows: 0, pieces: 1 })
})

it('writes every cell as domain/csv.ts does', async () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n＝＋－＠",;\'a é山\x1e\x1fes'), maxLength: 6 }),
    fc.string({ unit: 'binary', maxLength: 8 }).filter((one) => !one.includes('\0') && one.isWellFormed()),
  )
  const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
  const row = fc.record({
    text: nullable(text),
    amount: nullable(fc.integer({ min: -100_000, max: 100_000 }).map((hundredths) => hundredths / 100)),
    at: nullable(fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })),
    isOn: nullable(fc.boolean()),
    parts: nullable(fc.array(text, { maxLength: 3 })),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
      await sql`truncate cells`.execute(db)
      for (const [id, one] of rows.entries())
        await sql`insert into cells values (${id}, ${one.text}, ${one.amount}, ${one.at ?? 'infinity'}, ${one.at}, ${one.isOn},
          ${one.parts})`.execute(db)
      const expected = rows.map(({ text, amount, at, isOn, parts }) => {
        const cells = [
          csvLine([text]),
          csvLine([amount]),
          amount?.toFixed(2) ?? '',
          at?.toISOString().slice(0, 19).replace('T', ' ') ?? '',
          at?.toISOString().slice(0, 10) ?? '',
        ]
        return [...cells, csvLine([isOn]), csvLine([parts === null ? null : parts.join(', ')])]
          .map((cell) => cell.replace(/\r\n$/, ''))
          .join(',')
      })
      expect((await csv()).text).toBe(`${HEADER}${expected.map((line) => `${line}\r\n`).join('')}`)
    }),
    { numRuns: 40, seed: 4 },
  )
})

it('continues across pieces without losing or repeating a row', async () => {
  await sql`truncate cells`.execute(db)
  await sql`insert into cells select n, 'row ' || n, n, 'infinity' from generate_series(1, 12500) n`.execute(db)
  const { text, rows, pieces } = await csv()
  expect({ rows, pieces }).toEqual({ rows: 12_500, pieces: 7 })
  const expected = Array.from({ length: 12_500 }, (_, at) => `"row ${at + 1}",${at + 1},${at + 1}.00,,,,`)
  expect(text.slice(HEADER.length).trimEnd().split('\r\n')).toEqual(expected)
})

it('while other requests arrive, holds no connection when a piece is yielded', async () => {
  const expected = await csv()
  const traffic = { begun: 0 }
  const busy = { text: '', rows: 0, pieces: 0 }
  for await (const piece of streamCsv(db, list, {}, { columns: COLUMNS }, { traffic })) {
    if (busy.pieces > 0) expect(database.pool.idleCount).toBe(database.pool.totalCount)
    traffic.begun++
    busy.text += Buffer.from(piece.bytes).toString()
    busy.rows += piece.rows
    busy.pieces++
  }
  expect(busy).toEqual(expected)
})

it('separates values that contain the separator', async () => {
  await sql`update cells set text = ${'a\x1fb\x1ec'} where id = 7000`.execute(db)
  const { text, rows, pieces } = await csv()
  expect({ rows, pieces }).toEqual({ rows: 12_500, pieces: 7 })
  const lines = text.slice(HEADER.length).trimEnd().split('\r\n')
  expect(lines.slice(6_998, 7_001)).toEqual([
    '"row 6999",6999,6999.00,,,,',
    '"a\x1fb\x1ec",7000,7000.00,,,,',
    '"row 7001",7001,7001.00,,,,',
  ])
  expect(lines).toHaveLength(12_500)
})

it('holds no connection while the reader waits', async () => {
  const pieces = streamCsv(db, list, {}, { columns: COLUMNS })
  await pieces.next()
  await until(() => database.pool.idleCount === database.pool.totalCount, 'a connection is still lent out')
  await pieces.return(undefined)
})
