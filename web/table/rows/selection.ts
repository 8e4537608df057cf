import { useEffect, useRef, useState } from 'react'
import type { FilterInput } from '#domain/filter/filter.ts'
import type { Marks } from '#web/table/engine.ts'

/** Ticked rows by key; or all rows that match the filters, on all pages. */
export type Selection = { readonly keys: Marks; readonly isAllMatching: boolean }

export type SelectionState = { selection: Selection; setSelection(next: Selection): void }

export const NOTHING_SELECTED: Selection = { keys: {}, isAllMatching: false }

/** For tables whose rows can all be selected. */
export const ANY_ROW = () => true

export function useSelection(): SelectionState {
  const [selection, setSelection] = useState(NOTHING_SELECTED)
  return { selection, setSelection }
}

/** A new filter matches other rows, so it ends a selection of all that match. */
export function useSelectionOfFilter(state: SelectionState | undefined, filter: FilterInput): void {
  const question = JSON.stringify(filter)
  const before = useRef(question)
  useEffect(() => {
    if (before.current !== question && state?.selection.isAllMatching) state.setSelection(NOTHING_SELECTED)
    before.current = question
  })
}

/** The number of selected rows; `total` is the number that match. */
export function selectedCount({ keys, isAllMatching }: Selection, total: number): number {
  return isAllMatching ? total : Object.keys(keys).length
}

/** Ticks or unticks the rows of a page; rows of other pages stay as they are. */
export function selectPage({ keys }: Selection, page: readonly string[], isWanted: boolean): Selection {
  const next = { ...keys }
  for (const key of page) {
    if (isWanted) next[key] = true
    else delete next[key]
  }
  return { keys: next, isAllMatching: false }
}
