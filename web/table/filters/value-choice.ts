import type { SetFilter } from '#web/table/filters/column-filter.ts'

export type Value = string | null

/** How a missing value is shown. */
export const BLANK = '(Blank)'

/** What is ticked: these values, or all but these. */
export type Choice = { readonly isExcept: boolean; readonly values: ReadonlySet<Value> }

/** The number of values that a list can show. A filter may hold 600 criteria: the rest is for the other columns. */
export const MAX_CHOSEN = 500

export function choiceOf(filter: SetFilter): Choice {
  return { isExcept: filter.type === 'except', values: new Set(filter.values) }
}

export function isTicked({ isExcept, values }: Choice, value: Value): boolean {
  return values.has(value) !== isExcept
}

/** Ticks or unticks everything that is listed; what the search hides stays as it is. */
export function toggleAll({ isExcept, values }: Choice, listed: readonly Value[], isWanted: boolean): Choice {
  const next = new Set(values)
  for (const value of listed) isWanted !== isExcept ? next.add(value) : next.delete(value)
  return { isExcept, values: next }
}

export function toggle(choice: Choice, value: Value): Choice {
  return toggleAll(choice, [value], !isTicked(choice, value))
}

type Lists = {
  /** What the dialog shows. */
  listed: readonly Value[]
  /** The values without a search; undefined if they are not known. */
  all: readonly Value[] | undefined
  search: string
}

/**
 * What is saved: everything ticked without a search is no filter. Of the ticked and the unticked values, the
 * smaller set is saved, so that "all but one" is short and also matches values that are added later.
 */
export function filterToApply(choice: Choice, { listed, all, search }: Lists): SetFilter | undefined {
  const isEverything = search === '' && listed.every((value) => isTicked(choice, value))
  if (isEverything || (choice.isExcept && choice.values.size === 0)) return undefined
  const ticked = all?.filter((value) => isTicked(choice, value)) ?? []
  const unticked = all?.filter((value) => !isTicked(choice, value)) ?? []
  if (choice.isExcept) return all && unticked.length >= ticked.length ? only(ticked) : allBut([...choice.values])
  // Values that other filters hide now must not be added to the choice.
  const isListed = ticked.length === choice.values.size
  return isListed && unticked.length < ticked.length ? allBut(unticked) : only([...choice.values])
}

const only = (values: readonly Value[]): SetFilter => ({ filterType: 'set', values })
const allBut = (values: readonly Value[]): SetFilter => ({ filterType: 'set', type: 'except', values })

/** Why the choice cannot be applied, if it cannot. */
export function problemOf(choice: Choice, lists: Lists): string | undefined {
  const isNothing = choice.isExcept ? lists.all?.every((value) => !isTicked(choice, value)) : choice.values.size === 0
  if (isNothing) return 'Choose at least one value.'
  const kept = filterToApply(choice, lists)?.values.length ?? 0
  return kept > MAX_CHOSEN ? `At most ${MAX_CHOSEN} values can be chosen. Choose fewer.` : undefined
}
