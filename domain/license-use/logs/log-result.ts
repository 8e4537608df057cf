import type { DenialCause } from '#domain/license-use/logs/denial-cause.ts'
import { formatLocalTime } from '#domain/license-use/logs/local-time.ts'
import type { ClosedBy, LogEvent } from '#domain/license-use/logs/log-events.ts'

type Checkout = {
  daemon: string
  feature: string
  user: string
  host: string
  data: string | null
  count: number
  out: string | null
  in: string | null
  inLatest?: string
  closedBy: ClosedBy | null
}
type Denial = {
  time: string
  event: 'DENIED' | 'UNSUPPORTED'
  daemon: string
  feature: string
  user: string
  host: string | null
  count: number
  version: string | null
  code: number | null
  text: string | null
  cause: DenialCause
  /** Index of the first denial of the burst. */
  repeatOf: number | null
  granted: { after: number; feature: string } | null
}

/** Collects the events of a whole log, for logs that fit into memory. */
export function createLogResult() {
  const checkouts: Checkout[] = []
  const checkoutOf = new Map<number, Checkout>()
  const denials: Denial[] = []
  const denialIndex = new Map<number, number>()
  const queue: object[] = []
  const lifecycle: object[] = []
  const optionsMessages: object[] = []
  const problems: { line: number | null; code: string }[] = []
  const grantedBursts = new Set<number>()

  function add(event: LogEvent): void {
    switch (event.kind) {
      case 'out': {
        const { kind, id, out, ...rest } = event
        const checkout = { ...rest, out: formatLocalTime(out), in: null, closedBy: null }
        checkoutOf.set(id, checkout)
        checkouts.push(checkout)
        return
      }
      case 'in': {
        const checkout = checkoutOf.get(event.id)
        if (!checkout) return
        checkout.in = formatLocalTime(event.in)
        checkout.closedBy = event.closedBy
        if (event.inLatest) checkout.inLatest = formatLocalTime(event.inLatest)
        return
      }
      case 'in-without-out': {
        const { kind, id, in: at, ...rest } = event
        checkouts.push({ ...rest, out: null, in: formatLocalTime(at) })
        return
      }
      case 'denial': {
        const { kind, id, time, repeatOf, ...rest } = event
        denialIndex.set(id, denials.length)
        const first = repeatOf === null ? null : (denialIndex.get(repeatOf) ?? null)
        denials.push({ time: formatLocalTime(time), ...rest, repeatOf: first, granted: null })
        return
      }
      case 'granted': {
        const denial = denials[denialIndex.get(event.id) ?? -1]
        if (denial) denial.granted = { after: event.after, feature: event.feature }
        const first = denialIndex.get(event.firstOfBurst)
        if (first !== undefined) grantedBursts.add(first)
        return
      }
      case 'problem':
        problems.push({ line: event.line, code: event.code })
        return
      default: {
        const { kind, time, ...rest } = event
        const list = kind === 'queue' ? queue : kind === 'lifecycle' ? lifecycle : optionsMessages
        list.push({ time: formatLocalTime(time), ...rest })
      }
    }
  }

  return {
    add,
    result() {
      const denialsByCause: Partial<Record<DenialCause, number>> = {}
      for (const { cause } of denials) denialsByCause[cause] = (denialsByCause[cause] ?? 0) + 1
      const bursts = denials.flatMap(({ cause, repeatOf }, index) =>
        cause === 'shortage' && repeatOf === null ? [index] : [],
      )
      const summary = {
        checkouts: checkouts.length,
        stillOpen: checkouts.filter((checkout) => checkout.in === null).length,
        inWithoutOut: checkouts.filter(({ out }) => out === null).length,
        denialsByCause,
        realShortages: bursts.filter((index) => !grantedBursts.has(index)).length,
      }
      return { kind: 'log' as const, checkouts, denials, queue, lifecycle, optionsMessages, problems, summary }
    },
  }
}
