import { expect, test } from 'vitest'
import { isInstant, readTime } from '#web/form/typed-instant.ts'

test.each([
  ['2026-11-15 9:05', new Date(2026, 10, 15, 9, 5).toISOString()],
  [' 2026-11-15T09:05 ', new Date(2026, 10, 15, 9, 5).toISOString()],
  ['', null],
  ['2026-02-30 10:00', '2026-02-30 10:00'],
  ['2026-11-15 25:00', '2026-11-15 25:00'],
  ['tomorrow', 'tomorrow'],
])('reads %j as %j', (typed, value) => {
  expect(readTime(typed)).toBe(value)
  if (value) expect(isInstant(value)).toBe(value.endsWith('Z'))
})
