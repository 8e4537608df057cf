import fc from 'fast-check'
import { type FieldType, isFilterable, isSortable, METHODS_OF } from '#domain/filter/fields.ts'
import { METHODS, type Method } from '#domain/filter/filter.ts'
import { type SampleRow, sampleList } from '#server/lists/testing/sample-list.ts'
import { isFullRun } from '#server/testing/full-run.ts'

/** A full run looks at many more cases; either way the seed makes a run repeatable. */
const TIMES = isFullRun ? 20 : 1

export function runs(usual: number): { numRuns: number; seed: number } {
  return { numRuns: usual * TIMES, seed: Number(process.env.SEED ?? 20_260_101) }
}

const { fields } = sampleList
type Name = keyof typeof fields
const names = Object.keys(fields) as Name[]

export const timeZone = fc.constantFrom(
  ...['UTC', 'Europe/Berlin', 'America/Havana', 'Atlantic/Azores', 'Pacific/Apia', 'Asia/Kolkata', 'America/St_Johns'],
)

/** Rows, and filters with values that occur in them. */
export function rowsAndFilters(count: number): fc.Arbitrary<{ rows: SampleRow[]; filters: unknown[] }> {
  return vocabulary.chain((words) =>
    fc.record({
      rows: rowsOf(words),
      filters: fc.array(filterOf(words, 4), { minLength: count, maxLength: count }),
    }),
  )
}

export const sorting = fc
  .uniqueArray(fc.constantFrom(...names.filter((name) => isSortable(fields[name]))), { maxLength: 4 })
  .chain((sorted) =>
    fc.tuple(
      ...sorted.map((name) => fc.record({ name: fc.constant(name), direction: fc.constantFrom('asc', 'DESC') })),
    ),
  )

const missing = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 3 })

function rowsOf({ text, number, instant, day }: Vocabulary): fc.Arbitrary<SampleRow[]> {
  const row: fc.Arbitrary<Omit<SampleRow, 'Id'>> = fc.record({
    Product: missing(text),
    Code: text,
    Charge: missing(number),
    Count: fc.integer({ min: -3, max: 12 }),
    StartTime: instant,
    EndTime: missing(instant),
    Expires: missing(instant),
    Arrived: missing(instant),
    EndDate: missing(day),
    Active: missing(fc.boolean()),
    'CA[ENT|services]': missing(fc.array(text, { maxLength: 3 })),
    Links: fc.constantFrom(null, [{ text: 'a "b"', url: '/' }], {}),
  })
  return fc.array(row, { maxLength: 14 }).map((rows) => rows.map((one, index) => ({ Id: index + 1, ...one })))
}

function filterOf(words: Vocabulary, depth: number): fc.Arbitrary<unknown> {
  const criterion = criterionOf(words)
  const deeper = () => [
    { weight: 1, arbitrary: filterOf(words, depth - 1) },
    { weight: 1, arbitrary: valueListOf(words) },
    { weight: 1, arbitrary: textsOf(words) },
  ]
  const element = depth === 1 ? criterion : fc.oneof({ weight: 4, arbitrary: criterion }, ...deeper())
  return fc.record({ condition: fc.constantFrom('ANY', 'ALL'), criteria: fc.array(element, { maxLength: 4 }) })
}

/** Values of one field, as they are ticked in a list: one of them, or all but them. */
function valueListOf(words: Vocabulary): fc.Arbitrary<unknown> {
  return fc
    .record({
      name: fc.constantFrom<Name[]>('Product', 'Code', 'Charge', 'Count', 'StartTime', 'EndTime', 'Expires', 'EndDate'),
      tostring: fc.boolean(),
      not: fc.boolean(),
      casefold: fc.boolean(),
    })
    .chain((all) => {
      const value = valueFor(words, fields[all.name].type, 'EQUALS', all.tostring)
      const criteria = fc.array(value, { minLength: 2, maxLength: 5 })
      return fc.record({
        condition: fc.constantFrom('ANY', 'ALL'),
        criteria: criteria.map((values) => values.map((value) => ({ ...all, method: 'EQUALS', value }))),
      })
    })
}

/** Texts that one field is searched for: any of them, all of them, or none. */
function textsOf(words: Vocabulary): fc.Arbitrary<unknown> {
  const searched = fc.record({
    method: fc.constantFrom('CONTAINS', 'STARTSWITH', 'ENDSWITH', 'EQUALS'),
    value: partOf(words.text),
    casefold: fc.boolean(),
  })
  return fc.record({ name: fc.constantFrom<Name[]>('Product', 'Code'), not: fc.boolean() }).chain((all) =>
    fc.record({
      condition: fc.constantFrom('ANY', 'ALL'),
      criteria: fc
        .array(searched, { minLength: 2, maxLength: 6 })
        .map((criteria) => criteria.map((one) => ({ ...all, ...one }))),
    }),
  )
}

function criterionOf(words: Vocabulary): fc.Arbitrary<unknown> {
  const filterable = names.filter((name) => isFilterable(fields[name]))
  // Text has the most ways to go wrong.
  const named = fc.oneof(fc.constantFrom(...filterable), fc.constantFrom<Name[]>('Product', 'Code'))
  return fc
    .record({ name: named, tostring: fc.boolean() })
    .chain(({ name, tostring }) => {
      const type = tostring && fields[name].type !== 'text-list' ? 'text' : fields[name].type
      const methods = METHODS.filter((one) => METHODS_OF[type].includes(one))
      return fc.record({
        name: fc.constant(name),
        tostring: fc.constant(tostring),
        method: fc.constantFrom(...methods),
      })
    })
    .chain(({ name, tostring, method }) =>
      fc.record(
        {
          name: fc.constant(name),
          method: fc.constant(method),
          value: valueFor(words, fields[name].type, method, tostring),
          tostring: fc.constant(tostring),
          not: fc.boolean(),
          casefold: fc.boolean(),
        },
        { requiredKeys: ['name', 'method', 'value', 'tostring'] },
      ),
    )
}

