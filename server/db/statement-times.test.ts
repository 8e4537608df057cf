import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openPools, statementTimesOf } from '#server/db/database.ts'
import { StatementTimes } from '#server/db/statement-times.ts'
import { freshDatabase } from '#server/testing/database.ts'

test('slow statements are kept by their text, the slowest on average first', () => {
  const times = new StatementTimes()
  times.add('select 1', 99)
  times.add('select\n  2', 100)
  times.add('select 2', 300)
  times.add('select 3', 250)
  expect(times.list(10)).toEqual([
    { text: 'select 3', calls: 1, meanMilliseconds: 250, maxMilliseconds: 250 },
    { text: 'select 2', calls: 2, meanMilliseconds: 200, maxMilliseconds: 300 },
  ])
  expect(times.list(1)).toHaveLength(1)
})

test('at most 200 statements are kept: the fastest is forgotten', () => {
  const times = new StatementTimes()
  for (let at = 0; at <= 200; at++) times.add(`select ${at}`, 1000 + at)
  const kept = times.list(1000)
  expect(kept).toHaveLength(200)
  expect(kept.map(({ text }) => text)).not.toContain('select 0')
})

test('all pools of a database measure into one place, failed statements too, and values are left out', async () => {
  const database = await freshDatabase()
  onTestFinished(() => database.close())
  const pools = openPools(database.pool)
  onTestFinished(async () => void (await Promise.all(Object.values(pools).map(({ pool }) => pool.end()))))
  await sql`select pg_sleep(${0.11}), ${'a secret'}::text`.execute(database.db)
  await sql`select ${1}::int / length(pg_sleep(0.11)::text)`.execute(pools.reads.db).catch(() => {})
  await pools.prepared.pool.query({ name: 'slow', text: 'select pg_sleep($1)', values: [0.11] })
  const texts = statementTimesOf(database.pool)
    .list(10)
    .map(({ text }) => text)
  expect(texts.sort()).toEqual([
    'select $1::int / length(pg_sleep(0.11)::text)',
    'select pg_sleep($1)',
    'select pg_sleep($1), $2::text',
  ])
})
