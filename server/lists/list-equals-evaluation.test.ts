import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareBy } from '#domain/filter/compare-rows.ts'
import { matches } from '#domain/filter/evaluate-filter.ts'
import { parseFilter } from '#domain/filter/parse-filter.ts'
import { completeOrder, parseSorting } from '#domain/filter/parse-sorting.ts'
import { continuationTokens } from '#server/lists/keyset.ts'
import { fetchDistinct } from '#server/lists/list-distinct.ts'
import { streamRows } from '#server/lists/list-page.ts'
import type { PageRequest } from '#server/lists/list-source.ts'
import { fetchCount } from '#server/lists/list-totals.ts'
import { rowsAndFilters, runs, sorting, timeZone } from '#server/lists/testing/arbitraries.ts'
import { fetchRows } from '#server/lists/testing/page-rows.ts'
import { CUSTOMER, createSample, fillSample, type SampleRow, sampleList } from '#server/lists/testing/sample-list.ts'
import { freshDatabase } from '#server/testing/database.ts'

/*
 * The browser filters and sorts loaded rows, the server stored ones: the same request must give the same rows in the
 * same order on both sides, for any content.
 */
const { fields, key, defaultOrder } = sampleList
const tokens = continuationTokens(Buffer.from('a secret for tests'))

type Page = { rows: SampleRow[]; token: string | null }

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
  await createSample(database.db)
})
afterAll(() => database.close())

const inMemory = (stored: readonly SampleRow[], filter: unknown, sortInput: unknown, zone = 'UTC') => {
  const parsed = parseFilter(fields, filter, zone)
  const order = completeOrder({ fields, key, defaultSort: defaultOrder }, parseSorting(fields, sortInput))
  return stored.filter((one) => matches(parsed, one)).sort(compareBy(order))
}

test('rows are answered as they were stored', async () => {
  const property = fc.asyncProperty(rowsAndFilters(0), async ({ rows }) => {
    await fillSample(database.db, rows)
    const page = await fetchRows(database.db, sampleList, CUSTOMER, { sorting: [{ name: 'Id', direction: 'asc' }] })
    expect(page).toEqual({ rows, token: null })
  })
  await fc.assert(property, runs(50))
})

test('a filter matches the same rows in SQL and in memory, and count agrees', async () => {
  const property = fc.asyncProperty(rowsAndFilters(8), timeZone, async ({ rows, filters }, zone) => {
    await fillSample(database.db, rows)
    for (const filter of filters) {
      const expected = inMemory(rows, filter, [], zone)
      const page = await fetchRows(database.db, sampleList, CUSTOMER, { filter }, { timeZone: zone })
      expect(page.rows, JSON.stringify(filter)).toEqual(expected)
      const count = await fetchCount(database.db, sampleList, CUSTOMER, { filter }, { timeZone: zone })
      expect(count).toBe(expected.length)
    }
  })
  await fc.assert(property, runs(100))
})

test('pages by token, offset and batch add up to the list in order, without gaps or duplicates', async () => {
  const limits = fc.integer({ min: 1, max: 5 })
  const property = fc.asyncProperty(rowsAndFilters(1), sorting, limits, async ({ rows, filters }, order, limit) => {
    await fillSample(database.db, rows)
    for (const filter of [undefined, ...filters]) {
      const request = { filter, sorting: order, limit }
      const expected = inMemory(rows, filter, order)
      expect(await allByToken(request)).toEqual(expected)
      expect(await allByBatch(request)).toEqual(expected)
      const offset = Math.floor(expected.length / 2)
      const byOffset = await fetchRows(database.db, sampleList, CUSTOMER, { ...request, offset })
      expect(byOffset.rows).toEqual(expected.slice(offset, offset + limit))
    }
  })
  await fc.assert(property, runs(100))
})

test('distinct values by loose index scan and by full scan are those of the matching rows', async () => {
  const named = fc.constantFrom('Product', 'Code', 'Charge', 'EndTime', 'Expires', 'Arrived', 'EndDate', 'Active')
  const property = fc.asyncProperty(rowsAndFilters(1), named, async ({ rows, filters }, name) => {
    await fillSample(database.db, rows)
    const ascending = compareBy([{ name, type: fields[name].type, descending: false }])
    for (const filter of [undefined, ...filters]) {
      const passing = inMemory(rows, filter, []).sort(ascending)
      for (const hopsFrom of [0, Number.POSITIVE_INFINITY]) {
        const values = await fetchDistinct(database.db, sampleList, CUSTOMER, { filter, key: name }, { hopsFrom })
        expect(values).toEqual([...new Set(passing.map((one) => one[name]))])
      }
    }
  })
  await fc.assert(property, runs(100))
})

async function allByToken(request: PageRequest & { limit: number }): Promise<SampleRow[]> {
  const all: SampleRow[] = []
  let token: string | null = null
  do {
    const page: Page = await fetchRows(database.db, sampleList, CUSTOMER, { ...request, token }, { tokens })
    if (page.token) expect(page.rows).toHaveLength(request.limit)
    all.push(...page.rows)
    token = page.token
  } while (token)
  return all
}

async function allByBatch(request: PageRequest & { limit: number }): Promise<SampleRow[]> {
  const all: SampleRow[] = []
  for await (const batch of streamRows(database.db, sampleList, CUSTOMER, request, { batch: request.limit }))
    all.push(...batch)
  return all
}
