import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { USAGE_COLUMNS, type UsageField, type UsageTransaction, usageList } from '#contract/elastic/usage/usage-list.ts'
import { compareBy } from '#domain/filter/compare-rows.ts'
import { matches } from '#domain/filter/evaluate-filter.ts'
import { METHODS_OF } from '#domain/filter/fields.ts'
import type { CriterionInput, FilterInput, Method } from '#domain/filter/filter.ts'
import { parseFilter } from '#domain/filter/parse-filter.ts'
import { completeOrder, parseSorting } from '#domain/filter/parse-sorting.ts'
import { sum } from '#domain/money/decimal.ts'
import { elasticServerId } from '#server/demo/parts/elastic-servers.demo.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

type Row = UsageTransaction
type Sorting = { name: UsageField; direction: 'asc' | 'desc' }[]

const CUSTOMER = '100001'
const ZONE = 'Europe/Berlin'
let portal: Portal
let send: Awaited<ReturnType<Portal['as']>>
let all: Row[]

beforeAll(async () => {
  portal = await startPortal()
  send = await portal.as('vic.viewer@aerodyne.example')
  all = await everything()
})
afterAll(() => portal.close())

async function page(body: object) {
  const answer = await send(usageList.page, { body: { customerNumber: CUSTOMER, ...body } })
  expect(answer.body.err).toBeUndefined()
  expect(answer.status).toBe(200)
  return answer.body as unknown as { status: string; data: Row[]; token: string | null }
}

async function everything(filter?: FilterInput, sorting?: Sorting, limit = 1000): Promise<Row[]> {
  const rows: Row[] = []
  let token: string | null = null
  do {
    const answer = await page({ filter, sorting, limit, token })
    rows.push(...answer.data)
    token = answer.token
  } while (token)
  return rows
}

/** The rows that the browser would show, by evaluating the filter over loaded rows. */
function evaluated(filter: FilterInput | undefined, sorting: Sorting = []): number[] {
  const parsed = parseFilter(usageList.fields, filter, ZONE)
  const order = completeOrder(
    {
      fields: usageList.fields,
      key: ['StartTime', 'TransactionNumber'],
      defaultSort: [{ name: 'StartTime', type: 'instant', descending: true }],
    },
    parseSorting(usageList.fields, sorting),
  )
  return all
    .filter((row) => matches(parsed, row))
    .sort(compareBy(order))
    .map((row) => row.TransactionNumber)
}

const numbers = (rows: readonly Row[]) => rows.map((row) => row.TransactionNumber)
const only = (...criteria: CriterionInput[]): FilterInput => ({ condition: 'ALL', criteria })

describe('every column of the screen', () => {
  const columns = USAGE_COLUMNS.map(([name]) => name)

  /** Values of the column itself, from the middle of what there is, so that each method lets some rows pass. */
  function valueFor(name: UsageField, method: Method): unknown {
    const present = all.map((row) => row[name]).filter((value) => value !== null)
    const sorted = [...present].sort((one, other) => (one < other ? -1 : 1))
    const at = (part: number) => sorted[Math.floor(sorted.length * part)]
    const middle = at(0.5)
    if (method === 'ISDEFINED') return true
    if (['INRANGE', 'RANGE', 'DATERANGE', 'DAYRANGE'].includes(method)) return [at(0.3), at(0.7)]
    if (method === 'CONTAINS') return String(middle).slice(1, 4)
    if (method === 'STARTSWITH') return String(middle).slice(0, 3).toUpperCase()
    if (method === 'ENDSWITH') return String(middle).slice(-3)
    if (['<', 'BEFORE', 'BEFOREDAY'].includes(method)) return at(0.95)
    return middle
  }

  test('there are fifteen, and the demo fills them all', () => {
    expect(columns).toHaveLength(15)
    for (const name of columns) expect(new Set(all.map((row) => row[name])).size, name).toBeGreaterThan(1)
  })

  // The methods of a column take turns with the two directions.
  const cases = columns.flatMap((name) =>
    METHODS_OF[usageList.fields[name].type].map((method, at) => [name, method, at % 2 ? 'asc' : 'desc'] as const),
  )
  it.each(cases)('%s by %s passes what the evaluation passes, sorted %s', async (name, method, direction) => {
    const filter = only({ name, method, value: valueFor(name, method) })
    const sorting: Sorting = [{ name, direction }]
    const expected = evaluated(filter, sorting)
    expect(expected.length).toBeGreaterThan(0)
    expect(numbers(await everything(filter, sorting))).toEqual(expected)
    const negated = only({ name, method, value: valueFor(name, method), not: true })
    const { body } = await send(usageList.count, { body: { customerNumber: CUSTOMER, filter: negated } })
    expect(body.data).toBe(evaluated(negated).length)
  })

  it.each(columns)('%s has the distinct values of its rows', async (name) => {
    const filter = only({ name: 'StartTime_ts', method: 'AFTER', value: all[40]!.StartTime })
    const { body, status } = await send(usageList.distinct, { body: { customerNumber: CUSTOMER, key: name, filter } })
    const passed = new Set(evaluated(filter))
    const expected = new Set(all.filter((row) => passed.has(row.TransactionNumber)).map((row) => row[name]))
    expect(status).toBe(200)
    expect(new Set(body.data as unknown[])).toEqual(expected)
  })
})

