/** Categories of service alerts, in ascending severity. */
export const ALERT_CATEGORIES = ['OK', 'INFO', 'WARNING', 'CRITICAL'] as const
export type AlertCategory = (typeof ALERT_CATEGORIES)[number]
export const ALERT_STATUSES = ['ACTIVE', 'RESOLVED'] as const
export type AlertStatus = (typeof ALERT_STATUSES)[number]

export const ALERT_LABELS: Record<AlertCategory, string> = {
  CRITICAL: 'Outage',
  WARNING: 'Service degradation',
  INFO: 'Planned maintenance',
  OK: 'Information',
}

/** 0 for OK up to 3 for CRITICAL. Sorting by category uses it. */
export function severityOf(category: AlertCategory): number {
  return ALERT_CATEGORIES.indexOf(category)
}

export type AlertLink = { text: string; url: string }

export type Alert = {
  id: string
  category: AlertCategory
  status: AlertStatus
  /** Instants, ISO 8601. */
  date: string
  expires: string | null
  description: string
  service: string[]
  links: AlertLink[]
}

const DAY = 24 * 60 * 60 * 1000
/** Planned maintenance and information appear at most this many days before their date. */
const ANNOUNCED_DAYS = 5

export function isExpired(alert: Pick<Alert, 'expires'>, now: Date): boolean {
  return alert.expires !== null && new Date(alert.expires) <= now
}

/** An alert counts as resolved when somebody has resolved it and it has expired. */
export function isResolved(alert: Pick<Alert, 'status' | 'expires'>, now: Date): boolean {
  return alert.status === 'RESOLVED' && isExpired(alert, now)
}

export function isInBanner(alert: Pick<Alert, 'category' | 'status' | 'date' | 'expires'>, now: Date): boolean {
  if (alert.status !== 'ACTIVE' || isExpired(alert, now)) return false
  if (alert.category === 'CRITICAL' || alert.category === 'WARNING') return true
  return new Date(alert.date).getTime() - now.getTime() <= ANNOUNCED_DAYS * DAY
}
