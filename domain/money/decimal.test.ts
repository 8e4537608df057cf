import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  add,
  compare,
  divideHalfUp,
  formatDecimal,
  formatHundredths,
  multiply,
  parseDecimal,
  roundHalfUp,
  subtract,
  sum,
  toFixedText,
  toHundredths,
  toPlainText,
} from '#domain/money/decimal.ts'

describe('parsing a decimal', () => {
  test.each([
    ['12', '12'],
    [' 12.50 ', '12.5'],
    ['-0.10', '-0.1'],
    ['.5', '0.5'],
    ['007', '7'],
  ])('reads %j as %s', (text, value) => expect(parseDecimal(text)).toBe(value))

  test.each(['', ' ', '.', '-', '+3', '12.', '1e5', '1,000', '0x10', '12a', 'NaN', 'Infinity', '1'.repeat(41)])(
    'refuses %j',
    (text) => expect(parseDecimal(text)).toBeUndefined(),
  )
})

test('adds decimals exactly where binary floating point cannot', () => {
  expect(add('0.1', '0.2')).toBe('0.3')
  expect(sum(['0.1', '0.2', 0.3])).toBe('0.6')
  expect(subtract('1000000000000000.01', '0.02')).toBe('999999999999999.99')
  expect(multiply('1.1', '1.1')).toBe('1.21')
})

test.each([
  ['0.005', 2, '0.01'],
  ['-0.005', 2, '-0.01'],
  ['2.5', 0, '3'],
  ['1.004999', 2, '1'],
  ['-0.001', 2, '0'],
])('rounds %s half up to %i places: %s', (value, places, rounded) => {
  expect(roundHalfUp(value, places)).toBe(rounded)
})

test.each([
  ['100', '3', 2, '33.33'],
  ['200', '3', 2, '66.67'],
  ['1', '8', 2, '0.13'],
  ['-1', '8', 2, '-0.13'],
  // 0.00499…: rounding twice would make it 0.01.
  ['4999999999', '1000000000000', 2, '0'],
])('divides %s by %s and rounds once', (value, divisor, places, quotient) => {
  expect(divideHalfUp(value, divisor, places)).toBe(quotient)
})

test.each([
  ['1234567.5', 2, '1,234,567.50'],
  ['-1234.005', 2, '-1,234.01'],
  ['999', 0, '999'],
  ['1000', 0, '1,000'],
  ['0', 2, '0.00'],
  ['-0.001', 2, '0.00'],
])('formats %s with %i decimals as %s', (value, places, text) => expect(formatDecimal(value, places)).toBe(text))

const cents = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n })
const toText = (amount: bigint) => toFixedText(`${amount}e-2`, 2)

test('decimal arithmetic agrees with integer arithmetic in cents', () => {
  fc.assert(
    fc.property(cents, cents, (one, other) => {
      expect(toFixedText(add(toText(one), toText(other)), 2)).toBe(toText(one + other))
      expect(compare(toText(one), toText(other))).toBe(one === other ? 0 : one < other ? -1 : 1)
      expect(add(subtract(toText(one), toText(other)), toText(other))).toBe(toPlainText(toText(one)))
    }),
  )
})

it.each([
  ['0', 0n, '0.00'],
  ['0.05', 5n, '0.05'],
  ['-0.5', -50n, '-0.50'],
  ['12', 1_200n, '12.00'],
  ['-1234567890123.45', -123_456_789_012_345n, '-1234567890123.45'],
  ['1.2300', 123n, '1.23'],
])('%s is %s hundredths and is written %s', (text, hundredths, written) => {
  expect(toHundredths(text)).toBe(hundredths)
  expect(formatHundredths(hundredths)).toBe(written)
})

it.each(['0.001', '1e5', '', '1,00'])('%s is no amount of hundredths', (text) => {
  expect(() => toHundredths(text)).toThrow('more than two decimals')
})
