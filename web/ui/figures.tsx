import { Fragment, type ReactNode } from 'react'
import classes from './figures.module.css'

/** A date or time whose digits line up with those above. Tabular figures would widen its hyphens, too. */
export function dateFigures(text: string): ReactNode {
  const parts = text.split('-')
  if (parts.length === 1) return text
  return parts.map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <span className={classes.hyphen}>-</span>}
      {part}
    </Fragment>
  ))
}
