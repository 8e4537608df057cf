import { expect, test } from 'vitest'
import { sizeText } from '#web/lib/format.ts'

test.each([
  [0, '0 B'],
  [1, '1 B'],
  [999, '999 B'],
  [1500, '1.5 kB'],
  [20_000_000, '20 MB'],
  [5_000_000_000_000, '5,000 GB'],
])('%d bytes are shown as %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text)
})