describe('a time range', () => {
  const range = (from: string, to: string) =>
    only({ name: 'EndTime_ts', method: 'AFTER', value: from }, { name: 'StartTime_ts', method: 'BEFORE', value: to })

  it('holds what overlaps it, sessions over midnight, a month end and a whole month included', async () => {
    const long = all.find((row) => row.Hours === 720)!
    const middle = new Date((Date.parse(long.StartTime) + Date.parse(long.EndTime!)) / 2)
    const filter = range(middle.toISOString(), new Date(middle.getTime() + 1000).toISOString())
    const found = await everything(filter)
    expect(numbers(found)).toContain(long.TransactionNumber)
    expect(numbers(found)).toEqual(evaluated(filter))
  })

  it('holds active sessions however late it begins', async () => {
    const active = all.filter((row) => row.Active)
    expect(active.length).toBeGreaterThanOrEqual(5)
    for (const row of active)
      expect([row.EndTime, row.EndTime_ts, row.Hours, row.Charge]).toEqual([null, null, null, null])
    const found = await everything(only({ name: 'EndTime_ts', method: 'AFTER', value: '2999-01-01T00:00:00Z' }))
    expect(numbers(found)).toEqual(numbers(active))
    expect(numbers(await everything(only({ name: 'Active', method: 'EQUALS', value: true })))).toEqual(numbers(active))
    const ended = await everything(only({ name: 'EndTime_ts', method: 'BEFORE', value: '2999-01-01T00:00:00Z' }))
    expect(ended.some((row) => row.Active)).toBe(false)
  })

  it('knows whole days as days of the account', async () => {
    const overMidnight = all.find((row) => row.Project === 'Night Run')!
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE }).format(new Date(overMidnight.EndTime!))
    expect(new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE }).format(new Date(overMidnight.StartTime))).not.toBe(day)
    const filter = only({ name: 'EndTime', method: 'DAYRANGE', value: [day, day] })
    const found = await everything(filter)
    expect(numbers(found)).toContain(overMidnight.TransactionNumber)
    expect(numbers(found)).toEqual(evaluated(filter))
  })
})

describe('pages', () => {
  it('are the newest first, and go on where they ended', async () => {
    const first = await page({ limit: 20 })
    expect(first.data).toHaveLength(20)
    expect(numbers(first.data)).toEqual(evaluated(undefined).slice(0, 20))
    const second = await page({ limit: 20, token: first.token })
    const byOffset = await page({ limit: 20, offset: 20 })
    expect(second.data).toEqual(byOffset.data)
    for (const sorting of [
      [{ name: 'EndTime', direction: 'desc' }],
      [{ name: 'Project', direction: 'asc' }],
    ] as Sorting[])
      expect(numbers(await everything(undefined, sorting, 97))).toEqual(evaluated(undefined, sorting))
  })

  it('hold the requested attributes, or all of them', async () => {
    const { data } = await page({ limit: 1, attributes: ['Product', 'Charge'] })
    expect(Object.keys(data[0]!)).toEqual(['Product', 'Charge'])
    expect(Object.keys(all[0]!)).toEqual(Object.keys(usageList.fields))
  })

  it('carry exact numbers, and the customer on every row', () => {
    for (const row of all) {
      expect(row.Account).toBe(CUSTOMER)
      if (row.Charge !== null) expect(row.Charge).toBe(Number(row.Charge.toFixed(2)))
    }
  })

  it('can be of one elastic server', async () => {
    const count = async (serverId: string) =>
      (await send(usageList.count, { body: { customerNumber: CUSTOMER, serverId } })).body.data
    expect((await page({ serverId: elasticServerId(CUSTOMER), limit: 1 })).data).toHaveLength(1)
    expect((await page({ serverId: 'cls-of-somebody-else' })).data).toEqual([])
    expect(await count(elasticServerId(CUSTOMER))).toBe(all.length)
    expect(await count(elasticServerId('100007'))).toBe(0)
  })
})

