import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PortalLink } from '#web/lib/portal-link.tsx'
import { runtimeConfig } from '#web/lib/runtime-config.ts'
import { useAlertStream } from '#web/modules/messages/alert-stream.ts'
import { activeAlertsQuery } from '#web/modules/messages/alerts.api.ts'
import { BannerMessage } from '#web/modules/messages/banner-message.tsx'
import { ALERT_SIGNALS, bannerText, signatureOf } from '#web/modules/messages/banner-text.ts'
import { SignalStrip } from '#web/ui/signal/signal-strip.tsx'
import classes from './alert-banner.module.css'

const CLOSED = 'closed-alerts'

/** Above every screen while something is wrong or announced. Closed, it returns when the alerts change. */
export function AlertBanner() {
  useAlertStream()
  const { data: alerts = [] } = useQuery(activeAlertsQuery(runtimeConfig().alertRefreshMinutes))
  const [closed, setClosed] = useState(() => sessionStorage.getItem(CLOSED))
  const text = bannerText(alerts)
  const signature = signatureOf(alerts)
  if (!text || signature === closed) return null

  const close = () => {
    sessionStorage.setItem(CLOSED, signature)
    setClosed(signature)
  }
  const title = (
    <PortalLink to={text.address} className={classes.title}>
      {text.title}
    </PortalLink>
  )
  return (
    <SignalStrip
      isBanner
      role={text.category === 'CRITICAL' ? 'alert' : 'status'}
      signal={ALERT_SIGNALS[text.category]}
      closeLabel="Close alerts"
      onClose={close}
    >
      <BannerMessage text={text} title={title} />
    </SignalStrip>
  )
}
