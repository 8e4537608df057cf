import { expect, test } from 'vitest'
import { readTypedDays, readTypedTimes } from '#web/table/filters/typed-time.ts'

const midnight = (day: string) => `${day}T00:00:00`

test.each([
  ['2026', { from: midnight('2026-01-01'), until: midnight('2027-01-01') }],
  ['2026-03-15 09:3', { from: '2026-03-15T09:30:00', until: '2026-03-15T09:40:00' }],
  ['2026-01 – 2026-03', { from: midnight('2026-01-01'), until: midnight('2026-04-01') }],
  ['2026-01-05 - 2026-01-06 12:00', { from: midnight('2026-01-05'), until: '2026-01-06T12:01:00' }],
  ['2026 to 2027', { from: midnight('2026-01-01'), until: midnight('2028-01-01') }],
  ['< 2026-05', { until: midnight('2026-05-01') }],
  ['<= 2026-05', { until: midnight('2026-06-01') }],
  ['> 2026-05', { from: midnight('2026-06-01') }],
  ['≥2026-05-17', { from: midnight('2026-05-17') }],
])('%s means %o', (text, times) => {
  expect(readTypedTimes(text)).toEqual(times)
})

test.each(['', 'tomorrow', '2026-13', '> soon', '2026-05 – 2026-01', '2026 –'])('%j is no time', (text) => {
  expect(readTypedTimes(text)).toBeUndefined()
})

test.each([
  ['2026-01 – 2026-03', { from: '2026-01-01', to: '2026-03-31' }],
  ['> 2026-05-17', { from: '2026-05-18', to: null }],
  ['≤ 2026', { from: null, to: '2026-12-31' }],
  ['2026-03', undefined],
  ['> 2026-05-17 12:00', undefined],
])('as days, %s means %o', (text, days) => {
  expect(readTypedDays(text)).toEqual(days)
})
