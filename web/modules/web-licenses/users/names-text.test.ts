import { expect, test } from 'vitest'
import { namesText } from '#web/modules/web-licenses/users/names-text.ts'

test.each([
  [1, 'u1'],
  [2, 'u1 and u2'],
  [3, 'u1, u2 and u3'],
  [5, 'u1, u2, u3, u4 and u5'],
  [6, 'u1, u2, u3, u4, u5 and 1 more'],
  [1005, 'u1, u2, u3, u4, u5 and 1,000 more'],
])('names up to five of %i and counts the rest', (count, text) => {
  expect(namesText(Array.from({ length: count }, (_, at) => `u${at + 1}`))).toBe(text)
})
