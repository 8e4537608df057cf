import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { continuationTokens } from '#server/lists/keyset.ts'
import { ListError } from '#server/lists/list-error.ts'
import type { PageReading } from '#server/lists/list-page.ts'
import { defineList, type PageRequest } from '#server/lists/list-source.ts'
import { fetchCount } from '#server/lists/list-totals.ts'
import { fetchRows } from '#server/lists/testing/page-rows.ts'
import { CUSTOMER, createSample, fillSample, type SampleRow, sampleList } from '#server/lists/testing/sample-list.ts'
import { freshDatabase } from '#server/testing/database.ts'

const tokens = continuationTokens(Buffer.from('a secret for tests'))
const byId = [{ name: 'Id', direction: 'asc' }]
const stored = Array.from(
  { length: 6 },
  (_, index): SampleRow => ({
    Id: index + 1,
    Product: index % 2 ? null : `Product ${index}`,
    Code: `${index % 3}`,
    Charge: index + 0.25,
    Count: index,
    StartTime: '2026-01-01T00:00:00.000Z',
    EndTime: null,
    Expires: null,
    Arrived: null,
    EndDate: '2026-12-31',
    Active: true,
    'CA[ENT|services]': ['Portal'],
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

const page = (request: PageRequest, reading: PageReading = { tokens }) =>
  fetchRows(database.db, sampleList, CUSTOMER, request, reading)

/** A token after the second of the sample's rows. */
const tokenFor = async (request: PageRequest) => (await page({ ...request, limit: 2 })).token ?? ''

const refused = (message: string) => expect.objectContaining({ name: 'ListError', statusCode: 400, message })
const FOREIGN = refused('the continuation token does not belong to this list, filter and sorting')

describe('pages', () => {
  test('a page has a token exactly if more rows follow', async () => {
    expect((await page({ limit: 5 })).token).toEqual(expect.any(String))
    expect((await page({ limit: 6 })).token).toBeNull()
    expect((await page({ limit: 7 })).token).toBeNull()
  })

  test('sends only the requested attributes, each once', async () => {
    const { rows } = await page({ attributes: ['Charge', 'CA[ENT|services]', 'Charge'], sorting: byId, limit: 1 })
    expect(rows).toEqual([{ Charge: 0.25, 'CA[ENT|services]': ['Portal'] }])
  })

  test('a page after the last row is empty, and so is a list without rows', async () => {
    expect(await page({ offset: 6 })).toEqual({ rows: [], token: null })
    const nobody = { customerNumber: "' or true --" }
    expect(await fetchRows(database.db, sampleList, nobody, {})).toEqual({ rows: [], token: null })
    expect(await fetchCount(database.db, sampleList, nobody)).toBe(0)
  })

  test('a token takes precedence over an offset', async () => {
    const token = await tokenFor({ sorting: byId })
    expect((await page({ sorting: byId, token, offset: 5 })).rows.map(({ Id }) => Id)).toEqual([3, 4, 5, 6])
  })

  test('rows deleted or inserted between two pages neither repeat nor hide other rows', async () => {
    const token = await tokenFor({ sorting: byId })
    await fillSample(database.db, [{ ...stored[0]!, Id: 0 }, ...stored.slice(3), { ...stored[0]!, Id: 7 }])
    const { rows } = await page({ sorting: byId, token })
    await fillSample(database.db, stored)
    expect(rows.map(({ Id }) => Id)).toEqual([4, 5, 6, 7])
  })
})

describe('tokens', () => {
  const filter = { condition: 'ALL', criteria: [{ name: 'Count', method: '>=', value: 0 }] }

  test('a token continues an equivalent filter that is written differently', async () => {
    const token = await tokenFor({ filter, sorting: byId })
    const reworded = { criteria: [{ method: '>=', value: '0.0', name: 'Count', not: false }], condition: 'ALL' }
    const next = await page({ filter: reworded, sorting: [{ name: 'Id', direction: 'ASC' }], token })
    expect(next.rows).toHaveLength(4)
  })

  test.each<[string, PageRequest]>([
    ['another filter', { filter: { ...filter, condition: 'ANY' }, sorting: byId }],
    ['no filter', { sorting: byId }],
    ['another direction', { filter, sorting: [{ name: 'Id', direction: 'desc' }] }],
    ['the default order', { filter }],
  ])('a token is refused with %s', async (_what, request) => {
    const token = await tokenFor({ filter, sorting: byId })
    await expect(page({ ...request, token })).rejects.toThrow(FOREIGN)
  })

  test('a token is refused in another scope, on another list and under another secret', async () => {
    const token = await tokenFor({ sorting: byId })
    const request = { sorting: byId, token }
    const elsewhere = fetchRows(database.db, sampleList, { customerNumber: '100002' }, request, { tokens })
    await expect(elsewhere).rejects.toThrow(FOREIGN)
    const other = fetchRows(database.db, { ...sampleList, name: 'other' }, CUSTOMER, request, { tokens })
    await expect(other).rejects.toThrow(FOREIGN)
    await expect(page(request, { tokens: continuationTokens(Buffer.from('another')) })).rejects.toThrow(FOREIGN)
  })

  test('a token with any one character changed, added or missing is refused', async () => {
    const token = await tokenFor({ sorting: byId })
    const changed = [...token].map((character, at) => {
      const other = character === 'A' ? 'B' : 'A'
      return token.slice(0, at) + other + token.slice(at + 1)
    })
    for (const forged of [...changed, `${token}=`, `${token}.`, token.slice(0, -1), token.split('.')[0], '.', 'é'])
      await expect(page({ sorting: byId, token: forged }), forged).rejects.toThrow(FOREIGN)
  })

  test('a list without tokens refuses a token, and answers none', async () => {
    const token = await tokenFor({ sorting: byId })
    const unsupported = refused('fetch by continuation token is not supported')
    await expect(page({ sorting: byId, token }, {})).rejects.toThrow(unsupported)
    const uncontinued = { ...sampleList, continuation: false }
    await expect(fetchRows(database.db, uncontinued, CUSTOMER, { token }, { tokens })).rejects.toThrow(unsupported)
    expect((await fetchRows(database.db, uncontinued, CUSTOMER, { limit: 1 }, { tokens })).token).toBeNull()
  })
})

describe('an invalid request is refused with the name of what is wrong', () => {
  test.each<[PageRequest, string]>([
    [
      { filter: { condition: 'ALL', criteria: [{ name: 'Foo', method: 'EQUALS', value: 1 }] } },
      "filter.criteria[0]: unknown field 'Foo'",
    ],
    [
      { sorting: [{ name: '1; drop table sample', direction: 'asc' }] },
      "sorting[0]: unknown field '1; drop table sample'",
    ],
    [{ attributes: ['Id', 'hasOwnProperty'] }, "attributes[1]: unknown field 'hasOwnProperty'"],
    [{ limit: 0 }, 'limit must be a whole number from 1 to 1000000000'],
    [{ limit: 1.5 }, 'limit must be a whole number from 1 to 1000000000'],
    [{ offset: -1 }, 'offset must be a whole number from 0 to 1000000000'],
  ])('the request %j is refused', async (request, message) => {
    await expect(page(request)).rejects.toThrow(refused(message))
    await expect(page(request)).rejects.toBeInstanceOf(ListError)
  })

  test('a page of more than 1000 rows is a business refusal', async () => {
    expect((await page({ limit: 1000 })).rows).toHaveLength(6)
    const refusal = { code: 'TOO_MANY_ROWS', message: 'total number of records exceeds maximum allowed length' }
    for (const limit of [1001, 30_000, 1_000_000_000]) await expect(page({ limit })).rejects.toMatchObject(refusal)
  })

  test('an invalid declaration is refused at start', () => {
    const declaration = { ...sampleList, from: sql`sample s` }
    expect(() => defineList({ ...declaration, key: ['Links'] })).toThrow("field 'Links' cannot be sorted by")
    expect(() => defineList({ ...declaration, key: [] })).toThrow('list sample has no key')
    const Ends = { column: 's.expires', type: 'instant', missingIsInfinity: true } as const
    const fields = { ...declaration.fields, Ends }
    expect(() => defineList({ ...declaration, fields })).toThrow(
      'Ends is kept as infinity, so missing must be the future',
    )
  })
})
