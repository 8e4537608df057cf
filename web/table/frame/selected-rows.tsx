import { Button } from '@mantine/core'
import { countText } from '#web/lib/format.ts'
import { NOTHING_SELECTED, type SelectionState, selectedCount } from '#web/table/rows/selection.ts'
import classes from './frame.module.css'

/** How many rows are selected, a way to select all that match, and a way to select none. */
export function SelectedRows({ selection, setSelection, total }: SelectionState & { total: number }) {
  const count = selectedCount(selection, total)
  if (count === 0) return null
  return (
    <span className={classes.selected}>
      <span role="status">{countText(count)} selected</span>
      {!selection.isAllMatching && count < total && (
        <Button variant="subtle" size="compact-xs" onClick={() => setSelection({ ...selection, isAllMatching: true })}>
          Select all {countText(total)} that match
        </Button>
      )}
      <Button variant="subtle" size="compact-xs" onClick={() => setSelection(NOTHING_SELECTED)}>
        Clear selection
      </Button>
    </span>
  )
}