function valueFor(words: Vocabulary, type: FieldType, method: Method, tostring: boolean): fc.Arbitrary<unknown> {
  if (method === 'ISDEFINED') return fc.constantFrom(undefined, true, false)
  const known: Record<FieldType, fc.Arbitrary<unknown>> = {
    ...words,
    boolean: fc.boolean(),
    'text-list': words.text,
    json: words.text,
  }
  const whole = type === 'instant' && method.includes('DAY') ? words.day : known[type]
  const one = tostring && type !== 'text-list' ? partOf(whole) : whole
  if (method.includes('RANGE')) return fc.tuple(missing(one), missing(one))
  return method === 'EQUALS' ? missing(one) : one
}

/** The text of a value or a part of it, in upper or lower case, so that it can be found. */
function partOf(value: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const cut = fc.constantFrom([0], [1], [0, -1], [0, 2])
  const recase = fc.constantFrom<((text: string) => string)[]>(
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => text.toLowerCase(),
  )
  return fc
    .tuple(value, cut, recase)
    .map(([one, [from, to], write]) => write([...String(one)].slice(from, to).join('')))
}

/** The few values that the rows and filters of one run are made of, so that filters find something. */
export type Vocabulary = {
  readonly text: fc.Arbitrary<string>
  readonly number: fc.Arbitrary<number>
  readonly instant: fc.Arbitrary<string>
  readonly day: fc.Arbitrary<string>
}

/** Characters that were once folded, escaped or sorted wrongly. */
const CHARACTERS = [
  ...['a', 'A', 'b', 'Z', 'i', 'I', 'k', 's', '1', '5', '.', '-', ' ', '%', '_', '\\', "'", '"'],
  ...['ä', 'Ä', 'ß', 'ẞ', 'ı', 'İ', 'K', 'ſ', 'σ', 'ς', 'Σ', 'µ', 'μ', 'ÿ', 'Ÿ', 'ǆ', 'ǅ', 'Ǆ', 'ж', 'Ж', 'Ω', 'Ω'],
  ...['語', 'Ａ', 'ａ', '\u{10400}', '\u{10428}', '😀', '\uE000', '\uFFFD', 'é', 'e\u0301', '\u0345', 'Თ', 'თ', 'Ꭰ'],
]
/** Characters that belong together are drawn together more often than chance would have it. */
const FAMILIES = [
  ...[
    ['ä', 'Ä', 'a'],
    ['ß', 'ẞ', 's', 'ſ'],
    ['ı', 'İ', 'i', 'I'],
    ['σ', 'ς', 'Σ'],
    ['µ', 'μ'],
    ['ǆ', 'ǅ', 'Ǆ'],
  ],
  ...[
    ['K', 'k', 'K'],
    ['Ω', 'Ω'],
    ['\u{10400}', '\u{10428}', '\uE000', '\uFFFD', '😀'],
  ],
]
const alphabet = fc.oneof(
  fc.constant(['%', '_', '\\', 'a']),
  fc.constantFrom(...FAMILIES),
  fc.uniqueArray(fc.constantFrom(...CHARACTERS), { minLength: 1, maxLength: 5 }),
)

const number = fc.oneof(
  fc.constantFrom(0, 1, -1, 1.5, 15, 0.1, 0.3, 100, 1e-6, -0.000001, 123456789.123456, 9007199254740991),
  fc.integer({ min: -20, max: 20 }).map((quarters) => quarters / 4),
)

/** Instants around midnights that clocks skip or repeat, where days in a zone are odd. */
const MIDNIGHTS = ['2026-01-01', '2026-03-08', '2026-03-29', '2026-11-01', '2011-12-30', '2010-11-07', '1969-12-31']
const midnight = fc.constantFrom(...MIDNIGHTS).map((day) => Date.parse(`${day}T00:00:00Z`))
const instant = fc
  .tuple(midnight, fc.integer({ min: -26 * 60, max: 26 * 60 }), fc.constantFrom(0, 1, 59_999))
  .map(([start, minutes, milliseconds]) => new Date(start + minutes * 60_000 + milliseconds).toISOString())
const day = fc
  .tuple(midnight, fc.integer({ min: -2, max: 2 }))
  .map(([start, days]) => new Date(start + days * 86_400_000).toISOString().slice(0, 10))

const few = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: 1, maxLength: 4 })

const vocabulary: fc.Arbitrary<Vocabulary> = fc
  .record({ characters: alphabet, numbers: few(number), instants: few(instant), days: few(day) })
  .map(({ characters, numbers, instants, days }) => ({
    text: fc.string({ unit: fc.constantFrom(...characters), maxLength: 4 }),
    number: fc.constantFrom(...numbers),
    instant: fc.constantFrom(...instants),
    // A filter asks for the days of the instants too.
    day: fc.constantFrom(...days, ...instants.map((one) => one.slice(0, 10))),
  }))
