import type { ReactNode } from 'react'
import type { Signal } from '#web/ui/theme/tokens.ts'
import classes from './signal-dot.module.css'

/** A state in words, after a dot in the color of its meaning. */
export function SignalDot({ signal, children }: { signal: Signal | 'none'; children: ReactNode }) {
  return (
    <span className={classes.state} data-signal={signal}>
      {children}
    </span>
  )
}
