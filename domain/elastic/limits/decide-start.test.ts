import { describe, expect, test } from 'vitest'
import { type LimitUse, leastCharge, reachedLimit, reachedText } from '#domain/elastic/limits/decide-start.ts'
import type { Limit } from '#domain/elastic/limits/limit.ts'
import { periodStart, resetDay } from '#domain/elastic/limits/limit-period.ts'

const NAMES = { user: 'Anna', project: 'Wing', product: 'Fluids' }
const limit = (booked: string, running: string, changes: Partial<Limit> = {}): Limit & LimitUse => ({
  subject: 'project',
  user: null,
  project: 'Wing',
  product: null,
  period: 'month',
  currency: 'AEU',
  warnAt: null,
  refuseAt: '10',
  from: null,
  to: null,
  booked,
  running,
  ...changes,
})

describe('a start against a limit of 10 units', () => {
  test.each<[what: string, limit: Limit & LimitUse, cost: string, isRefused: boolean]>([
    ['with nothing used', limit('0', '0'), '1.88', false],
    ['that costs more than the limit', limit('0', '0'), '10.01', true],
    ['that reaches it exactly', limit('5.00', '3.12'), '1.88', false],
    ['that is a hundredth over it', limit('5.00', '3.13'), '1.88', true],
    ['that costs nothing while it is reached exactly', limit('10.00', '0.00'), '0.00', false],
    ['while it is overdrawn', limit('12.00', '0.00'), '0.00', true],
    ['after corrections took everything back', limit('-3.00', '0.00'), '12.00', false],
    ['against a limit that only warns', limit('99.00', '0.00', { refuseAt: null, warnAt: '5' }), '1.88', false],
  ])('%s is refused: $3', (_, one, cost, isRefused) => {
    expect(reachedLimit([one], { names: NAMES, day: '2026-11-19', currency: 'AEU', cost }) !== undefined).toBe(
      isRefused,
    )
  })
})

test('of several limits that are reached, the one that lasts longest refuses', () => {
  const limits = [limit('10', '0', { period: 'day' }), limit('10', '0', { period: 'all' }), limit('10', '0')]
  const reached = reachedLimit(limits, { names: NAMES, day: '2026-11-19', currency: 'AEU', cost: '1' })
  expect(reached?.limit.period).toBe('all')
})

test('a refusal says which limit, how much is used, when it resets and who can raise it', () => {
  const reached = { limit: limit('8.00', '1.50', { project: null }), used: '9.50', cost: '1.88' }
  expect(reachedText(reached, NAMES, { day: '2026-12-01', timeZone: 'Europe/Berlin' })).toBe(
    'The limit of 10.00 AEU per month is reached for project Wing: 9.50 are used, and a session costs at least 1.88. ' +
      'It resets on 2026-12-01 (Europe/Berlin). Administrators of the account can raise the limit.',
  )
  expect(reachedText(reached, NAMES, null)).toContain('It does not reset.')
})

test.each([
  [1, '7.5', '1.88'],
  [4, '7.5', '7.50'],
  [1, '0', '0.00'],
])('%s of a product at %s an hour cost at least %s', (productCount, unitsPerHour, charge) => {
  expect(leastCharge({ productCount, unitsPerHour })).toBe(charge)
})

describe('a period', () => {
  test.each<
    [period: Limit['period'], from: string | null, to: string | null, start: string | null, reset: string | null]
  >([
    ['day', null, null, '2026-11-19', '2026-11-20'],
    ['month', null, null, '2026-11-01', '2026-12-01'],
    ['month', '2026-11-15', null, '2026-11-01', '2026-12-01'],
    ['month', null, '2026-11-25', '2026-11-01', '2026-11-26'],
    ['month', null, '2026-12-25', '2026-11-01', '2026-12-01'],
    ['all', null, null, null, null],
    ['all', '2026-10-05', '2026-12-24', '2026-10-05', '2026-12-25'],
  ])('of a %s from %s to %s counts from %s and resets on %s', (period, from, to, start, reset) => {
    expect(periodStart({ period, from }, '2026-11-19')).toBe(start)
    expect(resetDay({ period, to }, '2026-11-19')).toBe(reset)
  })
})
