import { expect, onTestFinished, test } from 'vitest'
import { readMigrations } from '#server/db/migrate.ts'
import { splitStatements, wordsOf } from '#server/db/sql-statements.ts'
import { StartupError } from '#server/embedded/startup-error.ts'
import { freshDatabase, type TestDatabase } from '#server/testing/database.ts'
import { REFUSED_BY_SHARDS, runTrialSteps } from '#server/testing/trial-steps.ts'
import { until } from '#server/testing/until.ts'

/* Steps to come, tried with trial steps on the whole schema. */

async function database(): Promise<TestDatabase> {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.close())
  await fresh.pool.query(`
    insert into account (customer_number, name) values ('100001', 'Acme')`)
  return fresh
}

const runTrial = ({ connection }: TestDatabase, text: string) => runTrialSteps(connection, { '9001_trial.sql': text })

/** A connection of a portal within a transaction. */
async function begun({ portal }: TestDatabase) {
  const client = await portal.pool.connect()
  onTestFinished(() => client.release())
  await client.query('begin')
  return client
}

const isAnyoneWaiting = async ({ pool }: TestDatabase) =>
  (
    await pool.query(
      `select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`,
    )
  ).rowCount !== 0

const TRIAL = `
  alter table contact add column trial text;
  alter table account add column trial text;`
const RAN = { isNew: false, steps: ['9001_trial.sql'] }

test('a step locks the parent first, so a transaction from parent to child ends and the step runs after it', async () => {
  const here = await database()
  const client = await begun(here)
  await client.query(`update account set name = 'Acme Ltd'`)
  const migrating = runTrial(here, TRIAL)
  await until(() => isAnyoneWaiting(here), 'the step does not wait')
  await client.query('update contact set email = email')
  await client.query('commit')
  expect(await migrating).toEqual(RAN)
})

test('a step gives way to a transaction from child to parent, and is run again', async () => {
  const here = await database()
  const client = await begun(here)
  await client.query('update contact set email = email')
  const migrating = runTrial(here, TRIAL)
  await until(() => isAnyoneWaiting(here), 'the step does not wait')
  await client.query(`update account set name = 'Acme Ltd'`)
  await client.query('commit')
  expect(await migrating).toEqual(RAN)
})

test('a step runs while two portals write under load, and none of their transactions fails', async () => {
  const here = await database()
  let isMigrated = false
  let written = 0
  const write = async (statements: readonly string[]) => {
    while (!isMigrated) {
      const client = await here.portal.pool.connect()
      try {
        await client.query('begin')
        for (const statement of statements) await client.query(statement)
        await client.query('commit')
        written += 1
      } finally {
        client.release()
      }
    }
  }
  const [account, contact] = [`update account set name = name`, `update contact set email = email`]
  const writers = [write([account, contact]), write([account, contact]), write([account]), write([contact])]
  await until(() => written > 20, 'the portals do not write')
  expect(
    await runTrial(here, `${TRIAL} create index on contact (trial); update account set trial = name;`).finally(() => {
      isMigrated = true
    }),
  ).toEqual(RAN)
  await Promise.all(writers)
})

test('a step that never gets its locks ends in one line after three retries, and changes nothing', async () => {
  const here = await database()
  const client = await begun(here)
  await client.query('select from account')
  const refusal = await runTrial(here, TRIAL).catch((error: unknown) => error)
  await client.query('rollback')
  expect(refusal).toBeInstanceOf(StartupError)
  expect((refusal as Error).message).toBe(
    `migration 9001_trial.sql failed: the portal's transactions kept it from locking its tables, 4 times. ` +
      'Nothing was changed: run it again, in a quieter minute or with the portal stopped',
  )
  const { rowCount } = await here.pool.query(`select from migration where name like '9001%'`)
  expect(rowCount).toBe(0)
  expect(await runTrial(here, TRIAL)).toEqual(RAN)
})

/** Actions of statements that an older portal may notice: what they remove or forbid. */
const takenAway = (step: string): string[] =>
  statementsOf(step)
    .flatMap((statement) => actionsOf(statement))
    .filter(
      (action) =>
        /\b(?:drop(?! not null)|rename|truncate|revoke|detach|disable|set not null)\b/.test(action) ||
        /^alter (?:column )?\S+ (?:set data )?type /.test(action) ||
        /^(?:create|add) (?:constraint|check|unique|primary|foreign|exclude)\b/.test(action) ||
        (/^add .* not null\b/.test(action) && !/ (?:default|generated) /.test(action)),
    )

