import { expect, test } from 'vitest'
import type { FilterInput } from '#domain/filter/filter.ts'
import { filterPhrases } from '#domain/filter/filter-phrases.ts'

const WORDS = {
  labels: new Map([
    ['Product', 'Product'],
    ['ProductCount', 'Count'],
  ]),
  timeText: (instant: string) => instant.slice(0, 10),
}
const equal = (value: string | null, not = false) => ({ name: 'Product', method: 'EQUALS' as const, value, not })
const phraseOf = (element: FilterInput['criteria'][number]) =>
  filterPhrases({ condition: 'ALL', criteria: [element] }, WORDS)[0]

test.each([
  [{ name: 'Product', method: 'CONTAINS', value: 'pro', casefold: true }, 'Product contains “pro”'],
  [{ name: 'ProductCount', method: '>=', value: 3 }, 'Count ≥ 3'],
  [{ name: 'ProductCount', method: 'INRANGE', value: [2, 5] }, 'Count from 2 to 5'],
  [{ name: 'ProductCount', method: 'INRANGE', value: [null, 5] }, 'Count up to 5'],
  [{ name: 'Other', method: 'EQUALS', value: 'x' }, 'Other is “x”'],
  [{ name: 'Time', method: 'AFTER', value: '2026-10-01T00:00:00.000Z' }, 'Time after 2026-10-01'],
  [{ name: 'Product', method: 'ISDEFINED', value: true }, 'Product is not empty'],
  [{ name: 'Product', method: 'ISDEFINED', value: true, not: true }, 'Product is empty'],
] as const)('a criterion is put into words: %j', (criterion, phrase) => {
  expect(phraseOf(criterion as never)).toBe(phrase)
})

test('chosen values are named up to three', () => {
  const chosen = (values: (string | null)[]): FilterInput => ({
    condition: 'ANY',
    criteria: values.map((v) => equal(v)),
  })
  expect(phraseOf(chosen(['A', null]))).toBe('Product is “A”, blank')
  expect(phraseOf(chosen(['A', 'B', 'C', 'D', 'E']))).toBe('Product is “A”, “B”, “C” and 2 more')
})

test('values that were left out are named as such', () => {
  expect(phraseOf({ condition: 'ALL', criteria: [equal('A', true), equal('B', true)] })).toBe('Product is not “A”, “B”')
})

test('a list without filters has no phrases', () => {
  expect(filterPhrases(undefined, WORDS)).toEqual([])
})
