import type { CriterionInput, FilterInput, Method } from '#domain/filter/filter.ts'

type Element = FilterInput['criteria'][number]

const WORDS: Partial<Record<Method, string>> = {
  CONTAINS: 'contains',
  STARTSWITH: 'starts with',
  ENDSWITH: 'ends with',
  EQUALS: 'is',
  '>': '>',
  '<': '<',
  '>=': '≥',
  '<=': '≤',
  BEFORE: 'before',
  AFTER: 'after',
}
const SHOWN_VALUES = 3

type Words = {
  /** The fields as the table names them. */
  readonly labels: ReadonlyMap<string, string>
  /** An instant in the zone of the reader. */
  timeText(instant: string): string
}

/** A filter in words, one phrase per column: "Product contains “pro”". */
export function filterPhrases(filter: FilterInput | undefined, words: Words): string[] {
  return filter?.criteria.map((element) => phraseOf(element, words)) ?? []
}

function phraseOf(element: Element, words: Words): string {
  if (!('criteria' in element)) return criterionPhrase(element, words)
  const values = valuesIn(element)
  if (values) return `${labelOf(values.name, words)} is ${values.not ? 'not ' : ''}${listText(values.values, words)}`
  const joint = element.condition === 'ANY' ? ' or ' : ' and '
  return element.criteria.map((one) => phraseOf(one, words)).join(joint)
}

const labelOf = (name: string, { labels }: Words) => labels.get(name) ?? name

function criterionPhrase({ name, method, value, not }: CriterionInput, words: Words): string {
  const label = labelOf(name, words)
  if (Array.isArray(value)) return `${label} ${not ? 'not ' : ''}${rangeText(value, words)}`
  if (method === 'ISDEFINED') return `${label} is ${(value === false) !== (not === true) ? 'empty' : 'not empty'}`
  return `${label} ${not ? 'not: ' : ''}${WORDS[method] ?? method.toLowerCase()} ${valueText(value, words)}`
}

function rangeText([from, to]: readonly unknown[], words: Words): string {
  const text = (value: unknown) => valueText(value, words)
  if (from === null || from === undefined) return `up to ${text(to)}`
  return to === null || to === undefined ? `from ${text(from)}` : `from ${text(from)} to ${text(to)}`
}

type ChosenValues = { name: string; not: boolean; values: readonly unknown[] }

/** Ticked values, or all but those: several criteria on the same field. */
function valuesIn({ condition, criteria }: FilterInput): ChosenValues | undefined {
  const [first] = criteria
  if (!first || 'criteria' in first) return undefined
  const isNot = first.not ?? false
  if (isNot !== (condition === 'ALL')) return undefined
  const values: unknown[] = []
  for (const one of criteria) {
    if ('criteria' in one || one.name !== first.name || one.method !== 'EQUALS' || (one.not ?? false) !== isNot)
      return undefined
    values.push(one.value)
  }
  return { name: first.name, not: isNot, values }
}

function listText(values: readonly unknown[], words: Words): string {
  const shown = values
    .slice(0, SHOWN_VALUES)
    .map((value) => valueText(value, words))
    .join(', ')
  return values.length > SHOWN_VALUES ? `${shown} and ${values.length - SHOWN_VALUES} more` : shown
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

function valueText(value: unknown, { timeText }: Words): string {
  if (value === null || value === undefined) return 'blank'
  if (typeof value !== 'string') return String(value)
  return INSTANT.test(value) ? timeText(value) : `“${value}”`
}
