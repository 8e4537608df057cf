import { describe, expect, it } from 'vitest'
import { sessionCharge, sessionHours } from '#domain/elastic/sessions/session-charge.ts'

const START = new Date('2026-10-31T23:30:00.000Z')
const after = (milliseconds: number) => new Date(START.getTime() + milliseconds)
const SECOND = 1000
const HOUR = 3600 * SECOND

describe('hours of a finished session', () => {
  it.each([
    ['no time', 0, '0.01'],
    ['one second', SECOND, '0.01'],
    ['just under 0.015 hours', 54 * SECOND - 1, '0.01'],
    ['0.015 hours (rounded half-up)', 54 * SECOND, '0.02'],
    ['an hour', HOUR, '1.00'],
    ['an hour and a third', HOUR + 20 * 60 * SECOND, '1.33'],
    ['a month', 30 * 24 * HOUR, '720.00'],
  ])('a session of %s counts $2 hours', (_name, length, hours) => {
    expect(sessionHours(START, after(length))).toBe(hours)
  })
})

describe('units of a session', () => {
  it.each([
    ['an hour of one product', HOUR, 1, '6.0000', '6.00'],
    ['an hour of three products', HOUR, 3, '6.0000', '18.00'],
    ['one second of a cheap product', SECOND, 1, '1.5000', '0.00'],
    ['half a hundredth of a unit (rounded up)', 18 * SECOND, 1, '1.0000', '0.01'],
    ['a millisecond less (rounded down)', 18 * SECOND - 1, 1, '1.0000', '0.00'],
    ['1.005 units, which binary floats round down,', HOUR, 1, '1.0050', '1.01'],
    ['a month of one product', 30 * 24 * HOUR, 1, '0.5000', '360.00'],
    ['two hours at a rate with four decimals', 2 * HOUR, 1, '1.0625', '2.13'],
    ['an hour of two products at a rate without decimals', HOUR, 2, '6', '12.00'],
  ])('%s costs $4 units', (_name, length, productCount, unitsPerHour, charge) => {
    expect(sessionCharge({ startedAt: START, endedAt: after(length), productCount, unitsPerHour })).toBe(charge)
  })
})