describe('sums', () => {
  const sums = (body: object) => send(usageList.sum, { body: { customerNumber: CUSTOMER, ...body } })
  const added = (rows: readonly Row[], field: 'Hours' | 'Charge') => sum(rows.map((row) => row[field] ?? 0))
  const byCurrency = (rows: readonly Row[]) =>
    [...new Set(rows.map((row) => row.Currency))].sort().map((by) => {
      const own = rows.filter((row) => row.Currency === by)
      return { by, sums: { Hours: added(own, 'Hours'), Charge: added(own, 'Charge') } }
    })

  it('add up hours and cost of what matches, exactly, for each currency', async () => {
    const filter: FilterInput = { condition: 'ALL', criteria: [{ name: 'Product', method: 'CONTAINS', value: 'a' }] }
    const parsed = parseFilter(usageList.fields, filter, ZONE)
    expect((await sums({})).body.data).toEqual(byCurrency(all))
    expect((await sums({ filter })).body.data).toEqual(byCurrency(all.filter((row) => matches(parsed, row))))
  })

  it('are none where nothing matches, and those of running sessions are zero', async () => {
    const ofProduct = (value: string): FilterInput => ({
      condition: 'ALL',
      criteria: [{ name: 'Product', method: 'EQUALS', value }],
    })
    expect((await sums({ filter: ofProduct('no such product') })).body.data).toEqual([])
    const active: FilterInput = { condition: 'ALL', criteria: [{ name: 'Active', method: 'EQUALS', value: true }] }
    const running = all.filter((row) => row.Active)
    expect(running).not.toEqual([])
    const currencies = [...new Set(running.map((row) => row.Currency))].sort()
    expect((await sums({ filter: active, fields: ['Hours'] })).body.data).toEqual(
      currencies.map((by) => ({ by, sums: { Hours: '0' } })),
    )
  })

  it.each([
    ['nope', "fields[0]: unknown field 'nope'"],
    ['Product', "fields[0]: field 'Product' cannot be added up"],
    ['__proto__', "fields[0]: unknown field '__proto__'"],
  ])('of %s are refused', async (field, err) => {
    expect(await sums({ fields: [field] })).toMatchObject({ status: 400, body: { err } })
  })
})

