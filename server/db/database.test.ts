import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, openPools, type Pool } from '#server/db/database.ts'
import { freshDatabase } from '#server/testing/database.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

test('a calendar day stays a text, alone and in a list', async () => {
  const { rows } = await database.pool.query(
    `select date '2026-01-01' as day, array[date '2026-01-01', null] as days, null::date as none`,
  )
  expect(rows).toEqual([{ day: '2026-01-01', days: ['2026-01-01', null], none: null }])
})

test('exact numbers stay exact, instants are instants', async () => {
  const { rows } = await database.pool.query(
    `select 9007199254740993::bigint as big, 0.10::numeric as exact, timestamptz '2026-01-01T00:00:00Z' as at`,
  )
  expect(rows).toEqual([{ big: '9007199254740993', exact: '0.10', at: new Date('2026-01-01T00:00:00Z') }])
})

test('limits statements to 15 s, and ends idle transactions', async () => {
  const { rows } = await database.pool.query(
    `select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle`,
  )
  expect(rows).toEqual([{ statement: '15s', idle: '30s' }])
})

test('a lost idle connection does not end the process, and the pool keeps working', async () => {
  const { pool, db } = openDatabase({ ...database.connection, max: 1 })
  const { rows } = await pool.query('select pg_backend_pid() as pid')
  await database.pool.query('select pg_terminate_backend($1::int, 5000)', [rows[0].pid])
  await expect.poll(() => pool.totalCount).toBe(0)
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await db.destroy()
})

test('every fresh database is migrated and separate', async () => {
  const other = await freshDatabase()
  await other.pool.query('create table only_here (id int)')
  const { rows } = await database.pool.query(
    `select to_regclass('migration') as migrated, to_regclass('only_here') as strange`,
  )
  expect(rows).toEqual([{ migrated: 'migration', strange: null }])
  await other.close()
})

test('a connection that is lost in the middle of a transaction fails that transaction, and nothing else', async () => {
  const { pool, close } = await freshDatabase()
  const lent = await pool.connect()
  const lost = new Promise((resolve) => lent.once('end', resolve))
  await lent.query('begin')
  const { rows } = await lent.query<{ pid: number }>('select pg_backend_pid() as pid')
  await pool.query('select pg_terminate_backend($1::int)', [rows[0]?.pid])
  await lost
  await expect(lent.query('select 1')).rejects.toThrow()
  lent.release(true)
  expect((await pool.query<{ one: number }>('select 1 as one')).rows).toEqual([{ one: 1 }])
  await close()
})

test('settings of the role, the database and the server change nothing', async () => {
  const { pool, connection, close } = await freshDatabase()
  const before = await whatIsRead(pool)
  const role = `role_${randomBytes(6).toString('hex')}`
  await pool.query(`create role ${role} login password 'secret' superuser`)
  await pool.query(`create schema elsewhere`)
  for (const [setting, value] of [
    ['datestyle', 'SQL, DMY'],
    ['timezone', 'Pacific/Auckland'],
    ['search_path', 'elsewhere'],
    ['intervalstyle', 'iso_8601'],
    ['bytea_output', 'escape'],
    ['client_encoding', 'LATIN1'],
    ['lock_timeout', '1'],
  ] as const) {
    await pool.query(`alter role ${role} set ${setting} = '${value}'`)
    await pool.query(`alter database ${connection.database} set ${setting} = '${value}'`)
  }
  await pool.query(`alter database ${connection.database} set default_transaction_isolation = 'serializable'`)
  const other = openDatabase({ ...connection, user: role, password: 'secret' })
  for (const { pool } of [other, ...Object.values(openPools(other.pool))]) {
    expect(await whatIsRead(pool)).toEqual(before)
    await pool.end()
  }
  await close()
  await database.pool.query(`drop role ${role}`)
})

/** Reads the settings, and whether migrations would run again, that is, whether the tables are found. */
const whatIsRead = async (pool: Pool) => {
  const { rows } = await pool.query(
    `select to_regclass('migration')::text as tables, timestamptz '2026-01-01T00:00:00Z'::date as day,
            timestamptz '2026-01-01T00:00:00Z' as at, interval '1 day 2 hours'::text as span, date '2026-02-01'::text as text,
            '\\x00ff'::bytea as bytes, 'Größe €' as word, current_setting('lock_timeout') as wait,
            current_setting('transaction_isolation') as isolation`,
  )
  return rows
}
