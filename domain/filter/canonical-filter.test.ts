import { expect, test } from 'vitest'
import { canonicalFilter } from '#domain/filter/canonical-filter.ts'
import type { CriterionInput, FilterInput } from '#domain/filter/filter.ts'
import { parseFilter } from '#domain/filter/parse-filter.ts'

const FIELDS = { product: { type: 'text' }, ended: { type: 'instant' }, count: { type: 'number' } } as const
const all = (...criteria: FilterInput['criteria']): FilterInput => ({ condition: 'ALL', criteria })
const any = (...criteria: FilterInput['criteria']): FilterInput => ({ condition: 'ANY', criteria })
const canonical = (filter: FilterInput | undefined) => canonicalFilter(parseFilter(FIELDS, filter, 'Europe/Berlin'))

const fluent: CriterionInput = { name: 'product', method: 'CONTAINS', value: 'Fluent' }
const after = (value: unknown): CriterionInput => ({ name: 'ended', method: 'AFTER', value })
const three: CriterionInput = { name: 'count', method: '>', value: 3 }

test.each([
  ['no filter and an empty one', undefined, all()],
  ['another order', all(fluent, three), all(three, fluent)],
  ['another order in a group', all(any(fluent, three)), all(any(three, fluent))],
  ['a repetition', all(fluent), all(fluent, fluent)],
  ['defaults that are written out', all(fluent), all({ ...fluent, casefold: true, not: false })],
  ['another case where case is ignored', all(fluent), all({ ...fluent, value: 'FLUENT' })],
  ['another spelling of a number', all(three), all({ ...three, value: '3.0' })],
  ['an instant in another zone', all(after('2026-10-01T00:00:00Z')), all(after('2026-10-01T02:00:00+02:00'))],
  [
    'the same days as instants',
    all({ name: 'ended', method: 'AFTERDAY', value: '2026-09-30' }),
    all({ name: 'ended', method: '>=', value: '2026-09-30T22:00:00Z' }),
  ],
])('%s means the same', (_, one, other) => {
  expect(canonical(one)).toBe(canonical(other))
})

test.each([
  ['another condition', all(fluent, three), any(fluent, three)],
  ['a negation', all(fluent), all({ ...fluent, not: true })],
  ['another value', all(three), all({ ...three, value: 4 })],
  ['an instant a second later', all(after('2026-10-01T00:00:00Z')), all(after('2026-10-01T00:00:01Z'))],
  ['case that counts', all({ ...fluent, casefold: false }), all({ ...fluent, value: 'FLUENT', casefold: false })],
  ['one criterion more', all(fluent), all(fluent, three)],
])('%s means another', (_, one, other) => {
  expect(canonical(one)).not.toBe(canonical(other))
})
