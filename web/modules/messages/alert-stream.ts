import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { streamNotifications } from '#contract/messages/notifications.ts'
import type { Alert } from '#domain/messages/alerts.ts'
import { fileAddress } from '#web/lib/api-client.ts'
import { reloadAlerts, showActiveAlerts } from '#web/modules/messages/alerts.api.ts'

/**
 * Hears of every published alert at once. Only while somebody can see the page: browsers keep few connections to one
 * host, and a dozen tabs in the background would use them all up. The first event tells what was missed meanwhile.
 */
export function useAlertStream(): void {
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
