import { expect, test } from 'vitest'
import { linesOfRoom, pagePlace, totalText } from '#web/table/frame/page-place.ts'

test.each([
  [0, 20, 0, { pages: 1, current: 0, first: 0, last: 0 }],
  [0, 20, 5, { pages: 1, current: 0, first: 1, last: 5 }],
  [0, 20, 20, { pages: 1, current: 0, first: 1, last: 20 }],
  [1, 20, 21, { pages: 2, current: 1, first: 21, last: 21 }],
  // The list became shorter while its last page was shown.
  [7, 20, 41, { pages: 3, current: 2, first: 41, last: 41 }],
])('page %s of %s rows each, %s in all: %o', (page, size, total, expected) => {
  expect(pagePlace(page, size, total)).toEqual(expected)
})

test.each([
  [2, 'emails', '2 emails'],
  [1, 'emails', '1 email'],
  [1, 'active license servers', '1 active license server'],
  [1, 'entitlements added', '1 entitlement added'],
  [1, 'entries', '1 entry'],
  [2, 'entries', '2 entries'],
  [30_000, 'transactions', '30,000 transactions'],
])('%i of "%s" reads "%s"', (total, what, text) => {
  expect(totalText(total, what)).toBe(text)
})

test('a list over several pages keeps the height of a full page', () => {
  expect(linesOfRoom(20, undefined)).toBe(20)
  expect(linesOfRoom(20, 500)).toBe(20)
  expect(linesOfRoom(20, 3)).toBe(3)
})
