import { dateFigures } from '#web/ui/figures.tsx'
import { RowCopyButton } from '#web/ui/row-copy-button.tsx'
import classes from './history.module.css'

/** Who made a change; several people are only counted. */
export function peopleText(emails: string): string {
  const all = emails.split(', ')
  return all.length > 1 ? `${all.length} people` : emails
}

/** The kind of a host id and all of it; of a triad as much as there is room for. */
export function HostId({ id }: { id: string }) {
  return (
    <span className={classes.hostId}>
      <span className="id">{id}</span>
      <RowCopyButton value={id} what="Host ID" />
    </span>
  )
}

/** A day, below the words that may stand before it. */
export function EndDay({ text }: { text: string }) {
  const at = text.lastIndexOf(' ')
  if (at < 0) return dateFigures(text)
  return (
    <span className={classes.ending}>
      <span className={classes.phrase}>{text.slice(0, at)} </span>
      {dateFigures(text.slice(at + 1))}
    </span>
  )
}
