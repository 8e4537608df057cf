import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { DB } from '#server/plugins/schema.ts'

const DATE = 1082
const DATE_ARRAY = 1182
const TEXT_ARRAY = 1009

/**
 * A calendar day stays the text yyyy-mm-dd: the driver would make it midnight of this machine's time zone. Numeric and
 * bigint are texts by the driver's own choice, and stay so: money and units are never binary floating point.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === DATE) return (text: string) => text
    return pg.types.getTypeParser(oid === DATE_ARRAY ? TEXT_ARRAY : oid, format as 'text')
  },
}

export type { Pool } from 'pg'
export type Database = { pool: pg.Pool; db: Kysely<DB> }

export function openDatabase(connection: pg.PoolConfig): Database {
  const pool = new pg.Pool({
    application_name: 'portal',
    max: 10,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 30_000,
    types,
    ...connection,
  })
  surviveLostConnections(pool)
  return { pool, db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }) }
}

/**
 * Connections to the same database on which a named statement is planned once, for whatever values it is then given. Left
 * to itself, PostgreSQL plans anew each time where it expects the values to matter, as it does with many partitions.
 */
export function preparedPool({ options }: pg.Pool): pg.Pool {
  const pool = new pg.Pool({
    ...options,
    password: options.password,
    options: [options.options, '-c plan_cache_mode=force_generic_plan'].filter(Boolean).join(' '),
  })
  surviveLostConnections(pool)
  return pool
}

function surviveLostConnections(pool: pg.Pool): void {
  // An idle connection that loses its server must not end the process: the next query reports it, or finds it back.
  pool.on('error', () => {})
  // The same holds for a connection that is lent out but waits between two statements of a transaction.
  pool.on('connect', (client) => client.on('error', () => {}))
}
