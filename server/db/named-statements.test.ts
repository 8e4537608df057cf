import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { namedStatement } from '#server/db/named-statements.ts'
import { freshDatabase } from '#server/testing/database.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

const add = namedStatement<{ one: number; other: number }, { sum: number; twice: number }>(
  'add-for-a-test',
  (v) => sql`select ${v.one}::int + ${v.other}::int as sum, ${v.one}::int * 2 as twice`,
)

test('a named statement is prepared once per connection, also within a transaction', async () => {
  await database.db.transaction().execute(async (tx) => {
    expect(await add.run(tx, { one: 1, other: 2 })).toEqual([{ sum: 3, twice: 2 }])
    expect(await add.run(tx, { other: 3, one: 2 })).toEqual([{ sum: 5, twice: 4 }])
    const { rows } = await sql`
      select generic_plans + custom_plans as runs from pg_prepared_statements where name = 'add-for-a-test'`.execute(tx)
    expect(rows).toEqual([{ runs: '2' }])
  })
})

test('a named statement must not contain values', async () => {
  const wrong = namedStatement<Record<string, never>, object>('wrong-for-a-test', () => sql`select ${1}::int`)
  await expect(wrong.run(database.db, {})).rejects.toThrow('contains a value')
})
