import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATIONS } from '#contract/operations.ts'
import { DEMO_PEOPLE } from '#server/demo/people.ts'
import { EXPORT_DENIED, type Kind, ROWS, SEES } from '#server/testing/access-rows.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

/**
 * Every operation × every demo person × own, foreign, export-denied, access-disabled and unknown account. What is
 * expected is written by hand in `access-rows.ts`, not computed by the rules that the server runs.
 */
function expected(kind: Kind, person: string, account: string): number {
  if (kind === 'public' || kind === 'signed-in') return 200
  if (kind.on === 'portal') return kind.may.includes(person) ? 200 : 403
  if (!SEES[account]?.includes(person)) return 404
  if (account === EXPORT_DENIED && !kind.despiteExport) return 403
  if (!kind.may(person, account)) return 403
  return kind.finds === false ? 404 : 200
}

const CODES: Record<number, string> = { 403: 'NOT_ALLOWED', 404: 'NOT_FOUND' }

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

test('every operation of the contract stands in the matrix', () => {
  expect(Object.keys(ROWS).sort()).toEqual(OPERATIONS.map((operation) => operation.name).sort())
})

describe.each(OPERATIONS.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
  const row = ROWS[name] ?? { kind: 'public', sample: () => ({}) }

  test('nobody signed in', async () => {
    const nobody = await portal.as(null)
    const answer = await nobody(operation, row.sample('100001'))
    expect(answer.status).toBe(row.kind === 'public' ? 200 : 401)
    if (row.kind !== 'public')
      expect(answer.body).toEqual({ status: 'FAILURE', code: 'NOT_SIGNED_IN', err: 'Sign in to continue' })
  })

  test.each(DEMO_PEOPLE.map((person) => [person.email.split('.')[0] ?? '', person.email] as const))(
    '%s',
    async (person, email) => {
      const call = await portal.as(email)
      const got: Record<string, number> = {}
      const want: Record<string, number> = {}
      for (const account of Object.keys(SEES)) {
        const answer = await call(operation, row.sample(account))
        got[account] = answer.status
        want[account] = expected(row.kind, person, account)
        if (answer.status >= 400)
          expect(answer.body).toMatchObject({ status: 'FAILURE', code: CODES[answer.status], err: expect.any(String) })
      }
      expect(got).toEqual(want)
    },
  )
})

test('what was refused is in the audit log, and reads the same for a foreign account and one that never was', async () => {
  const ada = await portal.as('ada.admin@aerodyne.example')
  const info = OPERATIONS.find((operation) => operation.name === 'getaccountinfo')
  if (!info) throw new Error('no getaccountinfo')
  const foreign = await ada(info, { params: { customerNumber: '100003' } })
  const unknown = await ada(info, { params: { customerNumber: '999999' } })
  expect(foreign.body).toEqual(unknown.body)
  const rows = await portal.db
    .selectFrom('audit_log')
    .select(['customer_number', 'outcome', 'reason', 'address'])
    .where('email', '=', 'ada.admin@aerodyne.example')
    .where('action', '=', 'getaccountinfo')
    .orderBy('id', 'desc')
    .limit(2)
    .execute()
  expect(rows).toEqual([
    { customer_number: '999999', outcome: 'refused', reason: 'No such account', address: '127.0.0.1' },
    { customer_number: '100003', outcome: 'refused', reason: 'No such account', address: '127.0.0.1' },
  ])
})
