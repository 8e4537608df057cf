import { expect, test } from 'vitest'
import { formatDuration } from '#domain/upkeep/duration.ts'

test.each([
  [-5, '0.0 s'],
  [0, '0.0 s'],
  [4_260, '4.2 s'],
  [59_999, '59.9 s'],
  [60_000, '1 min 0 s'],
  [725_900, '12 min 5 s'],
  [3_600_000, '1 h 0 min'],
  [11_520_000, '3 h 12 min'],
  [172_799_999, '47 h 59 min'],
  [172_800_000, '2 days 0 h'],
  [187_200_000, '2 days 4 h'],
])('%i milliseconds are %s', (milliseconds, text) => expect(formatDuration(milliseconds)).toBe(text))
