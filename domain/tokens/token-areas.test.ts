import { expect, test } from 'vitest'
import { areasOf, formatScopes, hasScope, neededScopes, type TokenScope } from '#domain/tokens/token-areas.ts'

test.each<[name: string, writes: boolean, ...scopes: TokenScope[]]>([
  ['fetchEntitlements/active/export', false, 'entitlements:read'],
  ['fulfillments/servers', false, 'activations:read'],
  ['fulfillments/create', true, 'activations:write'],
  ['web/seats', false, 'activations:read'],
  ['web/checkouts/export', false, 'usage:read'],
  ['fetchUsage', false, 'usage:read'],
  ['statements/schedule/save', true, 'statements:write'],
  ['entitlements', true, 'spending-account:write'],
  ['fsa/history', false, 'spending-account:read'],
  ['setportalaccess', true, 'access:write'],
  ['audit/export', false, 'audit:read'],
  ['license-servers/observations', true, 'license-use:write'],
  ['webhooks/deliveries', false, 'webhooks:read'],
  ['webhooks/save', true, 'webhooks:write'],
  ['tasks/file', false, 'usage:read', 'audit:read', 'license-use:read'],
  ['emails/attachment', false],
  ['tokens', false],
  ['tokens/create', true],
  ['getUserDetails', false],
  ['service/usage', true],
  ['no such operation', false],
])('%s (writes: %s) opens to tokens with the listed scopes', (name, writes, ...scopes) => {
  expect(neededScopes({ name, writes })).toEqual(scopes)
})

test('an operation for people only differs from one that the table does not have', () => {
  expect(areasOf('tokens/create')).toEqual([])
  expect(areasOf('fetchUsages')).toBeUndefined()
})

test.each<[scopes: TokenScope[], needed: TokenScope, has: boolean]>([
  [['usage:read'], 'usage:read', true],
  [['usage:read'], 'usage:write', false],
  [['usage:write'], 'usage:read', true],
  [['usage:write'], 'usage:write', true],
  [['statements:write'], 'usage:read', false],
  [[], 'usage:read', false],
])('scopes %j include %s: %s', (scopes, needed, has) => {
  expect(hasScope(scopes, needed)).toBe(has)
})

test('scopes are written for people by area, in the order of the areas', () => {
  expect(formatScopes(['access:write', 'usage:read', 'access:read'])).toBe('Usage (read), Access (write)')
})
