import { CloseButton } from '@mantine/core'
import {
  IconAlertOctagonFilled,
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconInfoCircleFilled,
} from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import type { Signal } from '#web/ui/theme/tokens.ts'
import classes from './signal-strip.module.css'

export const SIGNAL_ICONS = {
  red: IconAlertOctagonFilled,
  orange: IconAlertTriangleFilled,
  blue: IconInfoCircleFilled,
  green: IconCircleCheckFilled,
} as const satisfies Record<Signal, unknown>

type Props = {
  signal: Signal
  /** `alert` is read out at once, `status` in a pause. None inside of another live region. */
  role?: 'alert' | 'status'
  children: ReactNode
  /** Full width instead of a card. */
  isBanner?: boolean
  closeLabel?: string
  onClose?: () => void
  ref?: Ref<HTMLDivElement>
}

/** A message whose color has a meaning. The icon has the same meaning. */
export function SignalStrip({ signal, role, children, isBanner, closeLabel = 'Dismiss', onClose, ref }: Props) {
  const Icon = SIGNAL_ICONS[signal]
  return (
    <div ref={ref} className={classes.strip} data-signal={signal} data-banner={isBanner || undefined} role={role}>
      <Icon className={classes.icon} size={18} aria-hidden />
      <div className={classes.message}>{children}</div>
      {onClose && <CloseButton size="sm" className={classes.close} aria-label={closeLabel} onClick={onClose} />}
    </div>
  )
}

/** For `ref`: scrolls a new element into view, without animation if the person prefers reduced motion. */
export function bringIntoView(element: HTMLElement | null): void {
  const isReduced = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  element?.scrollIntoView({ block: 'nearest', behavior: isReduced ? 'instant' : 'smooth' })
}
