import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closePools, openPools, type Pools } from '#server/db/database.ts'
import { continuationTokens } from '#server/lists/keyset.ts'
import { fetchDistinct } from '#server/lists/list-distinct.ts'
import { defineList, type PageRequest } from '#server/lists/list-source.ts'
import { type PreparedConnection, type PreparedPages, preparedPages } from '#server/lists/prepared-pages.ts'
import { fetchRows } from '#server/lists/testing/page-rows.ts'
import { CUSTOMER, createSample, sampleList } from '#server/lists/testing/sample-list.ts'
import { freshDatabase } from '#server/testing/database.ts'

const list = defineList({ ...sampleList, prepares: ['StartTime', 'EndTime', 'Expires', 'Active'] })
const tokens = continuationTokens(Buffer.from('a secret for tests'))

let database: Awaited<ReturnType<typeof freshDatabase>>
let pools: Pools
let names: string[]
let prepared: PreparedPages
/** The connections of the pool, each recording the names of its statements, and how many it has prepared. */
const watched = new Map<unknown, PreparedConnection>()
let counts: number[] = []

beforeAll(async () => {
  database = await freshDatabase()
  await createSample(database.db)
  await sql`
    insert into sample (customer_number, id, product, code, count, start_time, end_time, expires, is_active)
    select c, n, 'Product ' || n % 4, 'code', 1, timestamptz '2026-01-01' + n * interval '1 hour',
      case when n % 5 > 0 then timestamptz '2026-01-02' + n * interval '1 hour' end,
      case when n % 7 > 0 then timestamptz '2026-01-03' + n * interval '1 hour' else 'infinity' end, n % 3 = 0
    from generate_series(1, 300) n, unnest(array['100001', '100002']) c`.execute(database.db)
  pools = openPools(database.pool)
  names = []
  prepared = preparedPages(database.db, {
    async connect() {
      const connection = await pools.prepared.pool.connect()
      const known = watched.get(connection) ?? {
        async query(statement) {
          names.push(statement.name)
          const result = await connection.query(statement)
          const { rows } = await connection.query('select count(*)::int as count from pg_prepared_statements')
          counts.push(rows[0].count)
          return result
        },
        release: (destroy) => connection.release(destroy),
      }
      watched.set(connection, known)
      return known
    },
  })
})
afterAll(async () => {
  await closePools(pools)
  await database.close()
})

/** The page, and the names of the statements that fetched it: none if it was not prepared. */
async function fetchPrepared(request: PageRequest, scope = CUSTOMER) {
  names = []
  const page = await fetchRows(database.db, list, scope, { limit: 20, ...request }, { tokens, prepared })
  expect(page).toEqual(await fetchRows(database.db, list, scope, { limit: 20, ...request }, { tokens }))
  return { ...page, names }
}

const criterion = (name: string, method: string, value: unknown, more = {}) => ({ name, method, value, ...more })
const all = (...criteria: object[]) => ({ condition: 'ALL', criteria })
const after = (instant: string) => all(criterion('EndTime', 'AFTER', instant))

