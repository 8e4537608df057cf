import { absoluteSeconds, type LocalTime } from '#domain/license-use/local-time.ts'
import type { CheckoutKey, ClosedBy, LogEvent } from '#domain/license-use/log-events.ts'

type Open = { readonly id: number; readonly count: number; readonly out: LocalTime }
export type OpenCheckoutsState = {
  readonly open: readonly (readonly [key: string, checkouts: readonly Open[]])[]
  readonly shutdowns: readonly (readonly [key: string, at: number])[]
}

/** A shutdown writes one line per seat, all of them within this time. */
const SHUTDOWN_SECONDS = 60
const SEPARATOR = '\u0001'

/** Pairs OUT with IN: an IN ends the oldest open checkout of its key, one with the same count first. */
export function createOpenCheckouts(emit: (event: LogEvent) => void, nextId: () => number, from?: OpenCheckoutsState) {
  const open = new Map<string, Open[]>(from?.open.map(([key, checkouts]) => [key, [...checkouts]]))
  const shutdowns = new Map<string, number>(from?.shutdowns)

  function close({ id, out }: Open, at: LocalTime, closedBy: ClosedBy, inLatest: LocalTime | null = null) {
    emit({ kind: 'in', id, out, in: at, closedBy, inLatest })
  }

  return {
    out(key: CheckoutKey, count: number, at: LocalTime): void {
      const id = nextId()
      const text = keyText(key)
      const checkouts = open.get(text)
      if (checkouts) checkouts.push({ id, count, out: at })
      else open.set(text, [{ id, count, out: at }])
      shutdowns.delete(text)
      emit({ kind: 'out', id, ...key, count, out: at })
    },

    in(key: CheckoutKey, count: number, at: LocalTime, flag: 'INACTIVE' | 'SHUTDOWN' | null): void {
      const text = keyText(key)
      const checkouts = open.get(text)
      if (flag === 'SHUTDOWN') {
        const before = shutdowns.get(text)
        shutdowns.set(text, absoluteSeconds(at))
        if (checkouts) {
          for (const checkout of checkouts) close(checkout, at, 'shutdown')
          open.delete(text)
          return
        }
        if (before !== undefined && absoluteSeconds(at) - before <= SHUTDOWN_SECONDS) return
      }
      const closedBy = flag === 'SHUTDOWN' ? 'shutdown' : flag === 'INACTIVE' ? 'inactive' : 'in'
      if (!checkouts) {
        emit({ kind: 'in-without-out', id: nextId(), ...key, count, in: at, closedBy })
        return
      }
      const same = checkouts.findIndex((checkout) => checkout.count === count)
      const [ended] = checkouts.splice(Math.max(same, 0), 1)
      if (!checkouts.length) open.delete(text)
      if (ended) close(ended, at, closedBy)
    },

    /** Ends all checkouts of a daemon, or of all of them. */
    closeAll(daemon: string | null, at: LocalTime, closedBy: ClosedBy, inLatest: LocalTime | null = null): void {
      for (const [text, checkouts] of open) {
        if (daemon !== null && !text.startsWith(`${daemon}${SEPARATOR}`)) continue
        for (const checkout of checkouts) close(checkout, at, closedBy, inLatest)
        open.delete(text)
      }
      if (daemon === null) shutdowns.clear()
    },

    state: (): OpenCheckoutsState => ({ open: [...open], shutdowns: [...shutdowns] }),
  }
}

function keyText({ daemon, feature, user, host, data }: CheckoutKey): string {
  return [daemon, feature, user, host, data ?? SEPARATOR].join(SEPARATOR)
}

/** Another name for the user of every open checkout. */
export function renameOpenUsers(state: OpenCheckoutsState, rename: (user: string) => string): OpenCheckoutsState {
  const renamed = (text: string) => {
    const [daemon, feature, user = '', ...rest] = text.split(SEPARATOR)
    return [daemon, feature, rename(user), ...rest].join(SEPARATOR)
  }
  return {
    open: state.open.map(([text, checkouts]) => [renamed(text), checkouts]),
    shutdowns: state.shutdowns.map(([text, at]) => [renamed(text), at]),
  }
}
