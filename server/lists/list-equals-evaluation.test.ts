import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareBy } from '#domain/kit/compare-rows.ts'
import { matches } from '#domain/kit/evaluate-filter.ts'
import { parseFilter } from '#domain/kit/parse-filter.ts'
import { completeOrder, parseSorting } from '#domain/kit/parse-sorting.ts'
import { continuationTokens } from '#server/lists/continuation-tokens.ts'
import { fetchCount } from '#server/lists/list-count.ts'
import { fetchDistinct } from '#server/lists/list-distinct.ts'
import { fetchPage } from '#server/lists/list-page.ts'
import { streamRows } from '#server/lists/list-rows.ts'
import { filter, PATIENCE, rows, runs, sorting, timeZone } from '#server/lists/testing/arbitraries.ts'
import { CUSTOMER, createSample, fillSample, type SampleRow, sampleList } from '#server/lists/testing/sample-list.ts'
import { freshDatabase } from '#server/testing/database.ts'

/*
 * The browser filters and sorts what it has loaded, the server what is stored: the same request must give the same rows
 * in the same order on both sides, whatever stands in them.
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

const inMemory = (stored: readonly SampleRow[], filterInput: unknown, sortInput: unknown, zone: string) => {
  const parsed = parseFilter(fields, filterInput, zone)
  const order = completeOrder({ fields, key, defaultSort: defaultOrder }, parseSorting(fields, sortInput))
  return stored.filter((one) => matches(parsed, one)).sort(compareBy(order))
}

test(
  'rows come over the wire as they were stored',
  async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (stored) => {
        await fillSample(database.db, stored)
        const page = await fetchPage(database.db, sampleList, CUSTOMER, { sorting: [{ name: 'Id', direction: 'asc' }] })
        expect(page).toEqual({ rows: stored, token: null })
      }),
      runs(50),
    )
  },
  PATIENCE,
)

test(
  'a filter lets the same rows pass in SQL as in memory, and count agrees',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.array(filter, { minLength: 5, maxLength: 5 }),
        timeZone,
        async (stored, filters, zone) => {
          await fillSample(database.db, stored)
          for (const one of filters) {
            const expected = inMemory(stored, one, [], zone)
            const page = await fetchPage(database.db, sampleList, CUSTOMER, { filter: one }, { timeZone: zone })
            expect(page.rows, JSON.stringify(one)).toEqual(expected)
            expect(await fetchCount(database.db, sampleList, CUSTOMER, { filter: one }, { timeZone: zone })).toBe(
              expected.length,
            )
          }
        },
      ),
      runs(150),
    )
  },
  PATIENCE,
)

test(
  'pages by token, by offset and by batch all add up to the whole list in order, without gaps or duplicates',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.option(filter),
        sorting,
        fc.integer({ min: 1, max: 5 }),
        async (stored, some, order, limit) => {
          await fillSample(database.db, stored)
          const expected = inMemory(stored, some, order, 'UTC')
          const request = { filter: some, sorting: order, limit }

          const byToken: SampleRow[] = []
          let token: string | null = null
          do {
            const page: Page = await fetchPage(database.db, sampleList, CUSTOMER, { ...request, token }, { tokens })
            expect(page.rows.length).toBe(Math.min(limit, expected.length - byToken.length))
            byToken.push(...page.rows)
            token = page.token
          } while (token)
          expect(byToken).toEqual(expected)

          const offset = Math.floor(expected.length / 2)
          const byOffset = await fetchPage(database.db, sampleList, CUSTOMER, { ...request, offset })
          expect(byOffset.rows).toEqual(expected.slice(offset, offset + limit))

          const byBatch: SampleRow[] = []
          for await (const batch of streamRows(database.db, sampleList, CUSTOMER, request, { batch: limit }))
            byBatch.push(...batch)
          expect(byBatch).toEqual(expected)
        },
      ),
      runs(150),
    )
  },
  PATIENCE,
)

test(
  'distinct values, hopped to or scanned for, are those of the rows that pass',
  async () => {
    const names = ['Product', 'Code', 'Charge', 'EndTime', 'EndDate', 'Active'] as const
    await fc.assert(
      fc.asyncProperty(rows, fc.option(filter), fc.constantFrom(...names), async (stored, some, name) => {
        await fillSample(database.db, stored)
        const order = parseSorting(fields, [{ name, direction: 'asc' }])
        const passing = inMemory(stored, some, [], 'UTC').sort(compareBy(order))
        const values = await fetchDistinct(database.db, sampleList, CUSTOMER, { filter: some, key: name })
        expect(values).toEqual([...new Set(passing.map((one) => one[name]))])
      }),
      runs(100),
    )
  },
  PATIENCE,
)
