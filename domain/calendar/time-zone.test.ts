import { expect, test } from 'vitest'
import { isTimeZone } from '#domain/calendar/time-zone.ts'

test.each([
  ['UTC', true],
  ['Europe/Berlin', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Europe/Atlantis', false],
  ['+02:00', false],
  ['', false],
  ['Europe/Berlin ', false],
])('%j as a time zone: %s', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected)
})
