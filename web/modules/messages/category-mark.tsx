import { ALERT_LABELS, type AlertCategory } from '#domain/messages/alerts.ts'
import { ALERT_SIGNALS } from '#web/modules/messages/banner-text.ts'
import { SIGNAL_ICONS } from '#web/ui/signal-strip.tsx'
import classes from './alerts.module.css'

type Props = {
  category: AlertCategory
  size?: number
  /** Gray, because no action is needed any more. */
  isOver?: boolean
}

/** The category of an alert, with its color and icon. */
export function CategoryMark({ category, size = 16, isOver = false }: Props) {
  const signal = ALERT_SIGNALS[category]
  const Icon = SIGNAL_ICONS[signal]
  return (
    <span className={classes.category} data-signal={isOver ? 'none' : signal}>
      <Icon size={size} aria-hidden />
      <span>{ALERT_LABELS[category]}</span>
    </span>
  )
}
