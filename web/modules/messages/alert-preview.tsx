import { Text } from '@mantine/core'
import type { AlertDraft } from '#domain/messages/alert-draft.ts'
import { type AlertStatus, isInBanner } from '#domain/messages/alerts.ts'
import { BannerMessage } from '#web/modules/messages/banner-message.tsx'
import { ALERT_SIGNALS, bannerText } from '#web/modules/messages/banner-text.ts'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './alert-banner.module.css'

/** The banner as everybody will see it. */
export function AlertPreview({ draft, status }: { draft: AlertDraft; status: AlertStatus }) {
  const alert = { ...draft, id: '', status }
  const text = bannerText([alert])
  if (!text) return null
  return (
    <section aria-label="Preview of the banner">
      <Text size="sm" fw={500} mb={4} aria-hidden>
        Preview of the banner
      </Text>
      <SignalStrip signal={ALERT_SIGNALS[text.category]} role="status">
        <BannerMessage text={text} title={<span className={classes.previewTitle}>{text.title}</span>} />
      </SignalStrip>
      {!isInBanner(alert, new Date()) && (
        <Text size="sm" c="dimmed" mt={4}>
          Not in the banner now: planned maintenance and information come 5 days before their date, and what is resolved
          or expired stays in the list only.
        </Text>
      )}
    </section>
  )
}
