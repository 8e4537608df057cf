import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Alert } from '#domain/messages/alerts.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { fileAddress } from '#web/lib/api/api-client.ts'
import { useKept } from '#web/lib/kept/kept.ts'
import { runtimeConfig } from '#web/lib/runtime-config.ts'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { activeAlertsQuery, reloadAlerts, showActiveAlerts } from '#web/modules/messages/alerts.api.ts'
import { BannerMessage } from '#web/modules/messages/banner-message.tsx'
import { ALERT_SIGNALS, bannerText, signatureOf } from '#web/modules/messages/banner-text.ts'
import { isListening, type SeatOffer, showOffer } from '#web/parts/waiting/seat-notices.ts'
import { useRouteHandle } from '#web/ui/crumbs.ts'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './alert-banner.module.css'

/** Above every screen while there are alerts. A closed banner stays closed for this person until the alerts change. */
export function AlertBanner() {
  useAlertStream()
  const { data: alerts = [] } = useQuery(activeAlertsQuery(runtimeConfig().alertRefreshMinutes))
  const { user } = useSignedIn()
  const [closed, setClosed] = useKept(`closedAlerts:${user.email}`)
  const isHome = useRouteHandle()?.menuPath === 'home'
  const text = bannerText(alerts)
  const signature = signatureOf(alerts)
  if (!text || signature === closed) return null

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
      onClose={() => setClosed(signature)}
    >
      <BannerMessage text={text} title={title} line={isHome ? 'on phones' : 'always'} />
    </SignalStrip>
  )
}

/**
 * Receives every published alert, and seats that are free for this person, at once, while the page is visible. Browsers limit the connections to one host, and
 * background tabs would use them up. The first event after a pause brings the current alerts.
 */
function useAlertStream(): void {
  const queries = useQueryClient()
  const { user } = useSignedIn()
  useEffect(() => {
    let stream: EventSource | undefined
    let isLater = false
    let stopListening: (() => void) | undefined
    const hear = ({ data }: MessageEvent<string>) => {
      showActiveAlerts(queries, JSON.parse(data) as Alert[])
      // A request that is under way when the first event arrives is as new as the event.
      reloadAlerts(queries, { cancelRefetch: isLater })
      isLater = true
    }
    const close = () => {
      stream?.close()
      stream = undefined
    }
    /** Of the tabs in the background, one goes on for a person who waits for a seat. */
    const listenInBackground = () => {
      if (!isListening(user.email) || !('locks' in navigator)) return close()
      void navigator.locks.request('stream in the background', { ifAvailable: true }, (lock) => {
        if (!lock) return close()
        return new Promise<void>((resolve) => {
          stopListening = resolve
        })
      })
    }
    const follow = () => {
      stopListening?.()
      stopListening = undefined
      if (document.hidden) return listenInBackground()
      if (stream && stream.readyState !== EventSource.CLOSED) return
      stream = new EventSource(fileAddress('notifications/stream', { query: {} }))
      stream.addEventListener('alerts', hear)
      stream.addEventListener('seat', ({ data }: MessageEvent<string>) =>
        showOffer(queries, JSON.parse(data) as SeatOffer),
      )
      // The session has ended. A new stream would be refused; the next call sends the person to sign-in.
      stream.addEventListener('end', close)
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      stopListening?.()
      close()
    }
  }, [queries, user.email])
}
