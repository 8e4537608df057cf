import type { Check, ParsedCriterion, ParsedElement, ParsedFilter } from '#domain/kit/filter-parsed.ts'

/** Criteria that ask of one field for one value after the other, and all the values that they ask for. */
export type OneOf = { readonly criterion: ParsedCriterion; readonly values: readonly string[] }

/**
 * What can be asked in one comparison with a list of values: any of them, or none of them. A list of some hundred values,
 * ticked one by one, would else be compared with every row one by one.
 */
export function gatherValues({ condition, criteria }: ParsedFilter): {
  readonly oneOf: readonly OneOf[]
  readonly others: readonly ParsedElement[]
} {
  const groups = new Map<string, { criterion: ParsedCriterion; values: string[] }>()
  const others: ParsedElement[] = []
  for (const element of criteria) {
    const isAlike = !('criteria' in element) && element.not === (condition === 'ALL')
    const value = isAlike ? singleValue(element.check) : undefined
    if (!isAlike || value === undefined) {
      others.push(element)
      continue
    }
    const key = JSON.stringify([
      element.name,
      element.check.kind,
      'casefold' in element.check && element.check.casefold,
    ])
    const group = groups.get(key)
    if (group) group.values.push(value)
    else groups.set(key, { criterion: element, values: [value] })
  }
  return { oneOf: [...groups.values()], others }
}

/** The value that the check compares with, if it is equality that it asks for. */
export function singleValue(check: Check): string | undefined {
  if (check.kind === 'text') return check.place === 'whole' ? check.needle : undefined
  if (check.kind !== 'range' || check.orMissing) return undefined
  const { low, high } = check
  return low?.included && high?.included && low.value === high.value ? low.value : undefined
}
