import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchDistinct } from '#server/lists/list-distinct.ts'
import type { DistinctRequest } from '#server/lists/list-source.ts'
import { CUSTOMER, createSample, fillSample, type SampleRow, sampleList } from '#server/lists/testing/sample-list.ts'
import { freshDatabase } from '#server/testing/database.ts'

const stored = Array.from(
  { length: 510 },
  (_, index): SampleRow => ({
    Id: index,
    Product: index === 0 ? null : `Product ${index % 3}`,
    Code: `${index % 499}`,
    Charge: (index % 500) / 4,
    Count: 1,
    StartTime: '2026-01-01T00:00:00.000Z',
    EndTime: null,
    Expires: null,
    Arrived: null,
    EndDate: null,
    Active: null,
    'CA[ENT|services]': index % 2 ? ['Portal', 'Elastic'] : index % 4 ? ['FSA'] : null,
    Links: null,
  }),
)

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
  await createSample(database.db)
  await fillSample(database.db, stored)
})
afterAll(() => database.close())

const distinct = (request: DistinctRequest) =>
  fetchDistinct(database.db, sampleList, CUSTOMER, request, { hopsFrom: 0 })
const refused = (message: string) => expect.objectContaining({ name: 'ListError', statusCode: 400, message })
const TOO_MANY = expect.objectContaining({ code: 'TOO_MANY_DISTINCT', message: 'Too many distinct values' })

test('values are in ascending order, with null last', async () => {
  expect(await distinct({ key: 'Product' })).toEqual(['Product 0', 'Product 1', 'Product 2', null])
})

test('hops over the rows that have the index, and reads the others', async () => {
  const { rows } = await sql<{ missing: number }>`
    update sample set product = 'Unindexed ' || id % 2 where id >= 500 returning product`.execute(database.db)
  expect(rows).toHaveLength(20)
  const looseRows = { indexed: sql<boolean>`s.id < 500`, others: sql<boolean>`s.id >= 500` }
  const values = (filter?: unknown) =>
    fetchDistinct(
      database.db,
      { ...sampleList, looseRows },
      CUSTOMER,
      { key: 'Product', ...(filter ? { filter } : {}) },
      { hopsFrom: 0 },
    )
  expect(await values()).toEqual(['Product 0', 'Product 1', 'Product 2', 'Unindexed 0', 'Unindexed 1', null])
  const contains = (value: string) => ({
    condition: 'ALL',
    criteria: [{ name: 'Product', method: 'CONTAINS', value }],
  })
  expect(await values(contains('1'))).toEqual(['Product 1', 'Unindexed 1'])
  await fillSample(database.db, stored)
})

test('applies filters on the field itself and on other fields', async () => {
  const only = (name: string, value: unknown) => ({ condition: 'ALL', criteria: [{ name, method: 'EQUALS', value }] })
  expect(await distinct({ key: 'Product', filter: only('Product', 'product 1') })).toEqual(['Product 1'])
  expect(await distinct({ key: 'Product', filter: only('Id', 0) })).toEqual([null])
  expect(await distinct({ key: 'Product', filter: only('Id', -1) })).toEqual([])
})

test('distinct values of a text list are its elements', async () => {
  expect(await distinct({ key: 'CA[ENT|services]' })).toEqual(['Elastic', 'FSA', 'Portal'])
})

test('answers fewer values than the limit, at most 499, and refuses more', async () => {
  expect(await distinct({ key: 'Code' })).toHaveLength(499)
  await expect(distinct({ key: 'Charge' })).rejects.toThrow(TOO_MANY)
  expect(await distinct({ key: 'Product', limit: 5 })).toHaveLength(4)
  await expect(distinct({ key: 'Product', limit: 4 })).rejects.toThrow(TOO_MANY)
  expect(await distinct({ key: 'Code', limit: 501 })).toHaveLength(499)
  await expect(distinct({ key: 'Charge', limit: 1_000_000 })).rejects.toThrow(TOO_MANY)
})

test('lists the values of the default field when none is named', async () => {
  await expect(distinct({})).rejects.toThrow(TOO_MANY)
  const few = { condition: 'ALL', criteria: [{ name: 'Id', method: '<', value: 3 }] }
  expect(await distinct({ filter: few })).toEqual([0, 1, 2])
})

test.each<[DistinctRequest, string]>([
  [{ key: 'Foo' }, "key: unknown field 'Foo'"],
  [{ key: 'Links' }, "key: field 'Links' has no distinct values"],
  [{ limit: 0 }, 'limit must be a whole number from 1 to 1000000000'],
])('%j is refused: %s', async (request, message) => {
  await expect(distinct(request)).rejects.toThrow(refused(message))
})
