import { Button, Text, Title } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowBarRight,
  IconArrowBarToRight,
  IconFileCheck,
  IconMail,
  IconPlus,
  IconPower,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { countOf, timeText } from '#web/lib/format.ts'
import { type TimelineEvent, timelineQuery } from '#web/modules/activations/history/host-history.api.ts'
import { HostLink } from '#web/parts/host-link.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './history.module.css'

const ICONS = {
  ACTIVATED: IconPlus,
  RETURNED: IconArrowBackUp,
  REHOSTED_HERE: IconArrowBarToRight,
  REHOSTED_AWAY: IconArrowBarRight,
  DEACTIVATED: IconPower,
  FORCED_RETURN: IconAlertTriangle,
  GENERATED: IconFileCheck,
  MAILED: IconMail,
} as const satisfies Record<TimelineEvent['kind'], unknown>

const FIRST = 30
const MAX = 1000

/** Who did what to a host, the newest first. */
export function HostTimeline({ customerNumber, host }: { customerNumber: string; host: HostIdentity }) {
  const [limit, setLimit] = useState(FIRST)
  const { data, error, refetch, isPlaceholderData } = useQuery(timelineQuery(customerNumber, host, limit))
  return (
    <section className={classes.timeline} aria-label={`Timeline of ${host.serverName}`}>
      <Title order={3}>Timeline</Title>
      {error ? (
        <FailureNotice failure={error} onRetry={refetch} />
      ) : !data ? (
        <Spinner />
      ) : (
        <>
          {data.events.length === 0 && <Text c="dimmed">Nothing has happened on this license server yet.</Text>}
          <ol className={classes.events}>
            {data.events.map((event, index) => {
              const Icon = ICONS[event.kind]
              return (
                <li key={index} className={classes.event} data-kind={event.kind}>
                  <span className={classes.dot} aria-hidden>
                    <Icon size={14} />
                  </span>
                  <span className={classes.what}>
                    {eventText(event)}
                    <OtherHost event={event} />
                  </span>
                  <span className={classes.who}>
                    <time dateTime={event.time}>{timeText(event.time)}</time> · {event.by}
                  </span>
                </li>
              )
            })}
          </ol>
          {data.hasEarlier && limit < MAX && (
            <Button
              size="compact-sm"
              variant="subtle"
              loading={isPlaceholderData}
              onClick={() => setLimit(Math.min(MAX, limit * 5))}
            >
              Show earlier
            </Button>
          )}
        </>
      )}
    </section>
  )
}

/** Where a rehost went to or came from. */
function OtherHost({ event: { kind, otherHost } }: { event: TimelineEvent }) {
  if (!otherHost) return null
  return (
    <span className={classes.below}>
      {kind === 'REHOSTED_AWAY' ? 'to ' : 'from '}
      <HostLink host={otherHost} />
      {!otherHost.isListed && ' (deleted)'}
    </span>
  )
}

/** One sentence about an event. */
export function eventText({ kind, by, seats, entitlements, otherHost, reason, recipients }: TimelineEvent): string {
  const what = `${countOf(seats ?? 0, 'seat')} of ${countOf(entitlements ?? 0, 'entitlement')}`
  switch (kind) {
    case 'ACTIVATED':
      return `Activated ${what}`
    case 'RETURNED':
      return `Returned ${what}`
    case 'REHOSTED_HERE':
      return `Rehosted to this license server: ${what}`
    case 'REHOSTED_AWAY':
      return `${otherHost ? 'Rehosted' : 'Rehosted to another license server'}: ${what}`
    case 'DEACTIVATED':
      return `Deactivated: ${what}`
    case 'FORCED_RETURN':
      return `Forced return by ${by}: ${reason} (${what})`
    case 'GENERATED':
      return 'License file generated'
    case 'MAILED':
      return `License file sent to ${recipients.join(', ')}`
  }
}
