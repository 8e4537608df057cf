import { describe, expect, test } from 'vitest'
import * as lines from '#domain/fsa/order-line.ts'
import { CHEMISTRY, CONTRACT, SOLVER, TODAY } from '#domain/fsa/testing/samples.ts'

const blank = lines.blankLine(CONTRACT)
const solver = lines.changeProduct(blank, SOLVER.partNumber, CONTRACT, TODAY)

describe('choosing a product', () => {
  test('fills the line with one count, the first possible day and the longest period that fits', () => {
    expect(solver).toEqual({
      partNumber: SOLVER.partNumber,
      productName: SOLVER.name,
      duration: 180,
      count: 1,
      startDate: TODAY,
      endDate: '2027-05-13',
      unitCost: '9120.00',
      cost: '9120.00',
      currency: 'USD',
      isManual: false,
    })
  })

  test('resets what was chosen for the product before', () => {
    const changed = lines.changeCount(lines.changeStartDate(solver, '2027-01-01', CONTRACT), 7)
    expect(lines.changeProduct(changed, CHEMISTRY.partNumber, CONTRACT, TODAY)).toMatchObject({
      count: 1,
      startDate: TODAY,
      duration: 90,
      cost: '4160.00',
    })
  })

  test('starts with the contract if that is later than today', () => {
    expect(lines.changeProduct(blank, SOLVER.partNumber, CONTRACT, '2026-05-01')).toMatchObject({
      startDate: '2026-06-01',
      duration: 365,
      endDate: '2027-05-31',
    })
  })

  test('leaves the line without a price if the contract does not offer the product', () => {
    expect(lines.changeProduct(solver, 'UNKNOWN', CONTRACT, TODAY)).toMatchObject({ duration: null, cost: null })
  })

  test('only names a manual line', () => {
    const manual = lines.changeCost(lines.blankManualLine(CONTRACT, TODAY), '12.34')
    expect(lines.changeProduct(manual, SOLVER.partNumber, CONTRACT, TODAY)).toMatchObject({
      partNumber: 'FSA0030216',
      productName: SOLVER.name,
      isManual: true,
      endDate: CONTRACT.endDate,
      cost: '12.34',
    })
  })
})

test.each([
  [1, '9120.00'],
  [3, '27360.00'],
  [null, '9120.00'],
  [0, null],
  [-1, null],
  [1.5, null],
])('a count of %s costs %s', (count, cost) => {
  expect(lines.changeCount(solver, count).cost).toBe(cost)
})

test('a later start keeps the duration while it fits', () => {
  expect(lines.changeStartDate(solver, '2026-12-01', CONTRACT)).toMatchObject({ duration: 180, endDate: '2027-05-29' })
  expect(lines.changeStartDate(solver, '2026-12-05', CONTRACT)).toMatchObject({ duration: 90, endDate: '2027-03-04' })
  expect(lines.changeStartDate(solver, '2027-05-28', CONTRACT)).toMatchObject({ duration: 'Remainder', cost: '380.00' })
  expect(lines.changeStartDate(solver, '2027-06-01', CONTRACT)).toMatchObject({
    duration: null,
    endDate: '',
    cost: null,
  })
})

test('a start that is still being typed leaves the line without an end and a cost', () => {
  const typing = lines.changeStartDate(solver, '2027-0', CONTRACT)
  expect(typing).toMatchObject({ startDate: '2027-0', duration: null, endDate: '', cost: null })
  expect(lines.changeStartDate(typing, '2027-01-01', CONTRACT)).toMatchObject({ duration: 90, cost: '4940.00' })
})

test('the remainder is prorated, then multiplied by the count', () => {
  const three = lines.changeCount(lines.changeStartDate(solver, '2027-05-29', CONTRACT), 3)
  expect(lines.changeDuration(three, 'Remainder', CONTRACT)).toMatchObject({
    endDate: '2027-05-31',
    unitCost: '285.00',
    cost: '855.00',
  })
})

describe('business operations', () => {
  test('choose any end', () => {
    expect(lines.changeEndDate(solver, '2027-01-31', CONTRACT)).toMatchObject({ endDate: '2027-01-31', duration: null })
    expect(lines.changeEndDate(solver, '2026-12-14', CONTRACT)).toMatchObject({ duration: 30 })
  })

  test('enter a unit cost or a cost, and the other one follows', () => {
    const four = lines.changeCount(solver, 4)
    expect(lines.changeUnitCost(four, '99.99')).toMatchObject({ unitCost: '99.99', cost: '399.96' })
    expect(lines.changeCost(four, '100')).toMatchObject({ unitCost: '25.00', cost: '100' })
    expect(lines.changeCost(four, null)).toMatchObject({ unitCost: null, cost: null })
  })
})
