import { afterAll, beforeAll, expect, test } from 'vitest'
import { RECORD_KINDS, type RecordKindName } from '#contract/data/kinds.ts'
import type { RecordKind } from '#contract/data/record-kind.ts'
import { recordOperations } from '#contract/data/record-operations.ts'
import { recordChecker } from '#server/data/check-record.ts'
import { pascal } from '#server/http/openapi-components.ts'
import { type DataPortal, startDataPortal } from '#server/testing/data.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'

/** Tests that apply to all kinds. */
let portal: DataPortal
beforeAll(async () => {
  portal = await startDataPortal()
})
afterAll(() => portal.close())

const KINDS = RECORD_KINDS.map((kind) => [kind.name, kind] as const)

test.each(KINDS)('the example of %s is valid', (_name, kind) => {
  expect(recordChecker(kind)(kind.example)).toEqual({ row: kind.example })
})

test.each(KINDS)('a record of %s is created, read back, repeated and listed', async (name, kind) => {
  const id = kind.keyOf(kind.example)
  const audited = () => portal.countAudits(`service/${name}`)
  const before = await audited()
  expect(await portal.save(name, [kind.example])).toEqual([{ id, status: 'SUCCESS', result: 'created' }])
  const read = await portal.get(name, id)
  expect(read).toMatchObject({ ...kind.example, changedAt: expect.any(String) })
  expect(await portal.save(name, [kind.example])).toEqual([{ id, status: 'SUCCESS', result: 'unchanged' }])
  expect(await portal.get(name, id)).toEqual(read)
  expect(await audited()).toBe(before + 1)
  expect(await portal.save(name, [read])).toEqual([{ id, status: 'SUCCESS', result: 'unchanged' }])
  expect((await portal.changes(name, String(read.changedAt))).map((row) => kind.keyOf(row))).toContain(id)
  expect((await portal.listAll(name)).map((row) => kind.keyOf(row))).toContain(id)
})

test.each(KINDS)('the records of a list of %s can be sent back', async (name) => {
  const { data } = await portal.page(name, { limit: '1000' })
  const lines = await portal.save(name, data)
  expect(lines.filter(({ result }) => result !== 'unchanged')).toEqual([])
})

test.each(KINDS)('a record of %s that is not valid is refused, and the others are taken', async (name, kind) => {
  const [first] = kind.key
  const bogus = { ...kind.example, bogus: 1 }
  const lines = await portal.save(name, [bogus, {}, kind.example])
  expect(lines).toMatchObject([
    { id: kind.keyOf(kind.example), status: 'FAILURE', code: 'INVALID_RECORD', err: expect.stringContaining('bogus') },
    { status: 'FAILURE', code: 'INVALID_RECORD', err: expect.stringContaining(String(first)) },
    { status: 'SUCCESS', result: 'unchanged' },
  ])
})

test.each(KINDS)('the same record of %s twice in a call is taken once', async (name, kind) => {
  await portal.save(name, [kind.example])
  const lines = await portal.save(name, [kind.example, kind.example])
  expect(lines).toMatchObject([{ result: 'unchanged' }, { result: 'unchanged' }])
})

const statusOf = async (kind: RecordKind<RecordKindName>, act: 'save' | 'get' | 'list' | 'revoke', parts: object) =>
  (await portal.call(recordOperations(kind)[act], parts)).status

test.each(KINDS)('invalid calls about %s get 400, and unknown records get 404', async (_name, kind) => {
  expect(await statusOf(kind, 'save', { body: { records: [] } })).toBe(400)
  expect(await statusOf(kind, 'save', { body: { records: [1] } })).toBe(400)
  expect(await statusOf(kind, 'save', { body: { records: Array.from({ length: 1001 }, () => ({})) } })).toBe(400)
  expect(await statusOf(kind, 'revoke', { body: { ids: [] } })).toBe(400)
  expect(await statusOf(kind, 'list', { query: { after: 'bogus' } })).toBe(400)
  expect(await statusOf(kind, 'list', { query: { changedSince: 'yesterday' } })).toBe(400)
  expect(await statusOf(kind, 'list', { query: { limit: '1001' } })).toBe(400)
  expect(await statusOf(kind, 'get', { params: { id: 'no-such-id' } })).toBe(404)
})

type Documented = { properties: { records: { items: { properties: object }; examples: object[][] } } }

test.each(KINDS)('the documentation shows %s with an example that can be sent', async (name, kind) => {
  const answer = await portal.app.inject({ url: '/api/docs/json' })
  const { components } = answer.json<{ components: { schemas: Record<string, Documented> } }>()
  const records = components.schemas[`${pascal(`service/${name}`)}Request`]?.properties.records
  expect(Object.keys(records?.items.properties ?? {})).toEqual([...Object.keys(kind.schema.properties), 'changedAt'])
  expect(records?.examples[0]?.map(recordChecker(kind))).toEqual([{ row: kind.example }])
})

test('every field has a description', () => {
  const bare = RECORD_KINDS.flatMap(({ name, schema }) =>
    Object.entries(schema.properties)
      .filter(([, field]) => !(field as { description?: string }).description)
      .map(([field]) => `${name}.${field}`),
  )
  expect(bare).toEqual([])
})

test('a key without the scope is refused with 403, and without a key with 401', async () => {
  const nobody = await portal.as(null)
  const { headers } = await giveServiceKey(portal, 'Other scope', { scopes: ['usage'] })
  for (const kind of RECORD_KINDS)
    for (const operation of Object.values(recordOperations(kind))) {
      expect((await nobody(operation, { body: {}, headers })).status, operation.name).toBe(403)
      expect((await nobody(operation, { body: {} })).status, operation.name).toBe(401)
    }
})
