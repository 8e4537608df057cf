import { Fragment, type ReactNode } from 'react'
import { RowCopyButton } from '#web/ui/row-copy-button.tsx'
import classes from './history.module.css'

/** Text that goes on in the second line of a cell. */
export function Lines({ children }: { children: ReactNode }) {
  return <span className={classes.lines}>{children}</span>
}

/** An email address that breaks before its @; several people are only counted. */
export function People({ emails }: { emails: string }) {
  const all = emails.split(', ')
  if (all.length > 1) return `${all.length} people`
  const at = emails.indexOf('@')
  if (at < 0) return <Lines>{emails}</Lines>
  return (
    <span className={`${classes.lines} ${classes.email}`}>
      {emails.slice(0, at)}
      <wbr />
      {emails.slice(at)}
    </span>
  )
}

/** A host id; those of a triad break after a comma. */
export function HostId({ id }: { id: string }) {
  return (
    <span className={classes.hostId}>
      <span className={classes.lines}>
        {id.split(',').map((part, index) => (
          <Fragment key={part}>
            {index > 0 && ','}
            {index > 0 && <wbr />}
            {part}
          </Fragment>
        ))}
      </span>
      <RowCopyButton value={id} what="Host ID" />
    </span>
  )
}

/** A day, below the words that may stand before it. */
export function EndDay({ text }: { text: string }) {
  const at = text.lastIndexOf(' ')
  if (at < 0) return text
  return (
    <span className={classes.ending}>
      <span className={classes.phrase}>{text.slice(0, at)} </span>
      {text.slice(at + 1)}
    </span>
  )
}
