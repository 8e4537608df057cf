import type { DenialCause } from '#domain/license-use/logs/denial-cause.ts'
import type { LocalTime } from '#domain/license-use/logs/local-time.ts'

export type CheckoutKey = {
  readonly daemon: string
  readonly feature: string
  readonly user: string
  readonly host: string
  readonly data: string | null
}

export type ClosedBy = 'in' | 'inactive' | 'shutdown' | 'daemon-exit' | 'daemon-restart' | 'lmgrd-start' | 'quorum-lost'

export type LifecycleEvent =
  | 'lmgrd-start'
  | 'daemon-start'
  | 'daemon-restart'
  | 'daemon-exit'
  | 'shutdown'
  | 'lmgrd-exit'
  | 'quorum-lost'
  | 'reread'

export type DenialFacts = {
  readonly time: LocalTime
  readonly event: 'DENIED' | 'UNSUPPORTED'
  readonly daemon: string
  readonly feature: string
  readonly user: string
  readonly host: string | null
  readonly count: number
  readonly version: string | null
  readonly code: number | null
  readonly text: string | null
  readonly cause: DenialCause
}

/** What a reader of debug logs reports, in the order of the log. Ids count within one log. */
export type LogEvent =
  | (CheckoutKey & { readonly kind: 'out'; readonly id: number; readonly count: number; readonly out: LocalTime })
  | {
      readonly kind: 'in'
      readonly id: number
      /** Tells what was before and after the return within its second. */
      readonly inId: number
      readonly out: LocalTime
      readonly in: LocalTime
      readonly closedBy: ClosedBy
      /** After a start without a shutdown: the seat was returned at this time at the latest. */
      readonly inLatest: LocalTime | null
    }
  /** A seat was returned that was taken before the log begins. */
  | (CheckoutKey & {
      readonly kind: 'in-without-out'
      readonly id: number
      readonly count: number
      readonly in: LocalTime
      readonly closedBy: ClosedBy
    })
  /** `repeatOf`: the first denial of its burst. */
  | (DenialFacts & { readonly kind: 'denial'; readonly id: number; readonly repeatOf: number | null })
  /** A denial that was no shortage after all: the user got a seat within a minute. */
  | {
      readonly kind: 'granted'
      readonly id: number
      readonly time: LocalTime
      /** The first denial of its burst. */
      readonly firstOfBurst: number
      readonly firstTime: LocalTime
      readonly after: number
      readonly feature: string
    }
  | {
      readonly kind: 'queue'
      readonly time: LocalTime
      readonly event: 'QUEUED' | 'DEQUEUED'
      readonly daemon: string
      readonly feature: string
      readonly user: string
      readonly host: string
      readonly count: number
    }
  | {
      readonly kind: 'lifecycle'
      readonly time: LocalTime
      readonly event: LifecycleEvent
      readonly daemon: string | null
    }
  | { readonly kind: 'options-message'; readonly time: LocalTime; readonly daemon: string; readonly text: string }
  | { readonly kind: 'problem'; readonly line: number | null; readonly code: LogProblem }

export type LogProblem =
  | 'unreadable-event'
  | 'clock-back'
  | 'no-date'
  /** Not within ten years before the report, or more than one day after it. */
  | 'impossible-date'
  /** The date begins with its day, such as 31/12/2026. In a log that arrives in parts, dates before it were read month first. */
  | 'day-first'
  /** At the end of the log, where more may follow. */
  | 'end-of-log'
  | 'nul-bytes'
  /** Longer than 4 kB: the line is skipped. */
  | 'too-long'
  | 'truncated'
  /** More seats are out at once than a license server has: the checkout is left out. */
  | 'too-many-open'
  | 'repeated-lines'
  | 'encoding-latin1'
