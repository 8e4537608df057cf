import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { finishReview, openReview } from '#contract/access-review/access-review.ts'
import { emailMonth } from '#contract/elastic/statements/mailed-statements.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { statementRequest } from '#server/testing/metering.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { OPERATIONS_IN_ROWS, ROWS } from '#server/testing/samples/samples.ts'
import { scimClient } from '#server/testing/scim/scim-client.ts'

type Row = Record<string, unknown>
type ObjectSchema = { properties: Record<string, unknown> }

/** Every operation whose body takes `attributes`, with the fields that its contract promises. */
const LISTS = OPERATIONS_IN_ROWS.filter(
  ({ operation: { body } }) => 'attributes' in ((body as ObjectSchema | undefined)?.properties ?? {}),
).map(({ operation }) => {
  const { items } = operation.data as unknown as { items: ObjectSchema }
  return [operation.name, operation, Object.keys(items.properties).sort()] as const
})

let portal: Portal
let call: Awaited<ReturnType<Portal['as']>>
beforeAll(async () => {
  portal = await startPortal()
  call = await portal.as('olivia.ops@vendor.example')
  const mailed = await call(emailMonth, { body: await statementRequest(portal.db, '100001', portal.clock.now()) })
  expect(mailed.body.status).toBe('SUCCESS')
  const about = { customerNumber: '100001' }
  const opened = (await call(openReview, { body: about })).body.data as { id: string }
  const finished = await call(finishReview, { body: { ...about, reviewId: opened.id } })
  expect(finished.body.status).toBe('SUCCESS')
  const provider = await scimClient(portal, '100001')
  const person = await provider.add('Users', { userName: 'scim.person@aerodyne.example' })
  await provider.add('Groups', { displayName: 'Engineers', members: [{ value: person }] })
})
afterAll(() => portal.close())

async function loadRows(operation: Operation, attributes?: readonly string[]): Promise<Row[]> {
  const body = { ...(ROWS[operation.name]?.sample('100001').body as object), limit: 3, attributes }
  const answer = await call(operation, { body })
  expect(answer.status, `${attributes}: ${answer.body.err}`).toBe(200)
  return answer.body.data as Row[]
}

test('finds the lists of the contract', () => expect(LISTS.length).toBeGreaterThan(5))

describe.each(LISTS)('the list %s', (_name, operation, fields) => {
  test('answers every field of its contract when no attributes are named', async () => {
    const rows = await loadRows(operation)
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(Object.keys(row).sort()).toEqual(fields)
  })

  test('answers each attribute alone, and nothing else', async () => {
    for (const attribute of fields) {
      const rows = await loadRows(operation, [attribute])
      expect(rows.length, attribute).toBeGreaterThan(0)
      for (const row of rows) expect(Object.keys(row)).toEqual([attribute])
    }
  })

  test('takes all attributes, and the same one twice', async () => {
    for (const row of await loadRows(operation, [...fields, ...fields].slice(0, 100)))
      expect(Object.keys(row).sort()).toEqual(fields)
  })

  test('refuses an unknown attribute by name', async () => {
    const body = { ...(ROWS[operation.name]?.sample('100001').body as object), attributes: ['Bogus'] }
    const answer = await call(operation, { body })
    expect(answer).toMatchObject({ status: 400, body: { err: "attributes[0]: unknown field 'Bogus'" } })
  })
})
