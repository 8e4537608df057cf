import type { Check, ParsedCriterion, ParsedElement, ParsedFilter, TextMatch } from '#domain/filter/parsed-filter.ts'

/** Criteria that ask the same of one field for one value after the other, and all the values that they ask for. */
export type Gathered = {
  readonly criterion: ParsedCriterion
  readonly values: readonly string[]
  /** Whether any of the values will do, or all must fit. */
  readonly takes: 'any' | 'all'
}

/**
 * Criteria that can become one comparison with a list of values. Hundreds of ticked values would otherwise be compared one
 * by one with every row, and each would make the statement longer to plan.
 */
export function gatherValues({ condition, criteria }: ParsedFilter): {
  readonly gathered: readonly Gathered[]
  readonly others: readonly ParsedElement[]
} {
  const groups = new Map<string, Gathered & { values: string[] }>()
  const others: ParsedElement[] = []
  for (const element of criteria) {
    const found = 'criteria' in element ? undefined : valueIn(element, condition)
    if (!found) {
      others.push(element)
      continue
    }
    const group = groups.get(found.key)
    if (group) group.values.push(found.value)
    else groups.set(found.key, { criterion: found.criterion, values: [found.value], takes: found.takes })
  }
  return { gathered: [...groups.values()], others }
}

function valueIn(criterion: ParsedCriterion, condition: ParsedFilter['condition']) {
  const { name, check, not } = criterion
  const takes = not === (condition === 'ALL') ? ('any' as const) : ('all' as const)
  const pattern = patternOf(check)
  // No value equals all of several values, so such a filter is not worth gathering.
  const value = pattern ?? (takes === 'any' ? singleValue(check) : undefined)
  if (value === undefined) return undefined
  const isFolded = 'casefold' in check && check.casefold
  return { criterion, value, takes, key: `${takes} ${pattern !== undefined} ${check.kind} ${isFolded} ${name}` }
}

/** The value of a check for equality. */
export function singleValue(check: Check): string | undefined {
  if (check.kind === 'text') return check.match === 'whole' ? check.needle : undefined
  if (check.kind !== 'range' || check.orMissing) return undefined
  const { low, high } = check
  return low?.included && high?.included && low.value === high.value ? low.value : undefined
}

type PatternCheck = Check & { kind: 'text'; match: Exclude<TextMatch, 'whole'> }

export function isPattern(check: Check): check is PatternCheck {
  return check.kind === 'text' && check.match !== 'whole'
}

/** What `like` takes, with everything in the search text meant as it is written. */
export function patternOf(check: Check): string | undefined {
  if (!isPattern(check)) return undefined
  const plain = check.needle.replace(/[\\%_]/g, '\\$&')
  return `${check.match === 'start' ? '' : '%'}${plain}${check.match === 'end' ? '' : '%'}`
}
