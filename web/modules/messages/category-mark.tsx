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

/** How grave an alert is: in color, with an icon, and in words. */
export function CategoryMark({ category, size = 16 }: { category: AlertCategory; size?: number }) {
  const Icon = ICONS[category]
  return (
    <span className={classes.category} data-signal={ALERT_SIGNALS[category]}>
      <Icon size={size} aria-hidden />
      <span>{ALERT_LABELS[category]}</span>
    </span>
  )
}