describe('invalid requests', () => {
  const deep = (levels: number): unknown =>
    levels === 0
      ? { name: 'Product', method: 'EQUALS', value: 'x' }
      : { condition: 'ALL', criteria: [deep(levels - 1)] }

  it.each([
    ['an unknown field', { filter: only({ name: 'Prodct', method: 'EQUALS', value: 'x' }) }, "unknown field 'Prodct'"],
    [
      'a column name of the database',
      { filter: only({ name: 'u.product', method: 'EQUALS', value: 'x' }) },
      'unknown field',
    ],
    [
      'an unknown method',
      { filter: { condition: 'ALL', criteria: [{ name: 'Product', method: 'LIKE', value: 'x' }] } },
      "unknown method 'LIKE'",
    ],
    ['a method of another type', { filter: only({ name: 'Charge', method: 'CONTAINS', value: '1' }) }, 'does not fit'],
    [
      'a value of another type',
      { filter: only({ name: 'Charge', method: 'EQUALS', value: 'much' }) },
      'must be a number',
    ],
    ['an unknown sort field', { sorting: [{ name: 'Cost', direction: 'asc' }] }, "unknown field 'Cost'"],
    ['an unknown direction', { sorting: [{ name: 'Charge', direction: 'up' }] }, 'direction'],
    ['an unknown attribute', { attributes: ['Product', 'secret'] }, "unknown field 'secret'"],
    ['a filter of 5 levels', { filter: deep(5) }, 'nested more than 4 deep'],
    ['a filter of 50 levels', { filter: deep(50) }, 'nested more than'],
    ['a limit of zero', { limit: 0 }, 'body.limit'],
    ['a limit above the maximum', { limit: 1_000_000_001 }, 'body.limit'],
    ['an invented token', { token: 'abc.def' }, 'continuation token does not belong'],
    ['an unknown part', { server: 'x' }, "unknown field 'server'"],
  ])('a request with %s is refused by name', async (_name, body, error) => {
    const answer = await send(usageList.page, { body: { customerNumber: CUSTOMER, ...body } })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ status: 'FAILURE', err: expect.stringContaining(error) })
  })

  it('a 10 MB body is rejected with 413', async () => {
    const body = {
      customerNumber: CUSTOMER,
      filter: only({ name: 'Product', method: 'EQUALS', value: 'x'.repeat(1e7) }),
    }
    const answer = await send(usageList.page, { body })
    expect(answer.status).toBe(413)
    expect(answer.body.err).toMatch(/too large/)
  })

  it('a token of another filter, sorting or account is refused, and so is a forged one', async () => {
    const { token } = await page({ limit: 5 })
    const [payload, signature] = token!.split('.')
    const forged = `${Buffer.from('["2020-01-01","1"]').toString('base64url')}.${signature}`
    const flipped = `${signature!.startsWith('A') ? 'B' : 'A'}${signature!.slice(1)}`
    const asOps = await portal.as('olivia.ops@vendor.example')
    const answers = await Promise.all([
      send(usageList.page, {
        body: { customerNumber: CUSTOMER, token, filter: only({ name: 'Active', method: 'EQUALS', value: true }) },
      }),
      send(usageList.page, {
        body: { customerNumber: CUSTOMER, token, sorting: [{ name: 'Charge', direction: 'asc' }] },
      }),
      send(usageList.page, { body: { customerNumber: CUSTOMER, token: forged } }),
      send(usageList.page, { body: { customerNumber: CUSTOMER, token: `${payload}.${flipped}` } }),
      asOps(usageList.page, { body: { customerNumber: '100007', token } }),
    ])
    for (const answer of answers) {
      expect(answer.status).toBe(400)
      expect(answer.body.err).toMatch(/continuation token does not belong/)
    }
  })

  it('a page of more than 1000 rows is a business refusal', async () => {
    const answer = await send(usageList.page, { body: { customerNumber: CUSTOMER, limit: 1001 } })
    const err = 'total number of records exceeds maximum allowed length'
    expect(answer).toMatchObject({ status: 200, body: { status: 'FAILURE', code: 'TOO_MANY_ROWS', err } })
  })

  it('too many distinct values are refused', async () => {
    const answer = await send(usageList.distinct, { body: { customerNumber: CUSTOMER, key: 'TransactionNumber' } })
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'FAILURE', code: 'TOO_MANY_DISTINCT', err: 'Too many distinct values' },
    })
  })
})

describe.each([usageList.page, usageList.count, usageList.sum, usageList.distinct])(
  'the operation $path',
  (operation) => {
    const body = { customerNumber: CUSTOMER }
    it('needs a session', async () => {
      expect((await (await portal.as(null))(operation, { body })).status).toBe(401)
    })
    it('answers 404 for an account that the caller does not see', async () => {
      const nina = await portal.as('nina.nimbus@nimbus.example')
      const hidden = await nina(operation, { body })
      const never = await nina(operation, { body: { customerNumber: '999999' } })
      expect([hidden.status, never.status]).toEqual([404, 404])
      expect(hidden.body).toEqual(never.body)
    })
    it('answers 403 where export compliance denies the account', async () => {
      const ella = await portal.as('ella.export@restricted.example')
      expect((await ella(operation, { body: { customerNumber: '100004' } })).status).toBe(403)
    })
    it('requires a customer number', async () => {
      expect((await send(operation, { body: {} })).status).toBe(400)
    })
  },
)
