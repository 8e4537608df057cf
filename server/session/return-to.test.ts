import { expect, test } from 'vitest'
import { safeReturnTo } from '#server/session/sign-in.ts'

test.each([
  ['/elastic?customer=100001#top', '/elastic?customer=100001#top'],
  ['/emails/42', '/emails/42'],
  [undefined, '/home'],
  ['', '/home'],
  ['https://evil.example/', '/home'],
  ['//evil.example', '/home'],
  ['/\\evil.example', '/home'],
  ['/\t/evil.example', '/home'],
  ['/a\\..\\\\evil.example', '/home'],
  ['/..//evil.example', '/home'],
  ['/.//evil.example', '/home'],
  ['/a/..//evil.example', '/home'],
  ['/%2e%2e//evil.example', '/home'],
  ['/../api/getUserDetails', '/home'],
  ['javascript:alert(1)', '/home'],
  ['elastic', '/home'],
  ['/auth/login', '/home'],
  ['/api/getUserDetails', '/home'],
  [`/${'x'.repeat(3000)}`, '/home'],
])('returnTo %j leads to %s', (wanted, location) => {
  expect(safeReturnTo(wanted, 'http://portal.test')).toBe(location)
})
