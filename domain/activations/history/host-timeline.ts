import {
  type HistoryEntry,
  type HistoryRow,
  historyRuns,
  type OtherHost,
} from '#domain/activations/history/history-groups.ts'
import type { FulfillmentAction } from '#domain/entitlements/fulfillment.ts'

export const TIMELINE_KINDS = [
  'ACTIVATED',
  'RETURNED',
  'REHOSTED_HERE',
  'REHOSTED_AWAY',
  'DEACTIVATED',
  'FORCED_RETURN',
  'GENERATED',
  'MAILED',
] as const
export type TimelineKind = (typeof TIMELINE_KINDS)[number]

/** A change that one person made to a host in one go. */
export type TimelineEvent = {
  readonly time: Date
  readonly by: string
  readonly kind: TimelineKind
  /** Seats that were activated or returned, and the number of their entitlements. */
  readonly seats: number | null
  readonly entitlements: number | null
  /** The other end of a rehost, if it is known. */
  readonly otherHost: OtherHost | null
  /** Why a return was forced. */
  readonly reason: string | null
  /** The license file that was generated or mailed. */
  readonly fileId: string | null
  readonly recipients: readonly string[]
}

type SeatKind = Exclude<TimelineKind, 'FORCED_RETURN' | 'GENERATED' | 'MAILED'>
const ACTIVATING: Readonly<Record<FulfillmentAction, SeatKind>> = {
  EDIT: 'ACTIVATED',
  REHOST: 'REHOSTED_HERE',
  DEACTIVATE: 'ACTIVATED',
}
const RETURNING: Readonly<Record<FulfillmentAction, SeatKind>> = {
  EDIT: 'RETURNED',
  REHOST: 'REHOSTED_AWAY',
  DEACTIVATE: 'DEACTIVATED',
}

/** Events from the ledger, the license files and the emails of a host, the newest first. */
export function hostTimeline(
  entries: readonly HistoryEntry[],
  files: readonly Pick<TimelineEvent, 'time' | 'by' | 'fileId'>[],
  mails: readonly Pick<TimelineEvent, 'time' | 'by' | 'fileId' | 'recipients'>[],
): TimelineEvent[] {
  const none = { seats: null, entitlements: null, otherHost: null, reason: null, recipients: [] }
  const events: TimelineEvent[] = [
    ...historyRuns(entries).flatMap(seatEvents),
    ...files.map((file) => ({ ...none, ...file, kind: 'GENERATED' as const })),
    ...mails.map((mail) => ({ ...none, ...mail, kind: 'MAILED' as const })),
  ]
  // Within an instant, seats come before their license file, and the file before its email.
  return events
    .map((event, index) => ({ event, index }))
    .sort(newestFirst)
    .map(({ event }) => event)
}

type Indexed = { readonly event: TimelineEvent; readonly index: number }
const newestFirst = (one: Indexed, other: Indexed) =>
  other.event.time.getTime() - one.event.time.getTime() || other.index - one.index

/** One event for each person, action, direction, other host and reason within a run. */
function seatEvents(run: readonly HistoryRow[]): TimelineEvent[] {
  const parts = Map.groupBy(run, ({ modifiedBy, action, count, otherHost, reason }) =>
    JSON.stringify([modifiedBy, action, count > 0, otherHost?.serverIdType, otherHost?.serverId, reason]),
  )
  return [...parts.values()].map((rows) => {
    const [{ time, modifiedBy, action, count, otherHost = null, reason = null }] = rows as [HistoryRow]
    return {
      time,
      by: modifiedBy,
      kind: reason === null ? (count > 0 ? ACTIVATING : RETURNING)[action] : 'FORCED_RETURN',
      seats: Math.abs(rows.reduce((sum, row) => sum + row.count, 0)),
      entitlements: new Set(rows.map(({ activationId }) => activationId)).size,
      otherHost,
      reason,
      fileId: null,
      recipients: [],
    }
  })
}
