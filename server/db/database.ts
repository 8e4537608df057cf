import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { type MeasureStatement, PortalClient } from '#server/db/portal-client.ts'
import type { DB } from '#server/db/schema.ts'
import { SESSION_SETTINGS } from '#server/db/session-settings.ts'
import { StatementTimes } from '#server/db/statement-times.ts'

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

export type { Pool, PoolConfig } from 'pg'
export type Database = { pool: pg.Pool; db: Kysely<DB> }

type MeasuredPool = pg.PoolConfig & {
  /** Shared by the pools of one installation. */
  readonly statementTimes: StatementTimes
  /** Of this pool alone. */
  readonly measures: MeasureStatement[]
}
const measuredOptions = ({ options }: pg.Pool) => options as pg.PoolOptions & MeasuredPool

/** The slow statements of a pool and of those that were opened beside it. */
export const statementTimesOf = (pool: pg.Pool): StatementTimes => measuredOptions(pool).statementTimes

/** Calls `measure` with every statement of a pool from now on. */
export const measurePool = (pool: pg.Pool, measure: MeasureStatement): void =>
  void measuredOptions(pool).measures.push(measure)

export function openDatabase(connection: pg.PoolConfig): Database {
  return openPool({
    application_name: 'portal',
    max: 10,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 30_000,
    types,
    onConnect: openSession,
    statementTimes: new StatementTimes(),
    ...connection,
  })
}

/** How to connect to the server of a pool, with another database if one is named. */
export function onDatabase({ options }: pg.Pool, database?: string): pg.PoolConfig {
  const { connectionString, host, port, user, ssl } = options
  if (connectionString === undefined)
    return { host, port, user, ssl, password: options.password, database: database ?? options.database }
  const url = new URL(connectionString)
  if (database !== undefined) url.pathname = `/${database}`
  return { connectionString: url.href }
}

export type Pools = {
  /** For session, person and rights of every call, sign-in and readiness: these get a connection even under load. */
  readonly access: Database
  /** For calls that only read: lists, reports, searches. Their cost depends on the caller and on the stored data. */
  readonly reads: Database
  /**
   * For pages that are prepared statements with a generic plan, which is made once for all values. By default,
   * PostgreSQL plans again for each execution where it expects the values to matter, as with many partitions.
   */
  readonly prepared: Database
  /**
   * Of a sharded database only: finds accounts and contacts in the copy on the coordinator, for calls that would ask every node
   * while one is dead.
   */
  readonly accountCopy?: Database
}

/** Shorter than the wait for a connection: a heavy statement is canceled before others run into that timeout. */
const READ_TIMEOUT = 5_000

/** Separate connection pools by purpose, so that slow work in one does not exhaust the others. */
export function openPools(main: pg.Pool, { isSharded = false } = {}): Pools {
  const withOptions = (...own: string[]) => [main.options.options, ...own].filter(Boolean).join(' ')
  // A statement whose cost depends on the caller uses one CPU core, never all of them.
  const single = '-c max_parallel_workers_per_gather=0'
  // A call that only reads may be answered by a replica, where a write fails: so it fails everywhere.
  const readOnly = '-c default_transaction_read_only=on'
  return {
    access: sibling(main, { max: 6 }),
    reads: sibling(main, { max: 8, statement_timeout: READ_TIMEOUT, options: withOptions(single, readOnly) }),
    prepared: sibling(main, {
      max: 8,
      statement_timeout: READ_TIMEOUT,
      // On shards a statement is planned for the node of its customer.
      options: withOptions(single, readOnly, ...(isSharded ? [] : ['-c plan_cache_mode=force_generic_plan'])),
    }),
    ...(isSharded ? { accountCopy: openAccountCopy(main, withOptions(single, readOnly)) } : {}),
  }
}

const openAccountCopy = (main: pg.Pool, options: string) =>
  sibling(main, {
    max: 4,
    statement_timeout: READ_TIMEOUT,
    options,
    async onConnect(client) {
      await openSession(client)
      await client.query('set search_path = account_copy, public')
    },
  })

export async function closePools(pools: Pools): Promise<void> {
  await Promise.all(Object.values(pools).map(({ pool }) => pool.end()))
}

function sibling(main: pg.Pool, own: pg.PoolConfig & { max: number }): Database {
  const options = measuredOptions(main)
  // The password is not enumerable, so spreading the options leaves it out.
  return openPool({ ...options, password: options.password, ...own, max: Math.min(own.max, options.max) })
}

function openPool(options: Omit<MeasuredPool, 'measures'>): Database {
  const measures: MeasureStatement[] = [(text, milliseconds) => options.statementTimes.add(text, milliseconds)]
  const pool = new pg.Pool({ ...options, measures, Client: PortalClient } as MeasuredPool)
  // An idle connection that loses its server must not end the process: the next query reports it, or finds it back.
  pool.on('error', () => {})
  return { pool, db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }) }
}

/** The pool lends no connection before this is done. */
async function openSession(client: pg.ClientBase): Promise<void> {
  await client.query(SESSION_SETTINGS)
}
