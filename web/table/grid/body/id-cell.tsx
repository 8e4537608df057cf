import classes from '#web/table/grid/grid.module.css'
import { RowCopyButton } from '#web/ui/row-copy-button.tsx'

/** A long id: people read its beginning, and copy it as a whole. */
export function IdCell({ id, what }: { id: string; what: string }) {
  if (id === '') return null
  return (
    <span className={classes.idCell}>
      <span className={classes.idText}>{id}</span>
      <RowCopyButton value={id} what={what} />
    </span>
  )
}
