import { type Fields, isSortable } from '#domain/filter/fields.ts'
import { isPlainObject, quoted, refuse, refuseUnknownKeys } from '#domain/filter/filter-error.ts'
import type { ParsedSorting, SortKey } from '#domain/filter/parsed-filter.ts'

const MAX_RULES = 20

/** Reads sort rules of any shape, or throws a FilterError that says what is wrong and where. */
export function parseSorting(fields: Fields, input: unknown): ParsedSorting {
  if (input === undefined || input === null) return []
  if (!Array.isArray(input)) return refuse('sorting', 'must be a list')
  if (input.length > MAX_RULES) refuse('sorting', `more than ${MAX_RULES} rules`)
  const keys: SortKey[] = []
  for (const [index, rule] of input.entries()) {
    const path = `sorting[${index}]`
    const key = parseRule(fields, rule, path)
    if (keys.some((earlier) => earlier.name === key.name)) refuse(path, `field ${quoted(key.name)} is sorted by twice`)
    keys.push(key)
  }
  return keys
}

function parseRule(fields: Fields, rule: unknown, path: string): SortKey {
  if (!isPlainObject(rule)) return refuse(path, 'must be an object {name, direction}')
  refuseUnknownKeys(path, rule, ['name', 'direction'])
  const { name, direction } = rule
  if (typeof name !== 'string') return refuse(path, 'name must be the name of a field')
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (!field) return refuse(path, `unknown field ${quoted(name)}`)
  if (!isSortable(field)) refuse(path, `field ${quoted(name)} cannot be sorted by`)
  if (typeof direction !== 'string' || !/^(asc|desc|ASC|DESC)$/.test(direction))
    return refuse(path, "direction must be 'asc' or 'desc'")
  const descending = direction.toLowerCase() === 'desc'
  return { name, type: field.type, descending, ...(field.missingIsFuture ? { missingIsFuture: true } : {}) }
}

/** What makes the order of a list complete: the order it has by itself, and the unique key that decides between equals. */
export type ListOrder = {
  readonly fields: Fields
  readonly key: readonly string[]
  readonly defaultSort: ParsedSorting
}

/**
 * The key follows the direction of the weakest rule, so that one index serves the whole order, forwards or backwards.
 */
export function completeOrder(list: ListOrder, sorting: ParsedSorting): ParsedSorting {
  const rules = sorting.length > 0 ? sorting : list.defaultSort
  const descending = rules.at(-1)?.descending ?? false
  const missing = list.key.filter((name) => !rules.some((key) => key.name === name))
  return [...rules, ...missing.map((name) => ({ name, type: list.fields[name]?.type ?? 'text', descending }))]
}
