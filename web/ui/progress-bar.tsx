import type { ReactNode } from 'react'
import classes from './progress-bar.module.css'

type Props = {
  /** What the bar says, in words: it stands beside the bar, so that neither color nor length says it alone. */
  children: ReactNode
  /** How much of it is filled, 0 to 100. */
  percent: number
  /** What is over draws no attention. */
  color: 'red' | 'orange' | 'green' | 'muted'
}

/** A bar with its number. To those who cannot see it the number says everything. */
export function ProgressBar({ children, percent, color }: Props) {
  return (
    <span className={classes.progress} data-color={color}>
      <span className={classes.text}>{children}</span>
      <span className={classes.track} aria-hidden>
        <span className={classes.fill} style={{ width: `${percent}%` }} />
      </span>
    </span>
  )
}
