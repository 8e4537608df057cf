import { RowCopyButton } from '#web/ui/row-copy-button.tsx'
import classes from './data-grid.module.css'

/** A long id: one reads its beginning, and copies the whole. On the keyboard, Enter or Ctrl+C copies the cell that has the focus. */
export function IdCell({ id, what }: { id: string; what: string }) {
  if (id === '') return null
  return (
    <span className={classes.idCell}>
      <span className={classes.idText} title={id}>
        {id}
      </span>
      <RowCopyButton value={id} what={what} isTabStop={false} />
    </span>
  )
}
