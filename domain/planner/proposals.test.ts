import { describe, expect, test } from 'vitest'
import {
  durationsOf,
  lineCostOf,
  type MeasuredUse,
  type PlannedProduct,
  type Proposal,
  planTotals,
  proposedSeats,
  seatHoursAbove,
  unitsFor,
} from '#domain/planner/proposals.ts'

const measured = (peak: number, percentile95: number, deniedAtPeak = 0): MeasuredUse => ({
  peak,
  percentile95,
  realDenials: deniedAtPeak,
  deniedAtPeak,
})

test.each<[Proposal, number, MeasuredUse | null, number]>([
  ['as-is', 20, measured(10, 7), 20],
  ['lean', 20, measured(10, 7), 10],
  ['lean', 20, measured(10, 7, 3), 13],
  ['safe', 20, measured(10, 7, 3), 15],
  ['safe', 20, measured(10, 7), 11],
  ['safe', 20, measured(11, 7), 13],
  ['safe', 20, measured(0, 0), 0],
  ['lean', 20, null, 20],
  ['safe', 20, null, 20],
])('%s of %d seats with %j is %d', (proposal, bought, use, seats) => {
  expect(proposedSeats(proposal, bought, use)).toBe(seats)
})

describe('the cost of a plan', () => {
  const line = (change: Partial<PlannedProduct> = {}): PlannedProduct => ({
    product: 'Solver',
    bought: 10,
    staying: 0,
    seats: 8,
    unitCost: '1000.10',
    currency: 'USD',
    ...change,
  })

  test('is seats times price, with the difference to today', () => {
    expect(lineCostOf(line())).toEqual({ cost: '8000.80', difference: '-2000.20' })
    expect(lineCostOf(line({ seats: 12 }))).toEqual({ cost: '12001.20', difference: '2000.20' })
  })

  test.each([
    { seats: 10, cost: '3000.30', difference: '0.00' },
    { seats: 12, cost: '5000.50', difference: '2000.20' },
    { seats: 5, cost: '0.00', difference: '-3000.30' },
  ])('counts only seats to renew: $seats planned seats of which 7 stay cost $cost', ({ seats, cost, difference }) => {
    expect(lineCostOf(line({ staying: 7, seats }))).toEqual({ cost, difference })
  })

  test('is unknown without a price', () => {
    expect(lineCostOf(line({ unitCost: null }))).toEqual({ cost: null, difference: null })
  })

  test('is added up for each currency', () => {
    const lines = [line(), line({ seats: 10 }), line({ currency: 'EUR', seats: 11 }), line({ unitCost: null })]
    expect(planTotals(lines)).toEqual([
      { currency: 'EUR', cost: '11001.10', difference: '1000.10' },
      { currency: 'USD', cost: '18001.80', difference: '-2000.20' },
    ])
  })
})

describe('seats above the need', () => {
  const steps = [
    { at: 0, inUse: 2 },
    { at: 3600, inUse: 5 },
    { at: 5400, inUse: 1 },
  ]
  test.each([
    [5, 0],
    [4, 0.5],
    [2, 1.5],
    [0, 2 + 2.5 + 0.5],
  ])('above %d seats, %d hours were used', (seats, hours) => {
    expect(seatHoursAbove(steps, seats, 7200)).toBe(hours)
  })

  test('cost units at the rate of the product', () => {
    expect(unitsFor(1.5, '7.5')).toBe('11.25')
  })
})

test('the prices of a plan are for one time or for several', () => {
  const products = ['180 Days', null, '1 Year', '180 Days'].map((duration) => ({ duration }))
  expect(durationsOf(products)).toEqual(['1 Year', '180 Days'])
})
