import fs from 'node:fs'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '#server/testing/database.ts'

test('the README of the schema names the rule of every trigger function', async () => {
  const database = await freshDatabase()
  onTestFinished(() => database.close())
  await sql`select ensure_usage_partitions('2026-01-01', '2026-02-28')`.execute(database.db)
  const { rows } = await sql<{ name: string }>`
    select distinct p.proname as name from pg_trigger t join pg_proc p on p.oid = t.tgfoid
     where not t.tgisinternal`.execute(database.db)
  const readme = fs.readFileSync(new URL('../migrations/README.md', import.meta.url), 'utf8')
  const table = [...readme.matchAll(/^\| (`.*?) +\| .*? +\| (.*?) +\|$/gm)]
  const named = table.flatMap(([, functions = '']) => [...functions.matchAll(/`(\w+)`/g)].map(([, name]) => name))
  expect(named.sort()).toEqual(rows.map(({ name }) => name).sort())
  const places = table.flatMap(([, , where = '']) => [...where.matchAll(/`(.*?)`/g)].map(([, file]) => file as string))
  expect(places.filter((file) => !fs.existsSync(file))).toEqual([])
})
