import fc from 'fast-check'
import { METHODS } from '#domain/kit/filter.ts'
import { type FieldType, isSortable, METHODS_OF } from '#domain/kit/filter-fields.ts'
import { type SampleRow, sampleList } from '#server/lists/testing/sample-list.ts'

/** `FULL=1` looks at many more cases; either way the seed makes a run repeatable. */
const TIMES = process.env.FULL ? 20 : 1
export const PATIENCE = 30_000 * TIMES

export function runs(usual: number): { numRuns: number; seed: number } {
  return { numRuns: usual * TIMES, seed: Number(process.env.SEED ?? 20_260_101) }
}

/** Few characters, so that texts meet; among them all that have ever been folded, escaped or ordered wrongly. */
const CHARACTERS = [
  ...['a', 'A', 'b', 'Z', 'i', 'I', 'k', 's', '1', '5', '.', '-', ' ', '%', '_', '\\', "'", '"'],
  ...['ä', 'Ä', 'ß', 'ẞ', 'ı', 'İ', 'K', 'ſ', 'σ', 'ς', 'Σ', 'µ', 'μ', 'ÿ', 'Ÿ', 'ǆ', 'ǅ', 'Ǆ', 'ж', 'Ж', 'Ω', 'Ω'],
  ...['語', 'Ａ', 'ａ', '\u{10400}', '\u{10428}', '😀', '\uE000', '\uFFFD', 'é', 'e\u0301', '\u0345', 'Თ', 'თ', 'Ꭰ'],
]
const text = fc.string({ unit: fc.constantFrom(...CHARACTERS), maxLength: 5 })
const number = fc.oneof(
  fc.constantFrom(0, 1, -1, 1.5, 15, 0.1, 0.3, 100, 1e-6, -0.000001, 123456789.123456, 9007199254740991),
  fc.integer({ min: -20, max: 20 }).map((n) => n / 4),
)

/** Instants around midnights that clocks skip or repeat, so that days in a zone are tried where they are odd. */
const MIDNIGHTS = ['2026-01-01', '2026-03-08', '2026-03-29', '2026-11-01', '2011-12-30', '2010-11-07', '1969-12-31']
const instant = fc
  .tuple(fc.constantFrom(...MIDNIGHTS), fc.integer({ min: -26 * 60, max: 26 * 60 }), fc.constantFrom(0, 1, 59_999))
  .map(([day, minutes, extra]) => new Date(Date.parse(`${day}T00:00:00Z`) + minutes * 60_000 + extra).toISOString())
const day = fc
  .tuple(fc.constantFrom(...MIDNIGHTS), fc.integer({ min: -2, max: 2 }))
  .map(([base, days]) => new Date(Date.parse(`${base}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10))
export const timeZone = fc.constantFrom(
  ...['UTC', 'Europe/Berlin', 'America/Havana', 'Atlantic/Azores', 'Pacific/Apia', 'Asia/Kolkata', 'America/St_Johns'],
)

const missing = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 3 })

const row: fc.Arbitrary<Omit<SampleRow, 'Id'>> = fc.record({
  Product: missing(text),
  Code: text,
  Charge: missing(number),
  Count: fc.integer({ min: -3, max: 12 }),
  StartTime: instant,
  EndTime: missing(instant),
  Arrived: missing(instant),
  EndDate: missing(day),
  Active: missing(fc.boolean()),
  'CA[ENT|services]': missing(fc.array(text, { maxLength: 3 })),
  Links: fc.constantFrom(null, [{ text: 'a "b"', url: '/' }], {}),
})
export const rows: fc.Arbitrary<SampleRow[]> = fc
  .array(row, { maxLength: 14 })
  .map((all) => all.map((one, index) => ({ Id: index + 1, ...one })))

const fields = sampleList.fields
type Name = keyof typeof fields
const filterable = (Object.keys(fields) as Name[]).filter((name) => fields[name].type !== 'json')
const sortable = (Object.keys(fields) as Name[]).filter((name) => isSortable(fields[name]))

const OF_TYPE: Record<FieldType, fc.Arbitrary<unknown>> = {
  text,
  number,
  instant,
  day,
  boolean: fc.boolean(),
  'text-list': text,
  json: text,
}

function valueFor(name: Name, method: string, tostring: boolean): fc.Arbitrary<unknown> {
  const { type } = fields[name]
  if (method === 'ISDEFINED') return fc.constantFrom(undefined, true, false)
  const whole = type === 'instant' && method.includes('DAY') ? day : OF_TYPE[type]
  const one = tostring && type !== 'text-list' ? fc.oneof(text, whole.map(someOf)) : whole
  if (method.includes('RANGE')) return fc.tuple(missing(one), missing(one))
  return method === 'EQUALS' ? missing(one) : one
}

/** A value's own text, or the middle of it, so that `tostring` has something to find. */
const someOf = (value: unknown) => {
  const characters = [...String(value)]
  return (characters.length % 2 ? characters : characters.slice(1, -1)).join('')
}

const criterion = fc
  .tuple(fc.constantFrom(...filterable), fc.boolean())
  .chain(([name, tostring]) => {
    const comparesText = tostring && fields[name].type !== 'text-list'
    return fc.tuple(
      fc.constant(name),
      fc.constant(tostring),
      fc.constantFrom(...METHODS.filter((one) => METHODS_OF[comparesText ? 'text' : fields[name].type].includes(one))),
    )
  })
  .chain(([name, tostring, method]) =>
    fc.record(
      {
        name: fc.constant(name),
        method: fc.constant(method),
        value: valueFor(name, method, tostring),
        tostring: fc.constant(tostring),
        not: fc.boolean(),
        casefold: fc.boolean(),
      },
      { requiredKeys: ['name', 'method', 'value', 'tostring'] },
    ),
  )

function filterOf(depth: number): fc.Arbitrary<unknown> {
  const element =
    depth === 1
      ? criterion
      : fc.oneof({ weight: 4, arbitrary: criterion }, { weight: 1, arbitrary: filterOf(depth - 1) })
  return fc.record({ condition: fc.constantFrom('ANY', 'ALL'), criteria: fc.array(element, { maxLength: 4 }) })
}
export const filter = filterOf(4)

export const sorting = fc
  .uniqueArray(fc.constantFrom(...sortable), { maxLength: 4 })
  .chain((names) =>
    fc.tuple(...names.map((name) => fc.record({ name: fc.constant(name), direction: fc.constantFrom('asc', 'DESC') }))),
  )
