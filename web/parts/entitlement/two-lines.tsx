import type { ReactNode } from 'react'
import { timeText } from '#web/lib/format.ts'
import { dateFigures } from '#web/ui/figures.tsx'
import classes from './entitlement.module.css'

/** A cell of a table whose rows have two lines: the second one is quiet. */
export const twoLines = (first: ReactNode, second: ReactNode) => (
  <span className={classes.lines}>
    <span>{first}</span>
    <span>{second}</span>
  </span>
)

/** An email address: the name and, below it, the domain. */
export function personCell(email: string): ReactNode {
  const at = email.indexOf('@')
  return at < 1 ? email : twoLines(email.slice(0, at), email.slice(at))
}

/** An instant: the day and, below it, the time. */
export function instantCell(instant: string): ReactNode {
  const [day = '', time = ''] = timeText(instant).split(' ')
  return twoLines(dateFigures(`${day} `), time)
}
