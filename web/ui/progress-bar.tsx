import type { ReactNode } from 'react'
import classes from './progress-bar.module.css'

type Props = {
  /** The meaning of the bar in words, shown next to it. */
  children: ReactNode
  /** The filled part, 0 to 100. */
  percent: number
  /** Muted for expired rows. */
  color: 'red' | 'orange' | 'green' | 'muted'
  /** Below its number, if there is no room next to it. */
  isStacked?: boolean | undefined
}

/** A bar with its number. Screen readers read the number only. */
export function ProgressBar({ children, percent, color, isStacked }: Props) {
  return (
    <span className={classes.progress} data-color={color} data-stacked={isStacked}>
      <span className={classes.text}>{children}</span>
      <span className={classes.track} aria-hidden>
        <span className={classes.fill} style={{ width: `${percent}%` }} />
      </span>
    </span>
  )
}
