import { describe, expect, test } from 'vitest'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { countEndingWithin } from '#domain/home/ending.ts'

const today = '2026-11-16'
const inDays = (days: number, count = 1) => ({ day: addDays(today, days), count })

describe('what ends within a step', () => {
  test.each([
    ['today, which leaves one day', 0, 30, 1],
    ['on the thirtieth day', 29, 30, 1],
    ['on the 31st day', 30, 30, 0],
    ['on the ninetieth day', 89, 90, 1],
  ])('an entitlement that ends %s is counted $3 times', (_, days, step, expected) => {
    expect(countEndingWithin([inDays(days)], step, today)).toBe(expected)
  })

  test('counts every entitlement of a day', () => {
    expect(countEndingWithin([inDays(3, 4), inDays(10, 2), inDays(50, 7)], 30, today)).toBe(6)
  })

  test('counts the part with activated seats', () => {
    const days = [{ ...inDays(3, 4), withSeats: 3 }, { ...inDays(10, 2), withSeats: 0 }, inDays(11)]
    expect(countEndingWithin(days, 30, today, 'withSeats')).toBe(3)
  })
})
