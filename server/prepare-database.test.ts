import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runWords } from '#server/cli/run-words.ts'
import { readConfig } from '#server/config.ts'
import { asPortalRole, PORTAL_ROLE } from '#server/embedded/cluster.ts'
import { openInstallation } from '#server/installation.ts'
import { databaseUrl } from '#server/testing/child-environment.ts'
import { freshDatabase, type TestDatabase } from '#server/testing/database.ts'
import { until } from '#server/testing/until.ts'
import { walkableDirectory } from '#server/testing/walkable-directory.ts'

/** An owner that is no superuser, and the portal's role: as operators make them. */
const owner = `owner_${randomBytes(6).toString('hex')}`
const files = walkableDirectory('roles')
let server: TestDatabase
let urls: { DATABASE_OWNER_URL: string; DATABASE_URL: string }
let database: string

beforeAll(async () => {
  server = await freshDatabase()
  database = `two_roles_${randomBytes(6).toString('hex')}`
  await server.pool.query(`create role ${owner} login password 'secret'`)
  await server.pool.query(`create database ${database} owner ${owner}`)
  const connection = { ...server.connection, database }
  urls = {
    DATABASE_OWNER_URL: databaseUrl({ ...connection, user: owner, password: 'secret' }),
    DATABASE_URL: databaseUrl(asPortalRole(connection)),
  }
})
afterAll(async () => {
  await server.pool.query(`drop database ${database} with (force)`)
  await server.pool.query(`drop role ${owner}`)
  await server.close()
  fs.rmSync(files, { recursive: true, force: true })
})

async function portal(env: Record<string, string>, ...words: string[]) {
  let text = ''
  const output = {
    write: (more: string) => {
      text += more
    },
  }
  return { status: await runWords(words, { env, stdout: output, stderr: output }), text }
}
const asOwner = async (statement: string) => {
  const client = new pg.Client(urls.DATABASE_OWNER_URL)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
const open = (env: Record<string, string>) => openInstallation(readConfig(env), { log: () => {} })
const onlyPortal = () => ({ DATABASE_URL: urls.DATABASE_URL })

test('migrate runs as the owner and gives the portal its rights; the portal then starts without the owner', async () => {
  expect(await portal(urls, 'migrate')).toEqual({ status: 0, text: 'Created the tables\n' })
  expect(await portal(onlyPortal(), 'migrate')).toEqual({ status: 0, text: 'The database is up to date\n' })
  expect(
    await asOwner(`select distinct tableowner as owner from pg_tables where schemaname in ('public', 'jobs')`),
  ).toEqual([{ owner }])
  const installation = await open(onlyPortal())
  const { rows } = await sql<{ name: string }>`select current_user as name`.execute(installation.db)
  await installation.close()
  expect(rows).toEqual([{ name: PORTAL_ROLE }])
})

test('doctor is content with two roles, and warns where the portal owns the tables', async () => {
  expect((await portal(urls, 'doctor')).text).toContain(
    `ok       rights: the portal's role ${PORTAL_ROLE} owns nothing`,
  )
  const { text } = await portal({ DATABASE_URL: urls.DATABASE_OWNER_URL }, 'doctor')
  expect(text).toContain(`warning  rights: the portal's role ${owner} owns the tables: it could change the audit log.`)
})

test('a portal without the owner does not start on a database that lacks migrations or rights', async () => {
  const [ran] = await asOwner(
    'delete from migration where name = (select max(name) from migration) returning name, sha256',
  )
  await expect(open(onlyPortal())).rejects.toThrow(
    `the database lacks 1 migration steps, and the role ${PORTAL_ROLE} of DATABASE_URL does not own its tables: run "migrate" with DATABASE_OWNER_URL`,
  )
  await asOwner(`insert into migration (name, sha256) values ('${ran.name}', '${ran.sha256}')`)
  await asOwner(`revoke insert on audit_log from ${PORTAL_ROLE}`)
  await expect(open(onlyPortal())).rejects.toThrow(
    `the role ${PORTAL_ROLE} of DATABASE_URL lacks rights: run "migrate" with DATABASE_OWNER_URL`,
  )
  await portal(urls, 'migrate')
  await (await open(onlyPortal())).close()
})

test('backup and restore work with two roles; a restore needs the owner and gives the rights again', async () => {
  const file = path.join(files, 'backup')
  expect((await portal(urls, 'backup', file)).status).toBe(0)
  const refused = await portal(onlyPortal(), 'restore', file, '--replace', database)
  expect(refused).toEqual({
    status: 2,
    text: `The role ${PORTAL_ROLE} of DATABASE_URL does not own the tables: set DATABASE_OWNER_URL as well\n`,
  })
  const running = await open(onlyPortal())
  await sql`select`.execute(running.db)
  const inUse = await portal(urls, 'restore', file, '--replace', database)
  expect(inUse.text).toContain('Stop the portal first: the database is in use by portal')
  await running.close()
  const others = `select from pg_stat_activity where datname = current_database() and usename = '${PORTAL_ROLE}'`
  await until(async () => (await asOwner(others)).length === 0, 'the connections of the portal stay')
  expect((await portal(urls, 'restore', file, '--replace', database)).text).toContain('Restored ')
  const installation = await open(onlyPortal())
  const { rows } = await sql<{ restores: number }>`
    select count(*)::int as restores from audit_log where action = 'restore'`.execute(installation.db)
  await sql`select from jobs.queue`.execute(installation.db)
  await installation.close()
  expect(rows).toEqual([{ restores: 1 }])
})

test('a portal does not start where shard has not ended, and says what to run', async () => {
  await asOwner('create table sharding_foreign_key (name text)')
  const line =
    '"shard" has not ended, and foreign keys and triggers of the database are off until it has: run "npm run portal -- shard" again'
  await expect(open(onlyPortal())).rejects.toThrow(line)
  await expect(open(urls)).rejects.toThrow(line)
  expect(await portal(urls, 'usage', 'rebuild', '100001')).toEqual({ status: 2, text: `${line}\n` })
  await asOwner('drop table sharding_foreign_key')
  await (await open(urls)).close()
})

test('DATABASE_OWNER_URL without DATABASE_URL is refused', () => {
  expect(() => readConfig({ DATABASE_OWNER_URL: urls.DATABASE_OWNER_URL })).toThrow(
    'DATABASE_URL is not set, and DATABASE_OWNER_URL needs it',
  )
})
