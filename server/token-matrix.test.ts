import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Operation } from '#contract/kit/operation.ts'
import { TOKEN_SCOPES } from '#domain/tokens/token-areas.ts'
import { revokeApiToken, saveTokenPolicyOf } from '#server/identity/api-tokens.queries.ts'
import { createApiToken } from '#server/identity/api-tokens.ts'
import { giveApiToken } from '#server/testing/api-tokens.ts'
import { isFullRun, onePerClass } from '#server/testing/full-run.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import type { Kind } from '#server/testing/samples/sample.ts'
import { OPERATIONS_IN_ROWS } from '#server/testing/samples/samples.ts'
import { bearer } from '#server/testing/service-keys.ts'

/**
 * The access matrix with tokens as principals: every operation × tokens in every state, on the account of the token and on
 * others. A full run tries all of it; otherwise every operation meets the callers of `SHORT`, and one operation of every
 * class meets all of them.
 */
const ACCOUNTS = ['100001', '100002', '100003', '999999'] as const
const TOKENS = [
  'every scope',
  'read scopes',
  'no scope of the area',
  'expired',
  'revoked',
  'unknown',
  'wrong checksum',
  'another address',
  'owner is a viewer',
  'owner is no contact',
  'owner is staff only',
  'policy: read only',
] as const
type Token = (typeof TOKENS)[number]
const SHORT: readonly Token[] = ['every scope', 'no scope of the area', 'owner is no contact']

type Tried = (typeof OPERATIONS_IN_ROWS)[number]
const areasKey = ({ token }: Operation) => (token === null ? '' : [token].flat().join(' '))
const isForTokens = ({ operation }: Tried) => operation.token !== null
/** Of 100001, which Ada administers and Vic views. */
const mayOf = (kind: Kind, person: 'ada' | 'vic') =>
  typeof kind === 'object' && (kind.on === 'account' || kind.on === 'accounts') && kind.may(person, '100001')
const doesFind = (kind: Kind) =>
  typeof kind !== 'object' ||
  !('finds' in kind) ||
  kind.finds === undefined ||
  (kind.finds !== false && (kind.finds as readonly string[]).includes('100001'))

function expected(tried: Tried, token: Token, account: string): number {
  const { kind } = tried.row
  const { writes } = tried.operation
  if (kind === 'public') return 200
  if (['expired', 'revoked', 'unknown', 'wrong checksum'].includes(token)) return 401
  if (!isForTokens(tried)) return 401
  if (token === 'another address') return 403
  // Before the body is read, only the scope and the policy are known.
  if (token === 'no scope of the area' && account === '100001') return 403
  if (account !== '100001' && token === 'every scope') return 404
  if (writes && (token === 'read scopes' || token === 'policy: read only')) return 403
  if (token === 'owner is no contact' || token === 'owner is staff only') return 404
  if (!mayOf(kind, token === 'owner is a viewer' ? 'vic' : 'ada')) return 403
  return doesFind(kind) ? 200 : 404
}

let portal: Portal
const headers = new Map<string, Record<string, string>>()
beforeAll(async () => {
  portal = await startPortal()
  const give = async (token: Token, options: Parameters<typeof giveApiToken>[1] = {}) => {
    const made = await giveApiToken(portal, options)
    headers.set(token, made.headers)
    return made
  }
  const { token } = await give('every scope')
  await give('read scopes', { scopes: TOKEN_SCOPES.filter((scope) => scope.endsWith(':read')) })
  await give('expired', { createdDaysAgo: 2 })
  const revoked = await give('revoked')
  await portal.db.transaction().execute((tx) => revokeApiToken(tx, '100001', revoked.id, portal.clock.now()))
  headers.set('unknown', bearer(createApiToken().token))
  headers.set('wrong checksum', bearer(token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')))
  await give('another address', { addresses: ['192.0.2.0/24'] })
  await give('owner is a viewer', { owner: 'vic.viewer@aerodyne.example' })
  await give('owner is no contact', { owner: 'gone@aerodyne.example' })
  await give('owner is staff only', { owner: 'olivia.ops@vendor.example' })
  for (const areas of new Set(OPERATIONS_IN_ROWS.map(({ operation }) => areasKey(operation)))) {
    const scopes = TOKEN_SCOPES.filter((scope) => !areas.split(' ').includes(scope.replace(/:.*/, '')))
    headers.set(`no scope of the area ${areas}`, (await giveApiToken(portal, { scopes })).headers)
  }
})
afterAll(() => portal.close())

let cells = 0
async function expectCell(tried: Tried, token: Token, account: string): Promise<void> {
  const { operation, row } = tried
  const sent = headers.get(token) ?? headers.get(`${token} ${areasKey(operation)}`)
  const { status } = await (await portal.as(null))(operation, { ...row.sample(account), headers: { ...sent } })
  expect(status, `${operation.name}: ${token} on ${account}`).toBe(expected(tried, token, account))
  cells++
}

const REPRESENTATIVES = onePerClass(OPERATIONS_IN_ROWS, ({ operation }) =>
  JSON.stringify([
    operation.access.kind,
    'customerNumberIn' in operation.access && operation.access.customerNumberIn,
    operation.writes,
    areasKey(operation),
  ]),
)
const OWN = TOKENS.filter((token) => token !== 'policy: read only')

test.each(OPERATIONS_IN_ROWS)('$name answers tokens as its row says, on the account of the token', async (tried) => {
  for (const token of REPRESENTATIVES.includes(tried) ? OWN : SHORT) await expectCell(tried, token, '100001')
})

const FOREIGN = OPERATIONS_IN_ROWS.filter(
  (tried) => isForTokens(tried) && (isFullRun || REPRESENTATIVES.includes(tried)),
)
test('no operation answers a token on another account, not even on one of its owner', async () => {
  expect(FOREIGN.length).toBeGreaterThan(10)
  for (const tried of FOREIGN) for (const account of ACCOUNTS.slice(1)) await expectCell(tried, 'every scope', account)
})

const UNDER_POLICY = OPERATIONS_IN_ROWS.filter(({ operation }) => isFullRun || operation.writes)
test('no operation that writes answers a token where the policy allows reading only', async () => {
  const policy = { longestDays: 366, isWriteAllowed: false }
  await portal.db.transaction().execute((tx) => saveTokenPolicyOf(tx, '100001', policy))
  headers.set('policy: read only', headers.get('every scope') ?? {})
  for (const tried of UNDER_POLICY) await expectCell(tried, 'policy: read only', '100001')
})

test('every cell of the matrix with tokens was tried, more than 4,500 in a full run', () => {
  const callers = OPERATIONS_IN_ROWS.map((tried) => (REPRESENTATIVES.includes(tried) ? OWN : SHORT).length)
  const own = callers.reduce((sum, one) => sum + one, 0)
  expect(cells).toBe(own + FOREIGN.length * (ACCOUNTS.length - 1) + UNDER_POLICY.length)
  if (isFullRun) expect(cells).toBeGreaterThan(4500)
})
