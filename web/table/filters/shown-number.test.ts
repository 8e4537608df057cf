import { expect, test } from 'vitest'
import { readShownNumber } from '#web/table/filters/shown-number.ts'

test.each([
  ['0.19', 0.19],
  [' 25 ', 25],
  ['-3', -3],
  ['1250', 1250],
  ['1,250', 1250],
  ['1,234,567.8', 1234567.8],
])('%s is %d', (text, number) => {
  expect(readShownNumber(text)).toBe(number)
})

test.each(['0,19', '1,25', '12,3456', '1234,567', ',250', '1,', '1,234,56', '1.234,5', '1.5,000', '', 'two', '1e3'])(
  '%j is no number',
  (text) => {
    expect(readShownNumber(text)).toBeUndefined()
  },
)
