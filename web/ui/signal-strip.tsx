import { CloseButton } from '@mantine/core'
import {
  IconAlertOctagonFilled,
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconInfoCircleFilled,
} from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import type { Signal } from '#web/ui/theme/palette.ts'
import classes from './signal-strip.module.css'

const ICONS = {
  red: IconAlertOctagonFilled,
  orange: IconAlertTriangleFilled,
  blue: IconInfoCircleFilled,
  green: IconCircleCheckFilled,
} as const satisfies Record<Signal, unknown>

type Props = {
  signal: Signal
  /** Read out at once (alert) or when there is a pause (status); none inside of an element that is read out already. */
  role?: 'alert' | 'status'
  children: ReactNode
  /** Across the whole width of the page instead of as a card in it. */
  isBanner?: boolean
  closeLabel?: string
  onClose?: () => void
  ref?: Ref<HTMLDivElement>
}

/** A message whose color has a meaning; the icon says the same to those who do not see the color. */
export function SignalStrip({ signal, role, children, isBanner, closeLabel = 'Dismiss', onClose, ref }: Props) {
  const Icon = ICONS[signal]
  return (
    <div ref={ref} className={classes.strip} data-signal={signal} data-banner={isBanner || undefined} role={role}>
      <Icon className={classes.icon} size={18} aria-hidden />
      <div className={classes.message}>{children}</div>
      {onClose && <CloseButton size="sm" className={classes.close} aria-label={closeLabel} onClick={onClose} />}
    </div>
  )
}
