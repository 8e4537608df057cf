import { expect, test } from 'vitest'
import { shortHostName } from '#web/parts/short-host-name.ts'

test.each([
  ['lic-berlin-01', 'lic-berlin-01'],
  ['lic-core-a,lic-core-b,lic-core-c', 'lic-core (3)'],
  ['alpha,beta,gamma', 'alpha (3)'],
])('%s is called %s', (serverName, shown) => {
  expect(shortHostName(serverName)).toBe(shown)
})
