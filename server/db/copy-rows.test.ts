import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CopyRows } from '#server/db/copy-rows.ts'
import { isUnusableValue } from '#server/db/database-errors.ts'
import { freshDatabase } from '#server/testing/database.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
  await database.pool.query('create table copied (n integer, text text, at timestamptz, amount numeric)')
})
beforeEach(() => database.pool.query('truncate copied'))
afterAll(() => database.close())

const copy = (rows: CopyRows) => CompiledQuery.raw('copy copied (n, text, at, amount) from stdin', [rows])
const stored = async () => (await database.pool.query('select * from copied order by n')).rows

test('copies every kind of value as it is', async () => {
  const texts = ['', 'plain', 'a\tb', 'a\nb\r\n', 'back\\slash', '\\N', '\\.', 'käse 🧀', '{"a": "b"}']
  const at = new Date('2026-10-10T08:00:00.123Z')
  const rows = texts.map((text, n) => [n, text, at, '12.50'] as const)
  await database.db.executeQuery(copy(new CopyRows([...rows, [texts.length, null, undefined, 7n]])))
  expect(await stored()).toEqual([
    ...texts.map((text, n) => ({ n, text, at, amount: '12.50' })),
    { n: texts.length, text: null, at: null, amount: '7' },
  ])
})

test('copies more than one message holds', async () => {
  const long = 'x'.repeat(1000)
  await database.db.executeQuery(copy(new CopyRows(Array.from({ length: 500 }, (_, n) => [n, long, null, null]))))
  expect(await stored()).toHaveLength(500)
})

test('is part of the transaction', async () => {
  const failing = database.db.transaction().execute(async (tx) => {
    await tx.executeQuery(copy(new CopyRows([[1, 'one', null, null]])))
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await stored()).toEqual([])
})

test('a refused row fails the statement, and the connection goes on', async () => {
  const failing = database.db.executeQuery(copy(new CopyRows([['no number', 'one', null, null]])))
  await expect(failing).rejects.toThrow('invalid input syntax')
  expect(await stored()).toEqual([])
})

test('text that is not valid Unicode is an unusable value', () => {
  const make = () => new CopyRows([[1, 'half \ud800', null, null]])
  expect(make).toThrow()
  try {
    make()
  } catch (error) {
    expect(isUnusableValue(error as Error)).toBe(true)
  }
})