describe('a prepared page', () => {
  it.each([
    ['everything', {}],
    ['from an instant on', { filter: after('2026-01-05T00:00:00Z') }],
    ['kept as infinity', { filter: all(criterion('Expires', 'AFTER', '2026-01-09T00:00:00Z')) }],
    [
      'between two',
      { filter: all(criterion('StartTime', 'DATERANGE', ['2026-01-04T00:00:00Z', '2026-01-05T00:00:00Z'])) },
    ],
    ['at one very instant', { filter: all(criterion('StartTime', 'EQUALS', '2026-01-04T00:00:00Z')) }],
    ['not after it', { filter: all(criterion('EndTime', 'AFTER', '2026-01-05T00:00:00Z', { not: true })) }],
    ['any of two', { filter: { ...after('2026-01-11T00:00:00Z'), condition: 'ANY' } }],
    [
      'at one of two instants',
      {
        filter: {
          condition: 'ANY',
          criteria: ['2026-01-04T00:00:00Z', '2026-01-05T00:00:00Z'].map((at) => criterion('StartTime', 'EQUALS', at)),
        },
      },
    ],
    ['by a truth', { filter: all(criterion('Active', 'EQUALS', true)) }],
    ['by a field with missing values', { sorting: [{ name: 'EndTime', direction: 'desc' }] }],
    ['with some attributes', { attributes: ['Code', 'Id'], limit: 3 }],
  ])('of the request "%s" has the rows of an unprepared page, and so do the pages after it', async (_name, request) => {
    let token: string | null = null
    do {
      const page = await fetchPrepared({ ...request, token })
      expect(page.names).toHaveLength(1)
      token = page.token
    } while (token)
  })

  it('uses one statement per shape of request, for all values and callers', async () => {
    const before = (instant: string) => ({ filter: all(criterion('StartTime', 'BEFORE', instant)) })
    const first = await fetchPrepared(before('2026-01-03T00:00:00Z'))
    const second = await fetchPrepared(before('2026-01-08T00:00:00Z'), { customerNumber: '100002' })
    expect(second.names).toEqual(first.names)
    expect(second.rows).not.toEqual(first.rows)
    const shorter = await fetchPrepared({ ...before('2026-01-08T00:00:00Z'), limit: 19 })
    expect(shorter.names).not.toEqual(first.names)
  })

  it('is planned once, whatever the values', async () => {
    await fetchPrepared({ filter: after('2026-01-03T00:00:00Z') })
    const { rows } =
      await pools.prepared.pool.query(`select sum(custom_plans)::int as custom, sum(generic_plans)::int as generic
      from pg_prepared_statements where name like 'page-%'`)
    expect(rows[0].custom).toBe(0)
    expect(rows[0].generic).toBeGreaterThan(0)
  })
})

describe('prepared distinct values', () => {
  const distinct = async (key: string, filter?: object) => {
    names = []
    const reading = { hopsFrom: 0, prepared }
    const values = await fetchDistinct(database.db, list, CUSTOMER, { key, filter }, reading)
    expect(values).toEqual(await fetchDistinct(database.db, list, CUSTOMER, { key, filter }, { hopsFrom: 0 }))
    return { values, names }
  }

  it('equal unprepared ones, with one statement for every range', async () => {
    const before = (instant: string) => all(criterion('Expires', 'BEFORE', instant))
    const first = await distinct('Product', before('2026-01-03T02:30:00Z'))
    const second = await distinct('Product', before('2026-01-08T00:00:00Z'))
    expect(first.names).toHaveLength(1)
    expect(second.names).toEqual(first.names)
    expect([first.values.length, second.values.length]).toEqual([2, 4])
  })

  it('are not prepared for a text search', async () => {
    expect((await distinct('Product', all(criterion('Product', 'CONTAINS', 'duct 1')))).names).toEqual([])
  })
})

describe('pages without a prepared statement', () => {
  it.each([
    ['when it searches text', { filter: all(criterion('Product', 'CONTAINS', 'duct 1')) }],
    ['when it filters by another field', { filter: all(criterion('Charge', 'EQUALS', 1)) }],
    ['when its filter has groups', { filter: all(after('2026-01-03T00:00:00Z')) }],
    ['when it has another order', { sorting: [{ name: 'Product', direction: 'asc' }] }],
    ['when it starts at an offset', { offset: 40 }],
  ])('a page is not prepared %s', async (_name, request) => {
    expect((await fetchPrepared(request)).names).toEqual([])
  })
})

describe('statements', () => {
  const shape = (limit: number) => fetchPrepared({ limit, attributes: ['Id'] })

  it('are at most 100 on each connection, whatever callers ask for', async () => {
    counts = []
    const first = (await shape(1)).names
    for (let limit = 2; limit <= 190; limit++) await shape(limit)
    expect(Math.max(...counts)).toBe(100)
    expect((await shape(1)).names).toEqual(first)
  })

  it('can be fetched at the same time while others replace their connections', async () => {
    const limits = Array.from({ length: 300 }, (_, n) => (n % 150) + 1)
    const pages = await Promise.all(
      limits.map((limit) =>
        fetchRows(database.db, list, CUSTOMER, { limit, attributes: ['Id'] }, { tokens, prepared }),
      ),
    )
    expect(pages.map(({ rows }) => rows.length)).toEqual(limits)
  })
})
