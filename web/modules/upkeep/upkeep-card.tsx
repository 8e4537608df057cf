import { Paper, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { SIGNAL_ICONS } from '#web/ui/signal-strip.tsx'
import type { Signal } from '#web/ui/theme/tokens.ts'
import classes from './upkeep.module.css'

export type State = { readonly signal: Signal; readonly text: string }
export const FINE: State = { signal: 'green', text: 'OK' }

type Props = {
  title: string
  /** Absent where the part could not be read. */
  state?: State | undefined
  isWide?: boolean
  children: ReactNode
}

/** One subject of the operations screen, with its state. */
export function UpkeepCard({ title, state, isWide, children }: Props) {
  const id = useId()
  return (
    <Paper component="section" className={classes.card} data-wide={isWide || undefined} aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {state && <StateMark {...state} />}
      </div>
      {children}
    </Paper>
  )
}

export function StateMark({ signal, text }: State) {
  const Icon = SIGNAL_ICONS[signal]
  return (
    <span className={classes.state} data-signal={signal}>
      <Icon size={16} aria-hidden />
      {text}
    </span>
  )
}

/** For a part that the server could not read. */
export function NotRead() {
  return <p className={classes.none}>This could not be read. The log of the portal has the reason.</p>
}

export const Note = ({ children }: { children: ReactNode }) => <p className={classes.none}>{children}</p>
