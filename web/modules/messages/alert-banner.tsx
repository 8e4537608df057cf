import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { streamNotifications } from '#contract/messages/notifications.ts'
import type { Alert } from '#domain/messages/alerts.ts'
import { fileAddress } from '#web/lib/api-client.ts'
import { PortalLink } from '#web/lib/portal-link.tsx'
import { runtimeConfig } from '#web/lib/runtime-config.ts'
import { activeAlertsQuery, reloadAlerts, showActiveAlerts } from '#web/modules/messages/alerts.api.ts'
import { BannerMessage } from '#web/modules/messages/banner-message.tsx'
import { ALERT_SIGNALS, bannerText, signatureOf } from '#web/modules/messages/banner-text.ts'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
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

/**
 * Hears of every published alert at once. Only while somebody can see the page: browsers keep few connections to one
 * host, and a dozen tabs in the background would use them all up. The first event tells what was missed meanwhile.
 */
function useAlertStream(): void {
  const queries = useQueryClient()
  useEffect(() => {
    let stream: EventSource | undefined
    let isLater = false
    const hear = ({ data }: MessageEvent<string>) => {
      showActiveAlerts(queries, JSON.parse(data) as Alert[])
      // What is being asked for when the first event comes is as new as the event itself.
      reloadAlerts(queries, { cancelRefetch: isLater })
      isLater = true
    }
    const close = () => {
      stream?.close()
      stream = undefined
    }
    const follow = () => {
      if (document.hidden) return close()
      if (stream && stream.readyState !== EventSource.CLOSED) return
      stream = new EventSource(fileAddress(streamNotifications, { query: {} }))
      stream.addEventListener('alerts', hear)
      // The session is over: the next call says so to the person, and a new stream would only be refused.
      stream.addEventListener('end', close)
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      close()
    }
  }, [queries])
}
