import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '#contract/kit/operation.ts'
import { OPERATIONS } from '#contract/operations.ts'
import { SERVICE_SCOPES } from '#domain/access/roles.ts'
import { DEMO_PEOPLE } from '#server/demo/people.ts'
import { hashOfId } from '#server/identity/principal.queries.ts'
import { revokeServiceKey } from '#server/identity/service-keys.queries.ts'
import { isFullRun, onePerClass } from '#server/testing/full-run.ts'
import { type Answer, callOperation, type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { EXPORT_DENIED, SEES } from '#server/testing/samples/rules.ts'
import type { Kind, Row } from '#server/testing/samples/sample.ts'
import { OPERATIONS_IN_ROWS } from '#server/testing/samples/samples.ts'
import { bearer, giveServiceKey } from '#server/testing/service-keys.ts'

/**
 * Every operation × every kind of caller: nobody, every demo person × own, foreign, export-denied, access-disabled and
 * unknown account, and service keys in every state. What is expected is written by hand in the modules' samples and in
 * `testing/samples/rules.ts`, not computed by the rules that the server runs.
 *
 * A full run does all of that. Otherwise the whole of it is tried on one operation of every class, where a class has the
 * same declared access and the same expectations; every other operation meets the callers of `SHORT`. Operations that do
 * not look at the account are tried on one.
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
const takesAccounts = ({ row: { kind } }: { row: Row }) => typeof kind === 'object' && kind.on === 'accounts'

/** Where the answer does not depend on the account, one is enough. A full run tries them all. */
const accountsFor = ({ kind }: Row) =>
  isFullRun || (typeof kind === 'object' && (kind.on === 'account' || kind.on === 'accounts')) ? ACCOUNTS : ['100001']

/** Callers who may do it, who may do less, who do not see the account, and whom export compliance stops. */
const SHORT: readonly (readonly [email: string, account: string])[] = [
  ['olivia.ops@vendor.example', '100001'],
  ['vic.viewer@aerodyne.example', '100001'],
  ['vic.viewer@aerodyne.example', '100003'],
  ['ella.export@restricted.example', EXPORT_DENIED],
]

const rules: unknown[] = []
/** Rules are functions: the same function gets the same number. */
function ruleNumber(rule: unknown): number {
  if (!rules.includes(rule)) rules.push(rule)
  return rules.indexOf(rule)
}

const REPRESENTATIVES = onePerClass(OPERATIONS_IN_ROWS, ({ operation: { access, writes }, row: { kind, unnamed } }) =>
  JSON.stringify([access, writes, kind, unnamed !== undefined], (_key, value) =>
    typeof value === 'function' ? ruleNumber(value) : value,
  ),
)
const OTHERS = OPERATIONS_IN_ROWS.filter((one) => !REPRESENTATIVES.includes(one))
const nameOf = (email: string) => email.split('.')[0] ?? ''

let portal: Portal
let keys: Awaited<ReturnType<typeof makeKeys>>
let cookies: Awaited<ReturnType<typeof makeCookies>>
beforeAll(async () => {
  portal = await startPortal()
  keys = await makeKeys()
  cookies = await makeCookies()
})
afterAll(() => portal.close())

describe.each(OPERATIONS_IN_ROWS)('the operation $name', ({ operation, row }) => {
  test('answers nobody without a sign-in', async () => {
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

  test('answers a valid service key as its row says', () => expectForKey(operation, row, 'valid'))
})

describe.each(REPRESENTATIVES)('the operation $name with service keys', ({ operation, row }) => {
  test.each(KEY_STATES.filter((state) => state !== 'valid'))('refuses a service key that is %s', (state) =>
    expectForKey(operation, row, state),
  )

  test.each(DEMO_PEOPLE.map(({ email }) => [nameOf(email), email] as const))(
    'answers %s as its row says, on every account that matters',
    async (person, email) => {
      const call = await portal.as(email)
      const got: Record<string, number> = {}
      const want: Record<string, number> = {}
      const samples = accountsFor(row).flatMap((account) => [
        [account, account, row.sample(account)] as const,
        ...(row.unnamed ? [[`${account}, unnamed`, account, row.unnamed(account)] as const] : []),
      ])
      for (const [label, account, parts] of samples) {
        const answer = await call(operation, parts)
        got[label] = answer.status
        want[label] = expected(row.kind, person, account)
        expectFailure(answer)
      }
      expect(got).toEqual(want)
    },
  )
})

/** What somebody gets who sees no account and is no member of staff. */
function expectedOfStranger(kind: Kind): number {
  if (kind === 'public' || kind === 'signed-in') return 200
  return kind.on === 'service' ? 401 : kind.on === 'portal' ? 403 : 404
}

/** A session that began at the provider of 100001. */
async function signInByAccount(email: string): Promise<string> {
  const cookie = await signIn(portal.app, email)
  await portal.db
    .updateTable('session')
    .set({ account_provider: '100001' })
    .where('id_hash', '=', hashOfId(cookie.slice('session='.length)))
    .execute()
  return cookie
}
const makeCookies = async () => ({
  ada: await signIn(portal.app, 'ada.admin@aerodyne.example'),
  adaByAccount: await signInByAccount('ada.admin@aerodyne.example'),
  oliviaByAccount: await signInByAccount('olivia.ops@vendor.example'),
})
const ENFORCED = {
  domain: 'aerodyne.example',
  customer_number: '100001',
  is_on: true,
  is_enforced: true,
  break_glass: null,
}

describe.each(REPRESENTATIVES)('the operation $name with the provider of an account', ({ operation, row }) => {
  const statuses = async (cookie: string) => {
    const got: Record<string, number> = {}
    for (const account of accountsFor(row))
      got[account] = (await callOperation(portal.app, operation, cookie, row.sample(account))).status
    return got
  }
  const wanted = (of: (account: string) => number) =>
    Object.fromEntries(accountsFor(row).map((account) => [account, of(account)]))

  test('answers a person of the account as on that account', async () => {
    const got = await statuses(cookies.adaByAccount)
    expect(got).toEqual(wanted((account) => expected(row.kind, 'ada', account)))
  })

  test('answers staff as strangers', async () => {
    const got = await statuses(cookies.oliviaByAccount)
    expect(got).toEqual(wanted(() => expectedOfStranger(row.kind)))
  })

  test('answers a person who had to use it, and has not, as a stranger', async () => {
    await portal.db.insertInto('proven_domain').values(ENFORCED).execute()
    try {
      expect(await statuses(cookies.ada)).toEqual(wanted(() => expectedOfStranger(row.kind)))
    } finally {
      await portal.db.deleteFrom('proven_domain').execute()
    }
  })
})

if (OTHERS.length > 0)
  test.each(OTHERS)('$name answers a few people as its row says', async ({ operation, row }) => {
    for (const [email, account] of SHORT) {
      const answer = await (await portal.as(email))(operation, row.sample(account))
      expect(answer.status, `${email} on ${account}`).toBe(expected(row.kind, nameOf(email), account))
      expectFailure(answer)
    }
  })

async function expectForKey(operation: Operation, row: Row, state: KeyState): Promise<void> {
  const nobody = await portal.as(null)
  const answer = await nobody(operation, { ...row.sample('100001'), headers: keys[state] })
  expect(answer.status).toBe(expectedOfKey(row.kind, state))
  expectFailure(answer)
}

function expectFailure({ status, body }: Answer): void {
  if (status < 400) return
  expect(body).toMatchObject({ status: 'FAILURE', code: CODES[status], err: expect.any(String) })
}

test('a service key without the scope is refused by every operation that needs one', async () => {
  const nobody = await portal.as(null)
  for (const { operation, row } of OPERATIONS_IN_ROWS) {
    const { kind, sample } = row
    const scope = typeof kind === 'object' && kind.on === 'service' ? kind.scope : undefined
    expect(operation.access.kind === 'service' ? operation.access.scope : undefined, operation.name).toBe(scope)
    if (scope === undefined) continue
    const scopes = SERVICE_SCOPES.filter((other) => other !== scope)
    const { headers } = await giveServiceKey(portal, operation.name.replaceAll('/', '.'), { scopes })
    expect((await nobody(operation, { ...sample('100001'), headers })).status, operation.name).toBe(403)
  }
})

describe.each(OPERATIONS_IN_ROWS.filter(takesAccounts))('$name on two accounts at once', ({ operation, row }) => {
  test.each(DEMO_PEOPLE.map(({ email }) => [nameOf(email), email] as const))(
    'answers %s with the strictest answer of the two',
    async (person, email) => {
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
  const found = OPERATIONS_IN_ROWS.find(takesAccounts)
  if (!found) throw new Error('no operation names a list of accounts')
  const { name, operation, row } = found
  const ada = await portal.as('ada.admin@aerodyne.example')
  const last = await portal.db
    .selectFrom('audit_log')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow()
  expect((await ada(operation, row.sample('100001', '100003', '999999'))).status).toBe(404)
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
