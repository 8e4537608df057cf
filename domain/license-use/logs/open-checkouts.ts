import { absoluteSeconds, type LocalTime } from '#domain/license-use/logs/local-time.ts'
import type { CheckoutKey, ClosedBy, LogEvent } from '#domain/license-use/logs/log-events.ts'

type Open = { readonly id: number; readonly count: number; readonly out: LocalTime }
export type OpenCheckoutsState = {
  readonly open: readonly (readonly [key: string, checkouts: readonly Open[]])[]
  readonly shutdowns: readonly (readonly [key: string, at: number])[]
}

/** Of one log. Every later piece of it reads and writes them again, however short it is. */
const MAX_OPEN = 20_000
/** A shutdown writes one line per seat, all of them within this time. */
const SHUTDOWN_SECONDS = 60
const SEPARATOR = '\u0001'

/** Checkouts in the order of the log. Those that have ended are passed over when one is looked for. */
type Queue = { readonly checkouts: Open[]; next: number }
/** The open checkouts of one key. */
type Held = { readonly open: Set<Open>; readonly all: Queue; readonly byCount: Map<number, Queue> }

const newQueue = (): Queue => ({ checkouts: [], next: 0 })

function hold(held: Held, checkout: Open) {
  const queue = held.byCount.get(checkout.count) ?? newQueue()
  held.byCount.set(checkout.count, queue)
  held.open.add(checkout)
  for (const { checkouts } of [held.all, queue]) checkouts.push(checkout)
}

function oldest(queue: Queue | undefined, open: ReadonlySet<Open>): Open | undefined {
  while (queue && queue.next < queue.checkouts.length) {
    const checkout = queue.checkouts[queue.next]!
    if (open.has(checkout)) return checkout
    queue.next += 1
  }
  return undefined
}

/**
 * Pairs OUT with IN: an IN ends the oldest open checkout of its key, one with the same count first. Takes linear time, even if all
 * lines have one key.
 */
export function createOpenCheckouts(emit: (event: LogEvent) => void, nextId: () => number, from?: OpenCheckoutsState) {
  const daemons = new Map<string, Map<string, Held>>()
  const shutdowns = new Map<string, number>(from?.shutdowns)
  let lastShutdown = from?.shutdowns.at(-1)?.[1] ?? 0
  let openCount = 0
  for (const [text, checkouts] of from?.open ?? [])
    for (const checkout of checkouts) holdOpen(heldOf(daemonOf(text), text), checkout)

  function holdOpen(held: Held, checkout: Open) {
    hold(held, checkout)
    openCount += 1
  }

  function heldOf(daemon: string, text: string): Held {
    const known = daemons.get(daemon) ?? new Map<string, Held>()
    daemons.set(daemon, known)
    const held = known.get(text) ?? { open: new Set(), all: newQueue(), byCount: new Map() }
    known.set(text, held)
    return held
  }

  function close({ id, out }: Open, at: LocalTime, closedBy: ClosedBy, inLatest: LocalTime | null = null) {
    openCount -= 1
    emit({ kind: 'in', id, inId: nextId(), out, in: at, closedBy, inLatest })
  }

  return {
    /** False if too many are open: this one is left out. */
    out(key: CheckoutKey, count: number, at: LocalTime): boolean {
      if (openCount >= MAX_OPEN) return false
      const id = nextId()
      const text = keyText(key)
      holdOpen(heldOf(key.daemon, text), { id, count, out: at })
      shutdowns.delete(text)
      emit({ kind: 'out', id, ...key, count, out: at })
      return true
    },

    in(key: CheckoutKey, count: number, at: LocalTime, flag: 'INACTIVE' | 'SHUTDOWN' | null): void {
      const text = keyText(key)
      const known = daemons.get(key.daemon)
      const held = known?.get(text)
      if (flag === 'SHUTDOWN') {
        const before = shutdowns.get(text)
        lastShutdown = absoluteSeconds(at)
        shutdowns.set(text, lastShutdown)
        if (held) {
          for (const checkout of held.open) close(checkout, at, 'shutdown')
          known?.delete(text)
          return
        }
        if (before !== undefined && absoluteSeconds(at) - before <= SHUTDOWN_SECONDS) return
      }
      const closedBy = flag === 'SHUTDOWN' ? 'shutdown' : flag === 'INACTIVE' ? 'inactive' : 'in'
      const ended = held && (oldest(held.byCount.get(count), held.open) ?? oldest(held.all, held.open))
      if (!ended) {
        emit({ kind: 'in-without-out', id: nextId(), ...key, count, in: at, closedBy })
        return
      }
      held.open.delete(ended)
      if (!held.open.size) known?.delete(text)
      close(ended, at, closedBy)
    },

    /** Ends all checkouts of a daemon, or of all of them. */
    closeAll(daemon: string | null, at: LocalTime, closedBy: ClosedBy, inLatest: LocalTime | null = null): void {
      for (const name of daemon === null ? [...daemons.keys()] : [daemon]) {
        for (const { open } of daemons.get(name)?.values() ?? [])
          for (const checkout of open) close(checkout, at, closedBy, inLatest)
        daemons.delete(name)
      }
      if (daemon === null) shutdowns.clear()
    },

    state: (): OpenCheckoutsState => ({
      open: [...daemons.values()].flatMap((known) => [...known].map(([text, { open }]) => [text, [...open]] as const)),
      shutdowns: [...shutdowns].filter(([, at]) => lastShutdown - at <= SHUTDOWN_SECONDS),
    }),
  }
}

function keyText({ daemon, feature, user, host, data }: CheckoutKey): string {
  return [daemon, feature, user, host, data ?? SEPARATOR].join(SEPARATOR)
}

const daemonOf = (text: string) => text.slice(0, text.indexOf(SEPARATOR))

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
