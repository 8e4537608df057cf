import { expect, test } from 'vitest'
import { formatNumberFilter, readShownNumber, readTypedNumber } from '#web/table/filters/typed-number.ts'

test.each([
  ['30', { type: 'equals', filter: 30 }, '30'],
  ['= 1,250', { type: 'equals', filter: 1250 }, '1250'],
  ['<30', { type: 'lessThan', filter: 30 }, '< 30'],
  ['<= 30', { type: 'lessThanOrEqual', filter: 30 }, '≤ 30'],
  ['≤ 30', { type: 'lessThanOrEqual', filter: 30 }, '≤ 30'],
  ['> -1.5', { type: 'greaterThan', filter: -1.5 }, '> -1.5'],
  ['>=95 %', { type: 'greaterThanOrEqual', filter: 95 }, '≥ 95'],
  ['10 – 30', { type: 'inRange', filter: 10, filterTo: 30 }, '10 – 30'],
  ['10-30', { type: 'inRange', filter: 10, filterTo: 30 }, '10 – 30'],
  ['-5 - -1', { type: 'inRange', filter: -5, filterTo: -1 }, '-5 – -1'],
  ['50 % to 75 %', { type: 'inRange', filter: 50, filterTo: 75 }, '50 – 75'],
])('%s is read as %o and shown as %s', (text, filter, shown) => {
  const read = readTypedNumber(text)
  expect(read).toEqual({ filterType: 'number', ...filter })
  expect(read && formatNumberFilter(read)).toBe(shown)
})

test.each(['', 'two', '0,19', '<', '≤', '30 – 10', '1 – two', '<> 3', '5 –'])('%j is no number filter', (text) => {
  expect(readTypedNumber(text)).toBeUndefined()
})

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
