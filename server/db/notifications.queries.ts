import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from '#server/db/database.ts'

const BETWEEN_TRIES = 1000
/** How often a listener notifies itself, in milliseconds. */
const CHECK_EVERY = 1000
/**
 * A connection can die without a trace: it stays open, and nothing arrives. A listener that has not heard itself for this
 * long, in milliseconds, is not relied on and connects again. What is announced goes unnoticed for no longer than this.
 */
export const MAX_UNHEARD = 5000

type Handlers = Readonly<Record<string, (payload: string) => void>>
export type Signals = {
  /** Whether everything that was announced more than MAX_UNHEARD ago has been heard. */
  isHearing(): boolean
  /** Resolves when everything that was committed before has been heard. */
  settled(): Promise<void>
  close(): Promise<void>
}

/**
 * Hears what PostgreSQL announces (NOTIFY) on the named channels, whichever process caused it, over one connection that it
 * keeps. After a lost connection it listens anew; `connected` then runs, because something may have been missed.
 */
export function hearSignals(pool: Pool, handlers: Handlers, connected: () => void, lost = () => {}): Signals {
  const ending = new AbortController()
  const { signal } = ending
  /** When the last check that was heard had been sent: whatever was announced before it has been heard too. */
  let heardUntil = Number.NEGATIVE_INFINITY
  let check: () => Promise<void> = async () => {
    throw new Error('The listener is not connected yet')
  }

  async function listen(): Promise<void> {
    const connection = await pool.connect()
    const silence = new AbortController()
    const checks = `listener_check_${randomUUID()}`
    const expected = new Map<string, () => void>()
    // Without a listener of its own, a connection that breaks would end the process.
    connection.on('error', () => {})
    connection.on('notification', ({ channel, payload = '' }) => {
      if (channel === checks) expected.get(payload)?.()
      else handlers[channel]?.(payload)
    })
    let sending: Promise<unknown> = Promise.resolve()
    /** PostgreSQL sends notifications in the order of their commits, this one among them. */
    check = () =>
      new Promise((resolve) => {
        const send = () => {
          const id = randomUUID()
          const sentAt = performance.now()
          expected.set(id, () => {
            expected.delete(id)
            heardUntil = sentAt
            resolve()
          })
          return connection.query(`notify "${checks}", '${id}'`)
        }
        sending = sending.then(send).catch(() => {})
      })
    let checking: NodeJS.Timeout | undefined
    try {
      const end = once(connection, 'end', { signal: AbortSignal.any([signal, silence.signal]) })
      // It may fail before it is awaited.
      end.catch(() => {})
      for (const channel of [...Object.keys(handlers), checks]) await connection.query(`listen "${channel}"`)
      connected()
      const connectedAt = performance.now()
      void check()
      checking = setInterval(() => {
        if (performance.now() - Math.max(heardUntil, connectedAt) > MAX_UNHEARD) silence.abort()
        else void check()
      }, CHECK_EVERY)
      checking.unref()
      await end
    } finally {
      clearInterval(checking)
      heardUntil = Number.NEGATIVE_INFINITY
      lost()
      connection.release(true)
    }
  }

  const run = async () => {
    while (!signal.aborted) {
      await listen().catch(() => {})
      await pause(BETWEEN_TRIES, undefined, { signal }).catch(() => {})
    }
  }
  const running = run()
  return {
    isHearing: () => performance.now() - heardUntil <= MAX_UNHEARD,
    settled: () => check(),
    async close() {
      ending.abort()
      await running
    },
  }
}
