import type { CriterionInput, FilterInput, Method } from '#domain/filter/filter.ts'
import { timeText } from '#web/lib/format.ts'

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

/** A filter in words, one phrase per column: "Product contains “pro”". `labels` names the fields as the table does. */
export function filterPhrases(filter: FilterInput | undefined, labels: ReadonlyMap<string, string>): string[] {
  return filter?.criteria.map((element) => phraseOf(element, labels)) ?? []
}

function phraseOf(element: Element, labels: ReadonlyMap<string, string>): string {
  if (!('criteria' in element)) return criterionPhrase(element, labels)
  const values = valuesIn(element)
  if (values) return `${labelOf(values.name, labels)} is ${values.not ? 'not ' : ''}${listText(values.values)}`
  const joint = element.condition === 'ANY' ? ' or ' : ' and '
  return element.criteria.map((one) => phraseOf(one, labels)).join(joint)
}

const labelOf = (name: string, labels: ReadonlyMap<string, string>) => labels.get(name) ?? name

function criterionPhrase({ name, method, value, not }: CriterionInput, labels: ReadonlyMap<string, string>): string {
  const label = labelOf(name, labels)
  if (Array.isArray(value)) return `${label} ${not ? 'not ' : ''}${rangeText(value)}`
  if (method === 'ISDEFINED') return `${label} is ${(value === false) !== (not === true) ? 'empty' : 'not empty'}`
  return `${label} ${not ? 'not: ' : ''}${WORDS[method] ?? method.toLowerCase()} ${valueText(value)}`
}

function rangeText([from, to]: readonly unknown[]): string {
  if (from === null || from === undefined) return `up to ${valueText(to)}`
  return to === null || to === undefined ? `from ${valueText(from)}` : `from ${valueText(from)} to ${valueText(to)}`
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

function listText(values: readonly unknown[]): string {
  const shown = values.slice(0, SHOWN_VALUES).map(valueText).join(', ')
  return values.length > SHOWN_VALUES ? `${shown} and ${values.length - SHOWN_VALUES} more` : shown
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'blank'
  if (typeof value !== 'string') return String(value)
  return INSTANT.test(value) ? timeText(value) : `“${value}”`
}
