import { memberCheck, rangeCheck, textCheck, truthCheck } from '#domain/filter/checks.ts'
import { type FieldDeclaration, type Fields, isFilterable, METHODS_OF } from '#domain/filter/fields.ts'
import { METHODS, type Method } from '#domain/filter/filter.ts'
import { isPlainObject, quoted, refuse, refuseUnknownKeys } from '#domain/filter/filter-error.ts'
import {
  type Check,
  EVERYTHING,
  type ParsedCriterion,
  type ParsedElement,
  type ParsedFilter,
} from '#domain/filter/parsed-filter.ts'
import { readTruth } from '#domain/filter/values.ts'

const MAX_DEPTH = 4
/** 500 values can be ticked one by one, which leaves room for further criteria. */
const MAX_CRITERIA = 600
/** Every row is converted to text for each of these criteria, and no index helps. */
const MAX_TOSTRING = 20
/** Each criterion can be nested in three groups below the outermost one; any further groups are empty. */
const MAX_GROUPS = MAX_CRITERIA * (MAX_DEPTH - 1) + 1

type Reading = {
  readonly fields: Fields
  readonly timeZone: string
  criteria: number
  tostring: number
  groups: number
}

/**
 * Reads a filter of any shape, or throws a FilterError that says what is wrong and where. No filter at all lets everything
 * pass. The time zone says whose days BEFOREDAY, AFTERDAY and DAYRANGE mean on a field that holds instants.
 */
export function parseFilter(fields: Fields, input: unknown, timeZone = 'UTC'): ParsedFilter {
  if (input === undefined || input === null) return EVERYTHING
  return parseGroup({ fields, timeZone, criteria: 0, tostring: 0, groups: 0 }, input, 'filter', 1)
}

function parseGroup(reading: Reading, input: unknown, path: string, depth: number): ParsedFilter {
  if (!isPlainObject(input)) return refuse(path, 'must be an object {condition, criteria}')
  if (depth > MAX_DEPTH) refuse(path, `filters are nested more than ${MAX_DEPTH} deep`)
  if (++reading.groups > MAX_GROUPS) refuse(path, `more than ${MAX_GROUPS} filters in all`)
  refuseUnknownKeys(path, input, ['condition', 'criteria'])
  const { condition, criteria } = input
  if (condition !== 'ANY' && condition !== 'ALL') return refuse(`${path}.condition`, "must be 'ANY' or 'ALL'")
  if (!Array.isArray(criteria)) return refuse(`${path}.criteria`, 'must be a list')
  const parsed: ParsedElement[] = []
  for (const [index, element] of criteria.entries())
    parsed.push(parseElement(reading, element, `${path}.criteria[${index}]`, depth))
  return { condition, criteria: parsed }
}

function parseElement(reading: Reading, input: unknown, path: string, depth: number): ParsedElement {
  if (!isPlainObject(input)) return refuse(path, 'must be a criterion {name, method, value} or a filter')
  if (input.condition !== undefined || input.criteria !== undefined) return parseGroup(reading, input, path, depth + 1)
  if (++reading.criteria > MAX_CRITERIA) refuse(path, `more than ${MAX_CRITERIA} criteria in all`)
  return parseCriterion(reading, input, path)
}

function parseCriterion(reading: Reading, input: Record<string, unknown>, path: string): ParsedCriterion {
  refuseUnknownKeys(path, input, ['name', 'method', 'value', 'not', 'casefold', 'tostring'])
  const { name, field } = fieldNamed(reading.fields, input.name, path)
  const isTostring = flag(input, 'tostring', false, path)
  if (isTostring && ++reading.tostring > MAX_TOSTRING)
    refuse(path, `more than ${MAX_TOSTRING} criteria with tostring in all`)
  const comparesText = isTostring && field.type !== 'text-list'
  const method = methodNamed(input.method, comparesText ? { ...field, type: 'text' } : field, name, path)
  const folds = flag(input, 'casefold', true, path)
  const criterion = { name, type: field.type, not: flag(input, 'not', false, path) }

  if (method === 'ISDEFINED') {
    const wanted = input.value === undefined || readTruth(input.value, path)
    return { ...criterion, not: criterion.not === wanted, check: { kind: 'defined' } }
  }
  if (input.value === undefined) refuse(path, `${method} needs a value`)
  if (method === 'EQUALS' && input.value === null)
    return { ...criterion, not: !criterion.not, check: { kind: 'defined' } }

  const check = (): Check => {
    if (comparesText || field.type === 'text') return textCheck(method, input.value, folds, path)
    if (field.type === 'boolean') return truthCheck(input.value, path)
    if (field.type === 'text-list') return memberCheck(input.value, path)
    return rangeCheck(field, method, input.value, reading.timeZone, path)
  }
  return { ...criterion, check: check() }
}

function fieldNamed(fields: Fields, name: unknown, path: string): { name: string; field: FieldDeclaration } {
  if (typeof name !== 'string') return refuse(path, 'name must be the name of a field')
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (!field) return refuse(path, `unknown field ${quoted(name)}`)
  if (!isFilterable(field)) refuse(path, `field ${quoted(name)} cannot be filtered`)
  return { name, field }
}

function methodNamed(given: unknown, field: FieldDeclaration, name: string, path: string): Method {
  if (typeof given !== 'string') return refuse(path, 'method must be the name of a filter method')
  const method = METHODS.find((one) => one === given) ?? refuse(path, `unknown method ${quoted(given)}`)
  if (!METHODS_OF[field.type].includes(method))
    refuse(path, `method ${method} does not fit field ${quoted(name)}, which is compared as ${field.type}`)
  return method
}

function flag(input: Record<string, unknown>, key: 'not' | 'casefold' | 'tostring', otherwise: boolean, path: string) {
  const value = input[key]
  if (value === undefined) return otherwise
  return typeof value === 'boolean' ? value : refuse(path, `${key} must be true or false`)
}
