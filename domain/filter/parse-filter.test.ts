import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Fields } from '#domain/filter/fields.ts'
import type { CriterionInput, FilterInput } from '#domain/filter/filter.ts'
import { FilterError } from '#domain/filter/filter-error.ts'
import { parseFilter } from '#domain/filter/parse-filter.ts'
import { canonicalFilter } from '#domain/filter/parsed-filter.ts'

const fields: Fields = {
  product: { type: 'text' },
  cost: { type: 'number' },
  start: { type: 'instant' },
  end: { type: 'day' },
  active: { type: 'boolean' },
  services: { type: 'text-list' },
  links: { type: 'json' },
}
const all = (...criteria: unknown[]) => ({ condition: 'ALL', criteria })
const nested = (levels: number): unknown => {
  let filter: unknown = { name: 'product', method: 'ISDEFINED' }
  for (let level = 0; level < levels; level++) filter = all(filter)
  return filter
}
const errorOf = (input: unknown): string => {
  try {
    parseFilter(fields, input)
  } catch (error) {
    if (error instanceof FilterError) return error.message
    throw error
  }
  return 'no error'
}

test('no filter and empty criteria let everything pass', () => {
  for (const input of [undefined, null, all(), { condition: 'ANY', criteria: [] }])
    expect(parseFilter(fields, input).criteria).toEqual([])
})

test('parsing keeps the shape of groups within groups', () => {
  const filter = parseFilter(fields, { condition: 'ANY', criteria: [all(), nested(3)] })
  expect(filter).toMatchObject({
    condition: 'ANY',
    criteria: [all(), all(all(all({ name: 'product', not: false, check: { kind: 'defined' } })))],
  })
})

describe('an error names what is wrong and where', () => {
  const text = (value: unknown) => all({ name: 'product', method: 'CONTAINS', value })
  const on = (name: string, method: string, value?: unknown) => all({ name, method, value })
  test.each<[unknown, string]>([
    ['product', 'filter: must be an object {condition, criteria}'],
    [[], 'filter: must be an object {condition, criteria}'],
    [{}, "filter.condition: must be 'ANY' or 'ALL'"],
    [{ condition: 'any', criteria: [] }, "filter.condition: must be 'ANY' or 'ALL'"],
    [{ condition: 'ALL' }, 'filter.criteria: must be a list'],
    [{ condition: 'ALL', criteria: {} }, 'filter.criteria: must be a list'],
    [{ condition: 'ALL', criteria: [], limit: 1 }, "filter: unknown key 'limit'"],
    [all('x'), 'filter.criteria[0]: must be a criterion {name, method, value} or a filter'],
    [all([[[]]]), 'filter.criteria[0]: must be a criterion {name, method, value} or a filter'],
    [
      all(all(), all(), all({ name: 'Foo', method: 'EQUALS', value: '' })),
      "filter.criteria[2].criteria[0]: unknown field 'Foo'",
    ],
    [on('__proto__', 'EQUALS', ''), "filter.criteria[0]: unknown field '__proto__'"],
    [on('toString', 'EQUALS', ''), "filter.criteria[0]: unknown field 'toString'"],
    [on('a\u0000'.repeat(100), 'EQUALS', ''), `filter.criteria[0]: unknown field '${'a�'.repeat(30)}…'`],
    [all({ method: 'EQUALS', value: '' }), 'filter.criteria[0]: name must be the name of a field'],
    [on('links', 'ISDEFINED'), "filter.criteria[0]: field 'links' cannot be filtered"],
    [on('product', 'LIKE', ''), "filter.criteria[0]: unknown method 'LIKE'"],
    [all({ name: 'product', value: '' }), 'filter.criteria[0]: method must be the name of a filter method'],
    [
      on('product', 'INRANGE', [1, 2]),
      "filter.criteria[0]: method INRANGE does not fit field 'product', which is compared as text",
    ],
    [
      on('cost', 'CONTAINS', '1'),
      "filter.criteria[0]: method CONTAINS does not fit field 'cost', which is compared as number",
    ],
    [
      all({ name: 'cost', method: '>', value: '1', tostring: true }),
      "filter.criteria[0]: method > does not fit field 'cost', which is compared as text",
    ],
    [
      on('services', 'CONTAINS', 'a'),
      "filter.criteria[0]: method CONTAINS does not fit field 'services', which is compared as text-list",
    ],
    [all({ name: 'product', method: 'EQUALS', value: '', nto: true }), "filter.criteria[0]: unknown key 'nto'"],
    [all({ name: 'product', method: 'EQUALS', value: '', not: 1 }), 'filter.criteria[0]: not must be true or false'],
    [
      all({ name: 'product', method: 'EQUALS', value: '', casefold: 'no' }),
      'filter.criteria[0]: casefold must be true or false',
    ],
    [on('product', 'CONTAINS'), 'filter.criteria[0]: CONTAINS needs a value'],
    [text(null), 'filter.criteria[0]: value must be text, not null'],
    [text(5), 'filter.criteria[0]: value must be text, not a number'],
    [text(['a']), 'filter.criteria[0]: value must be text, not a list'],
    [text({ a: 1 }), 'filter.criteria[0]: value must be text, not an object'],
    [text('x'.repeat(1001)), 'filter.criteria[0]: value is longer than 1000 characters'],
    [text('a\0b'), 'filter.criteria[0]: value contains a NUL character'],
    [text('\ud800'), 'filter.criteria[0]: value is not well-formed text'],
    [on('services', 'ARRAY_CONTAINS', 1), 'filter.criteria[0]: value must be text, not a number'],
    [on('cost', 'EQUALS', true), 'filter.criteria[0]: value must be a number, not a boolean'],
    [on('cost', 'EQUALS', ''), 'filter.criteria[0]: value must be a number of at most 40 digits, such as 12.5'],
    [on('cost', '>', '1,5'), 'filter.criteria[0]: value must be a number of at most 40 digits, such as 12.5'],
    [on('cost', '>', '1e999'), 'filter.criteria[0]: value must be a number of at most 40 digits, such as 12.5'],
    [on('cost', '>', '1'.repeat(41)), 'filter.criteria[0]: value must be a number of at most 40 digits, such as 12.5'],
    [on('cost', '>', null), 'filter.criteria[0]: value must be a number, not null'],
    [on('cost', 'INRANGE', 5), 'filter.criteria[0]: value must be a list of two ends: [low, high]'],
    [on('cost', 'RANGE', [1, 2, 3]), 'filter.criteria[0]: value must be a list of two ends: [low, high]'],
    [
      on('cost', 'RANGE', [1, 'x']),
      'filter.criteria[0].value[1]: value must be a number of at most 40 digits, such as 12.5',
    ],
    [
      on('start', 'AFTER', 'yesterday'),
      'filter.criteria[0]: value must be an instant such as 2026-01-31T09:30:00.000Z',
    ],
    [
      on('start', 'AFTER', '2026-02-30T00:00:00Z'),
      'filter.criteria[0]: value must be an instant such as 2026-01-31T09:30:00.000Z',
    ],
    [
      on('start', 'AFTER', '2026-01-01T24:00:00Z'),
      'filter.criteria[0]: value must be an instant such as 2026-01-31T09:30:00.000Z',
    ],
    [
      on('start', 'AFTER', '2026-01-01 00:00:00'),
      'filter.criteria[0]: value must be an instant such as 2026-01-31T09:30:00.000Z',
    ],
    [
      on('start', 'AFTER', 1e300),
      'filter.criteria[0]: value must be an instant such as 2026-01-31T09:30:00.000Z, not a number',
    ],
    [
      on('start', 'AFTER', {}),
      'filter.criteria[0]: value must be an instant such as 2026-01-31T09:30:00.000Z, not an object',
    ],
    [
      on('start', 'DAYRANGE', ['2026-01-01', '2026-1-2']),
      'filter.criteria[0].value[1]: value must be a day such as 2026-01-31',
    ],
    [on('end', 'EQUALS', 20260101), 'filter.criteria[0]: value must be a day, not a number'],
    [on('end', 'EQUALS', '2026-02-29'), 'filter.criteria[0]: value must be a day such as 2026-01-31'],
    [on('active', 'EQUALS', 'true'), 'filter.criteria[0]: value must be true or false, not a string'],
    [on('product', 'ISDEFINED', 'no'), 'filter.criteria[0]: value must be true or false, not a string'],
  ])('the filter %j is refused with the message "%s"', (input, message) => {
    expect(errorOf(input)).toBe(message)
  })
})

