import { expect, onTestFinished, test } from 'vitest'
import { readMigrations } from '#server/db/migrate.ts'
import { splitStatements, wordsOf } from '#server/db/sql-statements.ts'
import { freshDatabase } from '#server/testing/database.ts'

test.each([
  ['an empty text', []],
  ['a single statement', ['select 1']],
  ['comments with semicolons', ['select 1 -- a; b\n, 2', '/* c; /* d; */ e; */ select 3', 'select /*/ ; */ 4']],
  ['quotes', [`select 'a;''b;', E'c\\';d', "e;""f", U&"g;"`, `select ';'`]],
  ['a backslash in a plain text', [`select 'a\\'`, `select e'\\\\'`, 'select 1']],
  ['dollar quotes', ['do $$ begin null; end $$', 'do $a$ $$; $b$; $a$', 'select 1']],
  ['parameters and dollars in names', ['select $1', 'select a$b$c', 'select 2']],
  ['the last statement with a comment', ['select 1', 'select 2 -- end;']],
])('splits %s', (_, statements) => {
  expect(splitStatements(statements.join(';\n'))).toEqual(statements)
  expect(splitStatements(` ;;\n${statements.join('\n;-- next;\n')}`)).toHaveLength(statements.length)
})

test('leaves out comments after the last statement', () => {
  expect(splitStatements('select 1; -- all;\n /* done; */')).toEqual(['select 1'])
})

test('reads the words of a statement without comments and texts', () => {
  expect(wordsOf(`ALTER table "Odd ""Name" -- drop;\n add a text default 'drop' /* drop */;`)).toEqual([
    'alter',
    'table',
    'Odd "Name',
    'add',
    'a',
    'text',
    'default',
    ';',
  ])
})

test('the schema in single statements is what PostgreSQL reads in it', async () => {
  const database = await freshDatabase()
  onTestFinished(() => database.close())
  const client = await database.pool.connect()
  onTestFinished(() => client.release())
  await client.query('begin')
  await client.query('create schema split_statements')
  await client.query('set local search_path = split_statements, public')
  for (const statement of splitStatements(readMigrations()[0]!.text)) {
    const results: unknown = await client.query(statement)
    expect(Array.isArray(results), statement).toBe(false)
  }
  await client.query('rollback')
})
