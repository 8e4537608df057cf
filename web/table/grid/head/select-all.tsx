import { useEffect, useRef } from 'react'
import classes from '#web/table/grid/grid.module.css'
import { NOTHING_SELECTED, type SelectionState, selectPage } from '#web/table/rows/selection.ts'

type Props = SelectionState & { page: readonly string[]; what: string }

/** Ticks every row of the page. */
export function SelectAll({ selection, setSelection, page, what }: Props) {
  const box = useRef<HTMLInputElement>(null)
  const count = selection.isAllMatching ? page.length : page.filter((key) => selection.keys[key]).length
  const isAll = page.length > 0 && count === page.length
  const isSome = count > 0 && !isAll
  useEffect(() => {
    if (box.current) box.current.indeterminate = isSome
  }, [isSome])
  return (
    <input
      ref={box}
      type="checkbox"
      className={classes.checkbox}
      aria-label={`Select all ${what} on this page`}
      checked={isAll}
      onChange={() => setSelection(selection.isAllMatching ? NOTHING_SELECTED : selectPage(selection, page, !isAll))}
    />
  )
}
