import { expect, test } from 'vitest'
import { quoteNumber } from '#domain/fsa/quote.ts'

test('every revision of a draft has another quote number', () => {
  const id = '0f8fad5b-d9cb-469f-a165-70867728950e'
  expect(quoteNumber(id, 1)).toBe('Q-0F8FAD5B-1')
  expect(quoteNumber(id, 12)).toBe('Q-0F8FAD5B-12')
})
