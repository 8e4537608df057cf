import { expect, test } from 'vitest'
import { OPERATIONS } from '#contract/operations.ts'
import { neededScopes, type TokenScope } from '#domain/tokens/token-areas.ts'

test('every operation that tokens can call names the account', () => {
  const unnamed = OPERATIONS.filter(
    ({ access, token }) => token !== null && access.kind !== 'account' && access.kind !== 'accounts',
  )
  expect(unnamed.map(({ name }) => name)).toEqual([])
})

test('no token can call an operation that manages tokens or serves the vendor', () => {
  const open = OPERATIONS.filter(({ name, access }) => name.startsWith('tokens') || access.kind === 'service')
  expect(open.filter(({ token }) => token !== null).map(({ name }) => name)).toEqual([])
  expect(open.length).toBeGreaterThan(6)
})

test.each<[name: string, ...scopes: TokenScope[]]>([
  ['fetchEntitlements/active/export', 'entitlements:read'],
  ['fulfillments/servers', 'activations:read'],
  ['fulfillments/create', 'activations:write'],
  ['web/seats', 'activations:read'],
  ['web/checkouts/export', 'usage:read'],
  ['fetchUsage', 'usage:read'],
  ['statements/schedule/save', 'statements:write'],
  ['entitlements', 'spending-account:write'],
  ['fsa/history', 'spending-account:read'],
  ['setportalaccess', 'access:write'],
  ['audit/export', 'audit:read'],
  ['license-servers/observations', 'license-use:write'],
  ['webhooks/deliveries', 'webhooks:read'],
  ['webhooks/save', 'webhooks:write'],
  ['tasks/file', 'usage:read', 'audit:read', 'license-use:read'],
  ['emails/attachment'],
  ['tokens'],
  ['tokens/create'],
  ['getUserDetails'],
  ['service/usage'],
])('%s opens to tokens with the listed scopes', (name, ...scopes) => {
  const operation = OPERATIONS.find((one) => one.name === name)
  expect(operation && neededScopes(operation)).toEqual(scopes)
})
