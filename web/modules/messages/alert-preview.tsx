import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AlertDraft } from '#domain/messages/alert-draft.ts'
import { type AlertStatus, isInBanner } from '#domain/messages/alerts.ts'
import { isInstant } from '#web/form/typed-instant.ts'
import { runtimeConfig } from '#web/lib/runtime-config.ts'
import { serverTime } from '#web/lib/server-time.ts'
import { activeAlertsQuery } from '#web/modules/messages/alerts.api.ts'
import { BannerMessage } from '#web/modules/messages/banner-message.tsx'
import { ALERT_SIGNALS, bannerText } from '#web/modules/messages/banner-text.ts'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './alert-banner.module.css'

type Props = {
  draft: AlertDraft
  /** The alert that is being changed; none for a new one. */
  id?: string | undefined
  status: AlertStatus
  label?: string
}

/** The banner as everybody will see it once the draft is published, together with the other alerts. */
export function AlertPreview({ draft, id = '', status, label = 'Preview of the banner' }: Props) {
  const { data: active = [] } = useQuery(activeAlertsQuery(runtimeConfig().alertRefreshMinutes))
  if (![draft.date, draft.expires ?? draft.date].every(isInstant)) return null
  const alert = { ...draft, id, status }
  const isShown = isInBanner(alert, serverTime())
  const others = active.filter((one) => one.id !== id)
  const text = bannerText(isShown ? [...others, alert] : others)
  return (
    <section aria-label={label}>
      <Text size="sm" fw={500} mb={4} aria-hidden>
        {label}
      </Text>
      {text && (
        <SignalStrip isBanner signal={ALERT_SIGNALS[text.category]} role="status">
          <BannerMessage text={text} title={<span className={classes.title}>{text.title}</span>} />
        </SignalStrip>
      )}
      {!isShown && (
        <Text size="sm" c="dimmed" mt={4}>
          {notShownText(status)}
        </Text>
      )}
    </section>
  )
}

function notShownText(status: AlertStatus): string {
  return status === 'RESOLVED'
    ? 'The banner does not show this alert, because it is resolved.'
    : 'The banner does not show this alert now. Planned maintenance and information appear 5 days before their date, and expired alerts stay in the list only.'
}
