export type Value = string | null

/** A filter may hold 100 criteria in all; this leaves room for the other columns and for the dates. */
export const MAX_CHOSEN = 80

/** Ticks or unticks everything that is listed; what the search hides stays as it is. */
export function toggleAll(chosen: ReadonlySet<Value>, listed: readonly Value[], isTicked: boolean): ReadonlySet<Value> {
  const next = new Set(chosen)
  for (const value of listed) isTicked ? next.add(value) : next.delete(value)
  return next
}

export function toggle(chosen: ReadonlySet<Value>, value: Value): ReadonlySet<Value> {
  return toggleAll(chosen, [value], !chosen.has(value))
}

/** What is stored: everything ticked, with nothing searched for, is no filter at all. */
export function valuesToApply(chosen: ReadonlySet<Value>, listed: readonly Value[], search: string): Value[] {
  const isEverything = search === '' && listed.every((value) => chosen.has(value))
  return isEverything ? [] : [...chosen]
}

/** Why the choice cannot be applied, if it cannot. */
export function problemOf(chosen: ReadonlySet<Value>, listed: readonly Value[], search: string): string | undefined {
  if (chosen.size === 0) return 'Choose at least one value.'
  if (valuesToApply(chosen, listed, search).length > MAX_CHOSEN)
    return `At most ${MAX_CHOSEN} values can be chosen. Choose fewer, or all of them.`
  return undefined
}