describe('limits', () => {
  test('four levels are read, the fifth is refused where it begins', () => {
    expect(errorOf(nested(4))).toBe('no error')
    expect(errorOf(nested(5))).toBe(`filter${'.criteria[0]'.repeat(4)}: filters are nested more than 4 deep`)
  })

  test('six hundred criteria are read, wherever they stand; one more is refused', () => {
    const half = all(...Array(300).fill({ name: 'product', method: 'ISDEFINED' }))
    expect(errorOf(all(half, half))).toBe('no error')
    expect(errorOf(all(half, half, { name: 'cost', method: 'ISDEFINED' }))).toBe(
      'filter.criteria[2]: more than 600 criteria in all',
    )
  })

  test('twenty criteria with tostring are read, wherever they stand; one more is refused', () => {
    const asText = { name: 'cost', method: 'CONTAINS', value: '1', tostring: true }
    const half = all(...Array(10).fill(asText))
    expect(errorOf(all(half, half, { ...asText, method: 'EQUALS', value: 1, tostring: false }))).toBe('no error')
    expect(errorOf(all(half, half, asText))).toBe('filter.criteria[2]: more than 20 criteria with tostring in all')
  })

  test('empty groups count toward the limit', () => {
    expect(errorOf(all(...Array(1800).fill(all())))).toBe('no error')
    expect(errorOf(all(...Array(1801).fill(all())))).toBe('filter.criteria[1800]: more than 1801 filters in all')
  })

  test.each([50, 100_000])('parsing %i levels does not overflow the stack', (levels) => {
    expect(errorOf(nested(levels))).toContain('more than 4 deep')
  })
})

test('any input gives a filter or an error', () => {
  const hostile = fc.letrec((tie) => ({
    element: fc.oneof(
      fc.anything(),
      fc.record(
        {
          name: fc.oneof(fc.constantFrom(...Object.keys(fields), 'constructor'), fc.anything()),
          method: fc.oneof(fc.constantFrom('EQUALS', 'CONTAINS', 'DAYRANGE', 'RANGE', '>', 'valueOf'), fc.anything()),
          value: fc.oneof(fc.anything(), fc.array(fc.anything()), fc.date(), fc.bigInt()),
          tostring: fc.oneof(fc.boolean(), fc.anything()),
        },
        { requiredKeys: [] },
      ),
      fc.record({
        condition: fc.constantFrom('ANY', 'ALL', 'NONE'),
        criteria: fc.array(tie('element'), { maxLength: 3 }),
      }),
    ),
  })).element
  fc.assert(
    fc.property(hostile, (element) => {
      errorOf(element)
      errorOf(all(element))
    }),
    { seed: 1, numRuns: 1000 },
  )
})

describe('the canonical form of a filter', () => {
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
  ])('%s makes another filter', (_, one, other) => {
    expect(canonical(one)).not.toBe(canonical(other))
  })
})
