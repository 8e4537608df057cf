import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATIONS } from '#contract/operations.ts'
import { SERVICE_SCOPES } from '#domain/access/roles.ts'
import { DEMO_PEOPLE } from '#server/demo/people.ts'
import { revokeServiceKey } from '#server/identity/service-keys.queries.ts'
import { EXPORT_DENIED, type Kind, ROWS, type Row, SEES } from '#server/testing/access-rows.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { bearer, giveServiceKey } from '#server/testing/service-keys.ts'

/**
 * Every operation × every kind of caller: nobody, every demo person × own, foreign, export-denied, access-disabled and
 * unknown account, and service keys in every state. What is expected is written by hand in `access-rows.ts`, not computed
 * by the rules that the server runs.
 */
function expected(kind: Kind, person: string, account: string): number {
  if (kind === 'public' || kind === 'signed-in') return 200
  if (kind.on === 'service') return 401
  if (kind.on === 'portal' && !kind.may.includes(person)) return 403
  if (kind.on === 'portal') return 'finds' in kind ? 404 : 200
  if (!SEES[account]?.includes(person)) return 404
  if (account === EXPORT_DENIED && !('despiteExport' in kind)) return 403
  if (!kind.may(person, account)) return 403
  return doesFind(kind, account) ? 200 : 404
}

function doesFind(kind: Kind & { on: 'account' | 'accounts' }, account: string): boolean {
  if (!('finds' in kind) || kind.finds === undefined) return true
  return kind.finds !== false && kind.finds.includes(account)
}

const KEY_STATES = ['valid', 'expired', 'revoked', 'wrong secret', 'unknown'] as const
type KeyState = (typeof KEY_STATES)[number]

function expectedOfKey(kind: Kind, state: KeyState): number {
  if (kind === 'public') return 200
  if (typeof kind !== 'object' || kind.on !== 'service' || state !== 'valid') return 401
  return kind.finds === false ? 404 : 200
}

/** Each has every scope. */
async function makeKeys(): Promise<Record<KeyState, Record<string, string>>> {
  const valid = await giveServiceKey(portal, 'valid')
  const expired = await giveServiceKey(portal, 'expired', { createdDaysAgo: 2, days: 1 })
  const revoked = await giveServiceKey(portal, 'revoked')
  await portal.db.transaction().execute((tx) => revokeServiceKey(tx, 'revoked', portal.clock.now()))
  return {
    valid: valid.headers,
    expired: expired.headers,
    revoked: revoked.headers,
    'wrong secret': bearer(valid.key.replace(valid.secret, expired.secret)),
    unknown: bearer(valid.key.replace(valid.id, 'a'.repeat(12))),
  }
}

const CODES: Record<number, string> = { 401: 'NOT_SIGNED_IN', 403: 'NOT_ALLOWED', 404: 'NOT_FOUND' }
const ACCOUNTS = Object.keys(SEES)
const PAIRS = ACCOUNTS.flatMap((one) => ACCOUNTS.map((other) => [one, other] as const))
const takesAccounts = (kind: Kind) => typeof kind === 'object' && kind.on === 'accounts'

let portal: Portal
let keys: Awaited<ReturnType<typeof makeKeys>>
beforeAll(async () => {
  portal = await startPortal()
  keys = await makeKeys()
})
afterAll(() => portal.close())

test('every operation of the contract is in the matrix', () => {
  expect(Object.keys(ROWS).sort()).toEqual(OPERATIONS.map((operation) => operation.name).sort())
})

test('the matrix tries lists of accounts on every operation that names a list', () => {
  const listing = OPERATIONS.filter(({ access }) => access.kind === 'accounts').map(({ name }) => name)
  expect(
    Object.keys(ROWS)
      .filter((name) => takesAccounts(ROWS[name]?.kind ?? 'public'))
      .sort(),
  ).toEqual(listing.sort())
  expect(listing.length).toBeGreaterThan(0)
})