const ADDS_CONSTRAINT = /^add (?:constraint|check|unique|primary|foreign|exclude)\b/

/** Statements that Citus refuses, so that a sharded database could not be migrated. */
const refusedByShards = (step: string): string[] =>
  statementsOf(step).filter((statement) => {
    const actions = actionsOf(statement)
    return actions.some(
      (action) =>
        (ADDS_CONSTRAINT.test(action) && actions.length > 1) ||
        (/^add .*\b(?:check|unique|primary|identity)\b/.test(action) && !ADDS_CONSTRAINT.test(action)) ||
        /^(?:rename constraint |alter (?:column )?\S+ (?:re)?set (?:statistics|storage|compression|\())/.test(action),
    )
  })

/** The statements in words, without those on tables that the step makes. */
function statementsOf(step: string): string[] {
  const statements = splitStatements(step).map((statement) =>
    wordsOf(statement)
      .filter((word) => !['if', 'exists', 'only', 'public', '.'].includes(word))
      .join(' '),
  )
  const made = statements.flatMap((statement) => /^create table (?:not )?(\S+)/.exec(statement)?.[1] ?? [])
  return statements.filter(
    (statement) => !made.some((table) => new RegExp(`^(?:alter table ${table} |.* on ${table} )`).test(statement)),
  )
}

/** The parts of ALTER TABLE, any other statement as it is. */
function actionsOf(statement: string): string[] {
  const alter = /^alter table \S+ /.exec(statement)
  if (!alter) return [statement]
  let depth = 0
  const actions = ['']
  for (const word of statement.slice(alter[0].length).split(' ')) {
    if (word === '(') depth += 1
    if (word === ')') depth -= 1
    if (word === ',' && depth === 0) actions.push('')
    else actions.push(`${actions.pop()}${word} `)
  }
  return actions
}

test.each([
  ['drop table contact'],
  ['alter table contact add trial text, drop column role'],
  ['alter table contact rename column role to roles'],
  ['alter table contact rename to contacts'],
  ['alter table contact alter column role set not null'],
  ['alter table contact alter role type varchar(20)'],
  ['alter table contact add column trial text not null'],
  [`alter table contact add constraint short check (length(email) < 100)`],
  ['create unique index on contact (email)'],
  ['truncate contact'],
  ['drop function note_change()'],
  ['revoke select on contact from public'],
])('a step that takes something away is found: %s', (step) => {
  expect(takenAway(`-- A comment.\ncreate table other (id int);\n${step};`)).toHaveLength(1)
})

test.each([
  [`alter table contact add column trial text not null default 'drop', add other int`],
  ['alter table contact alter column role drop not null'],
  [
    'create table trial (id int not null unique); create unique index on trial (id); alter table trial add check (id > 0)',
  ],
  ['create index on contact (email); update contact set email = email'],
  ['create or replace function f() returns int language sql as $$ drop table contact; $$'],
])('a step that only adds is not taken for one that takes away: %s', (step) => {
  expect(takenAway(step)).toEqual([])
})

test.each(REFUSED_BY_SHARDS)('a statement that a sharded database refuses is found: %s', (statement) => {
  expect(refusedByShards(`create table other (id int);\n${statement};`)).toHaveLength(1)
})

test.each([
  ['alter table contact add column trial text, add other int; alter table contact add check (length(trial) < 9)'],
  ['alter table contact add column trial text references product (part_number)'],
  ['create table trial (id int generated always as identity); alter table trial add check (id > 0), add other int'],
])('a statement that a sharded database takes is not taken for one that it refuses: %s', (step) => {
  expect(refusedByShards(step)).toEqual([])
})

test('steps have no statements that a sharded database refuses', () => {
  const [, ...steps] = readMigrations()
  const refused = steps.filter(({ text }) => refusedByShards(text).length > 0)
  expect(refused.map(({ name, text }) => [name, refusedByShards(text)])).toEqual([])
})

test('a step that takes something away says so in its name, with the oldest version that may serve', () => {
  const [, ...steps] = readMigrations()
  const unnamed = steps.filter(({ name, text }) => !name.endsWith('.contract.sql') && takenAway(text).length > 0)
  expect(
    unnamed.map(({ name, text }) => [name, takenAway(text)]),
    'Name it <number>_<what>.from_<oldest version that may serve>.contract.sql (server/migrations/README.md)',
  ).toEqual([])
})
