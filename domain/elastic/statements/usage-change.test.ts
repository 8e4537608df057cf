import { expect, test } from 'vitest'
import { changeText } from '#domain/elastic/statements/usage-change.ts'

test.each([
  ['112.00', '100.00', '↑ 12 % more'],
  ['92.50', '100.00', '↓ 8 % less'],
  ['15000', '1.00', '↑ 1,499,900 % more'],
  ['0', '7.50', '↓ 100 % less'],
  ['100.20', '100.00', '↑ 0 % more'],
  ['5.00', '5', 'The same'],
  ['5.00', '0', '↑ New'],
  ['-5.00', '0', '↓ Less'],
  ['5.00', '-1.00', '↑ More'],
  ['0', '0', ''],
])('%s after %s is %s', (used, before, text) => {
  expect(changeText(used, before)).toBe(text)
})
