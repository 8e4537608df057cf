import { expect, test } from 'vitest'
import { formatScopes, hasScope, type TokenScope } from '#domain/tokens/token-areas.ts'

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
