import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matches } from '#domain/filter/evaluate-filter.ts'
import type { Fields } from '#domain/filter/fields.ts'
import type { CriterionInput, FilterInput } from '#domain/filter/filter.ts'
import { parseFilter } from '#domain/filter/parse-filter.ts'
import { refines } from '#domain/filter/refine-filter.ts'

const FIELDS: Fields = {
  Product: { type: 'text' },
  Count: { type: 'number' },
  End: { type: 'instant', missingIsFuture: true },
  Active: { type: 'boolean' },
}
const all = (...criteria: FilterInput['criteria']): FilterInput => ({ condition: 'ALL', criteria })
const any = (...criteria: FilterInput['criteria']): FilterInput => ({ condition: 'ANY', criteria })
const product = (method: CriterionInput['method'], value: unknown, more: Partial<CriterionInput> = {}) => ({
  name: 'Product',
  method,
  value,
  ...more,
})
const count = (method: CriterionInput['method'], value: unknown) => ({ name: 'Count', method, value })
const end = (method: CriterionInput['method'], value: unknown) => ({ name: 'End', method, value })
const parsed = (filter: FilterInput) => parseFilter(FIELDS, filter)

describe('a filter refines another', () => {
  test.each<[narrow: FilterInput, wide: FilterInput, expected: boolean]>([
    [all(), all(), true],
    [all(product('CONTAINS', 'flu')), all(), true],
    [all(), all(product('CONTAINS', 'flu')), false],
    [all(product('CONTAINS', 'fluent')), all(product('CONTAINS', 'FLU')), true],
    [all(product('CONTAINS', 'flu')), all(product('CONTAINS', 'fluent')), false],
    [all(product('EQUALS', 'Fluent')), all(product('CONTAINS', 'ent')), true],
    [all(product('CONTAINS', 'Fluent')), all(product('EQUALS', 'Fluent')), false],
    [all(product('STARTSWITH', 'Fluent')), all(product('STARTSWITH', 'Flu')), true],
    [all(product('ENDSWITH', 'Fluent')), all(product('STARTSWITH', 'Flu')), false],
    // A case-insensitive match says nothing about the case.
    [all(product('CONTAINS', 'flu')), all(product('CONTAINS', 'flu', { casefold: false })), false],
    [all(product('CONTAINS', 'flu 12')), all(product('CONTAINS', '12', { casefold: false })), true],
    [all(product('CONTAINS', 'Flu', { casefold: false })), all(product('CONTAINS', 'flu')), true],
    // Negation turns around.
    [all(product('CONTAINS', 'f', { not: true })), all(product('CONTAINS', 'flu', { not: true })), true],
    [all(product('CONTAINS', 'flu', { not: true })), all(product('CONTAINS', 'f', { not: true })), false],
    [all(count('EQUALS', 3)), all(count('RANGE', [1, 5])), true],
    [all(count('>=', 3)), all(count('>', 3)), false],
    [all(count('>', 3)), all(count('>=', 3)), true],
    [all(count('EQUALS', 3)), all(product('CONTAINS', 'f')), false],
    [all(count('EQUALS', 3), product('CONTAINS', 'f')), all(product('CONTAINS', 'f')), true],
    // A session without an end is after everything, but not in a closed range.
    [all(end('AFTER', '2026-02-01')), all(end('AFTER', '2026-01-01')), true],
    [all(end('AFTER', '2026-02-01')), all(end('DATERANGE', ['2026-01-01', '2027-01-01'])), false],
    [all(end('AFTER', '2026-02-01')), all(end('ISDEFINED', true)), false],
    [all(end('BEFORE', '2026-02-01')), all(end('ISDEFINED', true)), true],
    // Chosen values: fewer of the same are a refinement.
    [any(product('EQUALS', 'a')), any(product('EQUALS', 'a'), product('EQUALS', 'b')), true],
    [all(any(product('EQUALS', 'a'), product('EQUALS', 'b'))), any(product('EQUALS', 'a')), false],
    [any(product('EQUALS', 'a'), product('EQUALS', 'b')), any(product('EQUALS', 'b'), product('EQUALS', 'a')), true],
    [any(product('EQUALS', 'aa'), product('EQUALS', 'ab')), all(product('CONTAINS', 'a')), true],
  ])('whether %j refines %j is %s', (narrow, wide, expected) => {
    expect(refines(parsed(narrow), parsed(wide))).toBe(expected)
  })

  test('says yes only if every row of the narrow filter passes the wide one', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'A', 'b', '1'), maxLength: 3 })
    const instants = fc.integer({ min: 1, max: 4 }).map((day) => `2026-01-0${day}T00:00:00.000Z`)
    const flags = { not: fc.boolean(), casefold: fc.boolean() }
    const criterion = fc.oneof(
      fc.record({
        name: fc.constant('Product'),
        method: fc.constantFrom('CONTAINS' as const, 'STARTSWITH' as const, 'ENDSWITH' as const, 'EQUALS' as const),
        value: texts,
        ...flags,
      }),
      fc.record({
        name: fc.constant('Count'),
        method: fc.constantFrom('EQUALS' as const, '>' as const, '<' as const, '>=' as const, '<=' as const),
        value: fc.integer({ min: 0, max: 4 }),
        ...flags,
      }),
      fc.record({
        name: fc.constant('End'),
        method: fc.constantFrom('BEFORE' as const, 'AFTER' as const, 'EQUALS' as const),
        value: instants,
        ...flags,
      }),
      fc.record({
        name: fc.constantFrom('End', 'Product'),
        method: fc.constant('ISDEFINED' as const),
        value: fc.boolean(),
        ...flags,
      }),
    )
    const group = (elements: fc.Arbitrary<CriterionInput | FilterInput>) =>
      fc.record({
        condition: fc.constantFrom('ANY' as const, 'ALL' as const),
        criteria: fc.array(elements, { maxLength: 3 }),
      })
    const filter = group(fc.oneof(criterion, group(criterion)))
    const row = fc.record({
      Product: fc.option(texts),
      Count: fc.option(fc.integer({ min: 0, max: 4 })),
      End: fc.option(instants),
    })
    fc.assert(
      fc.property(filter, filter, fc.array(row, { minLength: 5, maxLength: 20 }), (narrow, wide, rows) => {
        const [one, other] = [parsed(narrow), parsed(wide)]
        if (!refines(one, other)) return
        for (const each of rows) if (matches(one, each)) expect(matches(other, each)).toBe(true)
      }),
      { numRuns: 5000 },
    )
  })
})
