import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountList } from '#contract/accounts/account-list.ts'
import { codeOfStatus } from '#contract/kit/failure-code.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { untrusted } from '#contract/kit/schema.ts'
import { ERROR_SCHEMA } from '#domain/provisioning/scim-resources.ts'
import { bodyClass, isFullRun, onePerClass } from '#server/testing/full-run.ts'
import { callOperation, type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { callerOf, OPERATIONS_IN_ROWS, ROWS } from '#server/testing/samples/samples.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'

/**
 * Any input to any operation gets a clear 4xx or an answer, never an internal error. A full run sends everything to
 * every operation. Otherwise, input that never reaches a use case is sent once per class: bodies that are no JSON
 * object, by how they are read; values that a field's schema refuses, by schema; and the fields of `untrusted`.
 */
let portal: Portal
/** Credentials of a caller with all rights, for people's operations and for the service API. */
const people = new Map<string, Record<string, string>>()
let service: Record<string, string>
beforeAll(async () => {
  portal = await startPortal()
  for (const email of new Set(OPERATIONS_IN_ROWS.map(({ operation }) => callerOf(operation))))
    people.set(email, { cookie: await signIn(portal.app, email), 'x-requested-with': 'portal' })
  service = (await giveServiceKey(portal, 'Unsafe input')).headers
})
afterAll(() => portal.close())

const nested = (depth: number): unknown => {
  let value: unknown = 'deep'
  for (let i = 0; i < depth; i++) value = [value]
  return value
}
const HOSTILE: Record<string, unknown> = {
  'a number': 1e308,
  'a negative number': -1,
  'a fraction': 0.5,
  'a text': "'; drop table account; --",
  'an empty text': '',
  'a huge text': 'x'.repeat(200_000),
  'a percent text': '%_\\%',
  'a lone surrogate': '\ud800',
  'an emoji': '👩‍🚀',
  true: true,
  null: null,
  'a list': [1, 'a', null],
  'a long list': Array.from({ length: 5000 }, (_, i) => i),
  'an object': { constructor: { prototype: { x: 1 } }, toString: 1 },
  'deep nesting': nested(40),
}

const signedIn = (operation: Operation) =>
  operation.access.kind === 'service' ? service : people.get(callerOf(operation))

async function send(operation: Operation, payload: string, headers: Record<string, string> = {}) {
  const { params } = ROWS[operation.name]?.sample('100001') ?? {}
  const answer = await portal.app.inject({
    method: operation.method,
    url: operation.path.replace(/:(\w+)/g, (_, name: string) => params?.[name] ?? '100001'),
    headers: { ...signedIn(operation), 'content-type': 'application/json', ...headers },
    payload,
  })
  return { status: answer.statusCode, text: answer.body }
}

/** An error of SCIM says as much in its own form. */
function inOurForm(answer: { status: string; code: string; err: string }, status: number): typeof answer {
  const { detail, ...scim } = answer as unknown as { detail?: string; schemas?: string[]; status: string }
  if (detail === undefined || !scim.schemas?.includes(ERROR_SCHEMA) || scim.status !== String(status)) return answer
  return { status: 'FAILURE', code: codeOfStatus(status), err: detail }
}

function expectClear({ status, text }: { status: number; text: string }, what: string) {
  expect(status, `${what}: ${text}`).toBeLessThan(500)
  if (status >= 400) {
    const answer = inOurForm(JSON.parse(text) as { status: string; code: string; err: string }, status)
    expect(answer.status, what).toBe('FAILURE')
    expect(answer.code, what).toMatch(/^[A-Z][A-Z_]+$/)
    expect(answer.err, what).not.toMatch(/reference id|undefined|\[object Object\]|SELECT|syntax error/i)
    expect(answer.err.length, what).toBeGreaterThan(5)
  }
}

/** Bodies of a standard have tests of their own (`modules/provisioning/scim`). */
const WITH_BODY = OPERATIONS_IN_ROWS.filter(
  ({ operation }) => operation.body && !operation.upload && operation.wire === undefined,
)
const fieldsOf = ({ body }: Operation) =>
  Object.entries((body as unknown as { properties: Record<string, object> }).properties)

const sent = new Set<string>()
/** Whether a value has to be sent: it may reach a use case, or no similar value has been sent. */
function isSent(field: string, schema: object, what: string, value: unknown): boolean {
  if (isFullRun || (!(field in untrusted) && !isRefusedBy(schema, value))) return true
  const key = `${field in untrusted ? field : JSON.stringify(schema)} ${what}`
  return !sent.has(key) && Boolean(sent.add(key))
}

/** Asks the portal's own validator. */
function isRefusedBy(schema: object, value: unknown): boolean {
  const validate = portal.app.validatorCompiler?.({ schema, method: 'POST', url: '/', httpPart: 'body' })
  if (!validate) throw new Error('the portal has no validator')
  return validate(structuredClone(value)) !== true
}

describe.each(WITH_BODY)('the body of $name', ({ operation, row }) => {
  const sample = () => structuredClone(row.sample('100001').body ?? {}) as Record<string, unknown>

  test('refuses values of a wrong type in each field', async () => {
    for (const [field, schema] of fieldsOf(operation))
      for (const [what, value] of Object.entries(HOSTILE))
        if (isSent(field, schema, what, value))
          expectClear(await send(operation, JSON.stringify({ ...sample(), [field]: value })), `${field} = ${what}`)
  })

  test('refuses an unknown field by name', async () => {
    const answer = await send(operation, JSON.stringify({ ...sample(), bogus: 1 }))
    expect(answer.status).toBe(400)
    expect(answer.text).toContain("unknown field 'bogus'")
  })
})

/** In UTC, this is the year 10000. */
const NO_DAY = '9999-12-31T23:59:59-23:59'
type AnySchema = { type?: string; format?: string; anyOf?: AnySchema[]; items?: AnySchema } & {
  properties?: Record<string, AnySchema>
}

/** The values with one of their days or instants replaced by NO_DAY, for each of them. */
function withoutDay(schema: AnySchema, sample: unknown, path: string): [path: string, value: unknown][] {
  const { anyOf, format, items, properties, type } = schema
  if (anyOf) return anyOf.flatMap((option) => withoutDay(option, sample, path))
  const isDay = format === 'date-time' || (type === 'string' && /^\d{4}-\d\d-\d\d/.test(String(sample)))
  if (isDay) return [[path, NO_DAY]]
  if (type === 'array' && items && Array.isArray(sample))
    return withoutDay(items, sample[0], `${path}[0]`).map(([name, value]) => [name, [value, ...sample.slice(1)]])
  return Object.entries(properties ?? {}).flatMap(([name, field]) =>
    withoutDay(field, (sample as Record<string, unknown> | undefined)?.[name], `${path}.${name}`).map(
      ([at, value]): [string, unknown] => [at, { ...(sample as object), [name]: value }],
    ),
  )
}

test('every operation refuses instants that no calendar day has', async () => {
  const tried: string[] = []
  for (const { operation, row } of OPERATIONS_IN_ROWS) {
    const sample = row.sample('100001')
    for (const part of ['body', 'query'] as const)
      for (const [path, value] of withoutDay((operation[part] ?? {}) as AnySchema, sample[part], part)) {
        const parts = { ...sample, headers: signedIn(operation) ?? {}, [part]: value }
        const answer = await callOperation(portal.app, operation, undefined, parts)
        // What a body names is looked up before its days are read.
        expect.soft([400, 404], `${operation.name} ${path}: ${JSON.stringify(answer.body)}`).toContain(answer.status)
        tried.push(`${operation.name} ${path}`)
      }
  }
  expect(tried).toEqual(
    expect.arrayContaining(['statements body.from', 'webhooks/replay body.to', 'alerts/edit body.expires']),
  )
})

describe.each(onePerClass(WITH_BODY, ({ operation }) => bodyClass(operation)))('the body of $name', ({ operation }) => {
  test.each([
    ['a text that is no JSON', '{', 400],
    ['a list', '[]', 400],
    ['a text', '"x"', 400],
    ['null', 'null', 400],
    ['nothing', '', 400],
    ['U+0000', '{"filter":"a\\u0000b"}', 400],
    ['__proto__', '{"__proto__":{"admin":true}}', 400],
    ['10,000 levels', `${'['.repeat(10_000)}${']'.repeat(10_000)}`, 400],
    ['10 MB', JSON.stringify({ filter: 'x'.repeat(10_000_000) }), 413],
  ])('is refused when it is %s', async (what, payload, status) => {
    const answer = await send(operation, payload)
    expectClear(answer, what)
    expect(answer.status, answer.text).toBe(status)
  })

  test('is refused in another media type', async () => {
    const answer = await send(operation, '<a/>', { 'content-type': 'text/xml' })
    expect(answer.status).toBe(415)
    expectClear(answer, 'text/xml')
  })
})

describe.each(OPERATIONS_IN_ROWS.filter(({ operation }) => operation.params))('the path of $name', ({ operation }) => {
  test.each([
    '%00',
    '%E0%A4%A',
    '..%2f..%2fetc',
    "1'%20or%201=1",
    'x'.repeat(400),
    '%F0%9F%91%A9',
    '🙂',
    '-1',
    '__proto__',
  ])('is refused with %s in it', async (value) => {
    const url = operation.path.replace(/:(\w+)/g, value)
    const answer = await portal.app.inject({
      method: operation.method,
      url,
      headers: signedIn(operation),
    })
    expect(answer.statusCode, answer.body).toBeGreaterThanOrEqual(400)
    expectClear({ status: answer.statusCode, text: answer.body }, url)
  })
})

test('refuses an invalid filter and says where it is wrong', async () => {
  const getAccounts: Operation = accountList.page
  const deep = (levels: number): unknown =>
    levels === 0
      ? { name: 'AccountID', method: 'EQUALS', value: '1' }
      : { condition: 'ALL', criteria: [deep(levels - 1)] }
  for (const [filter, words] of [
    [{ condition: 'ALL', criteria: [{ name: 'Bogus', method: 'EQUALS', value: 'x' }] }, "unknown field 'Bogus'"],
    [{ condition: 'ALL', criteria: [{ name: 'AccountID', method: 'LIKE', value: 'x' }] }, 'LIKE'],
    [{ condition: 'SOME', criteria: [] }, 'condition'],
    [deep(5), 'more than 4 deep'],
    [deep(30), 'more than 4 deep'],
    [
      {
        condition: 'ANY',
        criteria: Array.from({ length: 601 }, () => ({ name: 'AccountID', method: 'EQUALS', value: '1' })),
      },
      'more than 600',
    ],
  ] as const) {
    const answer = await send(getAccounts, JSON.stringify({ filter }))
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(words)
  }
  const sorted = await send(getAccounts, JSON.stringify({ sorting: [{ name: 'Bogus', direction: 'asc' }] }))
  expect(sorted.text).toContain("unknown field 'Bogus'")
  for (const limit of [0, 1_000_000_001, 1.5, -1, '20'])
    expect((await send(getAccounts, JSON.stringify({ limit }))).status).toBe(400)
})
