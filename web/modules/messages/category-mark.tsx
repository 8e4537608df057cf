import {
  IconAlertOctagonFilled,
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconInfoCircleFilled,
} from '@tabler/icons-react'
import { ALERT_LABELS, type AlertCategory } from '#domain/messages/alerts.ts'
import { ALERT_SIGNALS } from '#web/modules/messages/banner-text.ts'
import classes from './alerts.module.css'

const ICONS = {
  CRITICAL: IconAlertOctagonFilled,
  WARNING: IconAlertTriangleFilled,
  INFO: IconInfoCircleFilled,
  OK: IconCircleCheckFilled,
} as const satisfies Record<AlertCategory, unknown>

type Props = {
  category: AlertCategory
  size?: number
  /** Gray, because there is nothing to do about it any more. */
  isOver?: boolean
}

/** The category of an alert, with its color and icon. */
export function CategoryMark({ category, size = 16, isOver = false }: Props) {
  const Icon = ICONS[category]
  return (
    <span className={classes.category} data-signal={isOver ? 'none' : ALERT_SIGNALS[category]}>
      <Icon size={size} aria-hidden />
      <span>{ALERT_LABELS[category]}</span>
    </span>
  )
}