describe.each(OPERATIONS.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
  const row: Row = ROWS[name] ?? { kind: 'public', sample: () => ({}) }

  test('nobody signed in', async () => {
    const nobody = await portal.as(null)
    const answer = await nobody(operation, row.sample('100001'))
    expect(answer.status).toBe(row.kind === 'public' ? 200 : 401)
    if (row.kind !== 'public')
      expect(answer.body).toEqual({
        status: 'FAILURE',
        code: 'NOT_SIGNED_IN',
        err: operation.access.kind === 'service' ? expect.stringMatching(/^Send a service key/) : 'Sign in to continue',
      })
  })

  test.each(KEY_STATES)('a service key that is %s', async (state) => {
    const nobody = await portal.as(null)
    const answer = await nobody(operation, { ...row.sample('100001'), headers: keys[state] })
    expect(answer.status).toBe(expectedOfKey(row.kind, state))
    if (answer.status >= 400) expect(answer.body).toMatchObject({ status: 'FAILURE', code: CODES[answer.status] })
  })

  test.each(DEMO_PEOPLE.map((person) => [person.email.split('.')[0] ?? '', person.email] as const))(
    '%s',
    async (person, email) => {
      const call = await portal.as(email)
      const got: Record<string, number> = {}
      const want: Record<string, number> = {}
      const samples = ACCOUNTS.flatMap((account) => [
        [account, account, row.sample(account)] as const,
        ...(row.unnamed ? [[`${account}, unnamed`, account, row.unnamed(account)] as const] : []),
      ])
      for (const [label, account, parts] of samples) {
        const answer = await call(operation, parts)
        got[label] = answer.status
        want[label] = expected(row.kind, person, account)
        if (answer.status >= 400)
          expect(answer.body).toMatchObject({ status: 'FAILURE', code: CODES[answer.status], err: expect.any(String) })
      }
      expect(got).toEqual(want)
    },
  )
})

test('a service key without the scope is refused by every operation that needs one', async () => {
  const nobody = await portal.as(null)
  for (const operation of OPERATIONS) {
    const { kind, sample } = ROWS[operation.name] ?? { kind: 'public', sample: () => ({}) }
    const scope = typeof kind === 'object' && kind.on === 'service' ? kind.scope : undefined
    expect(operation.access.kind === 'service' ? operation.access.scope : undefined, operation.name).toBe(scope)
    if (scope === undefined) continue
    const scopes = SERVICE_SCOPES.filter((other) => other !== scope)
    const { headers } = await giveServiceKey(portal, operation.name.replaceAll('/', '.'), { scopes })
    expect((await nobody(operation, { ...sample('100001'), headers })).status, operation.name).toBe(403)
  }
})

describe.each(
  OPERATIONS.filter(({ access }) => access.kind === 'accounts').map(
    (operation) => [operation.name, operation] as const,
  ),
)('%s on two accounts at once', (name, operation) => {
  test.each(DEMO_PEOPLE.map((person) => [person.email.split('.')[0] ?? '', person.email] as const))(
    '%s',
    async (person, email) => {
      const row = ROWS[name] ?? { kind: 'public', sample: () => ({}) }
      const call = await portal.as(email)
      for (const pair of PAIRS) {
        const each = pair.map((account) => expected(row.kind, person, account))
        const want = [404, 403].find((status) => each.includes(status)) ?? 200
        expect((await call(operation, row.sample(...pair))).status, pair.join(' and ')).toBe(want)
      }
    },
  )
})

test('every refused account of a list is in the audit log', async () => {
  const [name] = Object.entries(ROWS).find(([, { kind }]) => takesAccounts(kind)) ?? []
  const operation = OPERATIONS.find((one) => one.name === name)
  if (!operation || !name) throw new Error('no operation names a list of accounts')
  const ada = await portal.as('ada.admin@aerodyne.example')
  const last = await portal.db
    .selectFrom('audit_log')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow()
  expect((await ada(operation, ROWS[name]?.sample('100001', '100003', '999999'))).status).toBe(404)
  const rows = await portal.db
    .selectFrom('audit_log')
    .select(['action', 'customer_number', 'outcome', 'reason'])
    .where('id', '>', last.id)
    .orderBy('customer_number')
    .execute()
  const refused = { action: name, outcome: 'refused', reason: 'No such account' }
  expect(rows).toEqual([
    { ...refused, customer_number: '100003' },
    { ...refused, customer_number: '999999' },
  ])
})

test('a foreign account and an unknown one are refused with the same answer, both audited', async () => {
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
