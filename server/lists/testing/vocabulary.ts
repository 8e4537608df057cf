import fc from 'fast-check'

/** The few values that the rows and filters of one run are made of, so that filters find something. */
export type Vocabulary = {
  readonly text: fc.Arbitrary<string>
  readonly number: fc.Arbitrary<number>
  readonly instant: fc.Arbitrary<string>
  readonly day: fc.Arbitrary<string>
}

/** All characters that have ever been folded, escaped or ordered wrongly. */
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

/** Around midnights that clocks skip or repeat, where days in a zone are odd. */
const MIDNIGHTS = ['2026-01-01', '2026-03-08', '2026-03-29', '2026-11-01', '2011-12-30', '2010-11-07', '1969-12-31']
const midnight = fc.constantFrom(...MIDNIGHTS).map((day) => Date.parse(`${day}T00:00:00Z`))
const instant = fc
  .tuple(midnight, fc.integer({ min: -26 * 60, max: 26 * 60 }), fc.constantFrom(0, 1, 59_999))
  .map(([start, minutes, milliseconds]) => new Date(start + minutes * 60_000 + milliseconds).toISOString())
const day = fc
  .tuple(midnight, fc.integer({ min: -2, max: 2 }))
  .map(([start, days]) => new Date(start + days * 86_400_000).toISOString().slice(0, 10))

const few = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: 1, maxLength: 4 })

export const vocabulary: fc.Arbitrary<Vocabulary> = fc
  .record({ characters: alphabet, numbers: few(number), instants: few(instant), days: few(day) })
  .map(({ characters, numbers, instants, days }) => ({
    text: fc.string({ unit: fc.constantFrom(...characters), maxLength: 4 }),
    number: fc.constantFrom(...numbers),
    instant: fc.constantFrom(...instants),
    // A filter asks for the days of the instants too.
    day: fc.constantFrom(...days, ...instants.map((one) => one.slice(0, 10))),
  }))
