import { ALERT_CATEGORIES, ALERT_LABELS, type Alert, type AlertCategory } from '#domain/messages/alerts.ts'
import type { Signal } from '#web/ui/theme/tokens.ts'

export const ALERT_SIGNALS: Record<AlertCategory, Signal> = {
  CRITICAL: 'red',
  WARNING: 'orange',
  INFO: 'blue',
  OK: 'green',
}

/** 'A', 'A and B', 'A, B and C'. */
export function joinWithAnd(words: readonly string[]): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

export type BannerText = {
  category: AlertCategory
  title: string
  services: string
  description: string | undefined
  from: string | undefined
  to: string | undefined
  /** The page with the details. */
  address: string
}

/** One alert in full. Several alerts as the list of their services, in the color of the most severe one. */
export function bannerText(alerts: readonly Alert[]): BannerText | undefined {
  const [first] = alerts
  if (!first) return undefined
  const services = joinWithAnd([...new Set(alerts.flatMap((alert) => alert.service))])
  if (alerts.length > 1)
    return {
      category: mostSevere(alerts),
      title: 'Multiple alerts',
      services,
      description: undefined,
      from: undefined,
      to: undefined,
      address: '/notifications',
    }
  return {
    category: first.category,
    title: ALERT_LABELS[first.category],
    services,
    description: first.description,
    from: first.date,
    to: first.expires ?? undefined,
    address: `/notification-details/${encodeURIComponent(first.id)}`,
  }
}

/** Equal for two sets of alerts with the same content. A closed banner stays closed while it is the same. */
export function signatureOf(alerts: readonly Alert[]): string {
  const contents = alerts.map(({ id, category, date, expires, description, service }) =>
    JSON.stringify([id, category, date, expires, description, service]),
  )
  return contents.sort().join('\n')
}

function mostSevere(alerts: readonly Alert[]): AlertCategory {
  return ALERT_CATEGORIES.findLast((category) => alerts.some((alert) => alert.category === category)) ?? 'OK'
}
