import { RowCopyButton } from '#web/ui/row-copy-button.tsx'
import classes from './id.module.css'

const BEGINNING = 8
const END = 5

/** An id on one line: its beginning and end. The middle takes no room, but is searched, selected, read and printed. */
export function idText(id: string) {
  if (id.length <= BEGINNING + END + 1) return <span className="id">{id}</span>
  return (
    <span className="id" title={id}>
      {id.slice(0, BEGINNING)}
      <span className={classes.middle}>{id.slice(BEGINNING, -END)}</span>
      {id.slice(-END)}
    </span>
  )
}

/** An id with a button that copies it. `what` completes the accessible name "Copy …". */
export function Id({ id, what }: { id: string; what: string }) {
  if (id === '') return null
  return (
    <span className={classes.copied}>
      {idText(id)}
      <RowCopyButton value={id} what={what} />
    </span>
  )
}
