import { expect, test } from 'vitest'
import { isArchived, isMonth, latestCut } from '#domain/elastic/usage/archived-months.ts'

test.each([
  ['2025-03', true],
  ['2025-12', true],
  ['2025-13', false],
  ['2025-00', false],
  ['2025-3', false],
  ['2025-03-01', false],
  ['', false],
])('%s is a month: %s', (text, expected) => {
  expect(isMonth(text)).toBe(expected)
})

test.each([
  ['2026-11-18T03:00:00Z', '2025-11'],
  ['2026-01-01T00:00:00Z', '2025-01'],
  ['2025-12-31T23:59:59Z', '2024-12'],
])('on %s, months before %s can be archived: twelve and the running one stay', (now, expected) => {
  expect(latestCut(new Date(now))).toBe(expected)
})

test.each([
  ['the last millisecond of an archived month', '2025-02-28T23:59:59.999Z', '2025-03-01', true],
  ['the first instant of a kept month', '2025-03-01T00:00:00.000Z', '2025-03-01', false],
  ['a time before all months', '2001-01-01T00:00:00.000Z', '2025-03-01', true],
  ['any time where nothing is archived', '2001-01-01T00:00:00.000Z', null, false],
])('decides whether %s is archived', (_, endedAt, archivedBefore, expected) => {
  expect(isArchived(new Date(endedAt), archivedBefore)).toBe(expected)
})
