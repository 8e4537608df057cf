import { describe, expect, test } from 'vitest'
import { checkLine } from '#domain/fsa/check-line.ts'
import {
  blankLine,
  blankManualLine,
  changeCost,
  changeCount,
  changeProduct,
  changeStartDate,
  type OrderLine,
} from '#domain/fsa/order-line.ts'
import { CONTRACT, SOLVER, TODAY } from '#domain/fsa/testing/samples.ts'

const terms = { contract: CONTRACT, today: TODAY, isBusops: false }
const line = changeProduct(blankLine(CONTRACT), SOLVER.partNumber, CONTRACT, TODAY)
const messageOf = (change: Partial<OrderLine>, more: Partial<typeof terms> = {}) =>
  checkLine({ ...line, ...change }, { ...terms, ...more })?.message

test.each<[string, Partial<OrderLine>, string | undefined]>([
  ['no change', {}, undefined],
  ['an empty count, which means 1,', { count: null }, undefined],
  ['no product', { partNumber: null }, 'Invalid FSA Order'],
  ['no cost', { cost: null }, 'Invalid FSA Order'],
  ['no currency', { currency: '' }, 'Invalid FSA Order'],
  ['a count of zero', { count: 0 }, 'Count should be a positive number.'],
  ['a negative count', { count: -2 }, 'Count should be a positive number.'],
  ['a fraction as count', { count: 1.5 }, 'Count should be a positive number.'],
  ['a count that is not a number', { count: Number.NaN }, 'Count should be a positive number.'],
  [
    'a count above 32 bits',
    { count: 2_147_483_648 },
    'More than 2,147,483,647 cannot be ordered. Enter a lower count.',
  ],
  ['a count whose cost no contract can pay', changeCount(line, 2_147_483_647), undefined],
  ['no start', { startDate: '' }, 'Start date is invalid.'],
  ['a start in another form', { startDate: '15.11.2026' }, 'Start date is invalid.'],
  ['a start on a day that does not exist', { startDate: '2027-02-29' }, 'Start date is invalid.'],
  ['a start before today', { startDate: '2026-11-14' }, 'Start date is invalid.'],
  ['a start after the contract', { startDate: '2027-06-01' }, 'Start date is invalid.'],
  ['no end', { endDate: '' }, 'End date is invalid.'],
  ['an end in another form', { endDate: '2027-5-13' }, 'End date is invalid.'],
  ['an end before today', { endDate: '2026-11-14' }, 'End date is invalid.'],
  ['an end after the contract', { endDate: '2027-06-01' }, 'End date is invalid.'],
  ['an end that fits no duration', { endDate: '2027-05-14' }, 'End date is invalid.'],
  ['an end on the start', { endDate: TODAY }, 'End Date can not be greater than start date'],
  [
    'an end before the start',
    { startDate: '2026-12-01', endDate: '2026-11-30' },
    'End Date can not be greater than start date',
  ],
  ['another currency', { currency: 'EUR' }, 'This contract is in USD.'],
  ['a product of another contract', { partNumber: 'ELE0030110' }, 'This contract does not offer this product.'],
  ['a lower cost', { cost: '9119.99' }, 'The price has changed. This line now costs 9,120.00 USD.'],
  ['the cost of another count', { count: 2 }, 'The price has changed. This line now costs 18,240.00 USD.'],
  [
    'the cost of another duration',
    { endDate: '2026-12-14' },
    'The price has changed. This line now costs 1,900.00 USD.',
  ],
  ['its cost written without decimals', { cost: '9120' }, undefined],
  ['a negative cost', { cost: '-1' }, 'Cost must be an amount of zero or more, with two decimals at most.'],
  [
    'a cost with a fraction of a cent',
    { cost: '0.001' },
    'Cost must be an amount of zero or more, with two decimals at most.',
  ],
  [
    'a unit cost with a fraction of a cent',
    { unitCost: '1.005' },
    'Cost must be an amount of zero or more, with two decimals at most.',
  ],
  [
    'a cost that is not a number',
    { cost: '1e3' },
    'Cost must be an amount of zero or more, with two decimals at most.',
  ],
])('a line with %s gets the right message', (_case, change, message) => expect(messageOf(change)).toBe(message))

test('what was entered last is named, although the line has no cost because of it', () => {
  expect(checkLine(changeCount(line, 0), terms)?.message).toBe('Count should be a positive number.')
  expect(checkLine(changeStartDate(line, '2027-02-29', CONTRACT), terms)?.message).toBe('Start date is invalid.')
})

test('dates before the contract starts are invalid, although today is earlier', () => {
  expect(messageOf({ startDate: '2026-05-31' }, { today: '2026-05-01' })).toBe('Start date is invalid.')
})

describe('business operations', () => {
  const busops = { isBusops: true }

  test('business operations decide on end and cost of a standard line', () => {
    expect(messageOf({ endDate: '2027-05-14', cost: '1.00' }, busops)).toBe(undefined)
    expect(messageOf({ endDate: '2027-06-01' }, busops)).toBe('End date is invalid.')
    expect(messageOf({ partNumber: 'ELE0030110' }, busops)).toBe('This contract does not offer this product.')
  })

  test('enter costs that are a multiple of the count', () => {
    const manual = { ...blankManualLine(CONTRACT, TODAY), productName: 'Training' }
    const text = 'Cost must be the unit cost times the count. For a count of 3, the nearest cost is 9.99 USD.'
    for (const one of [line, manual]) {
      const entered = (cost: string) => checkLine(changeCost({ ...one, count: 3 }, cost), { ...terms, ...busops })
      expect(entered('10.00')).toEqual({ code: 'INVALID_ORDER_LINE', message: text })
      expect(entered('9.99')).toBe(undefined)
      expect(entered('0')).toBe(undefined)
    }
  })

  test('enter manual lines with a name and a cost', () => {
    const manual = changeCost({ ...blankManualLine(CONTRACT, TODAY), productName: 'Training' }, '1234.56')
    expect(checkLine(manual, { ...terms, ...busops })).toBe(undefined)
    expect(checkLine({ ...manual, productName: '' }, { ...terms, ...busops })?.message).toBe('Invalid FSA Order')
    expect(checkLine({ ...manual, cost: null }, { ...terms, ...busops })?.message).toBe('Invalid FSA Order')
  })
})
