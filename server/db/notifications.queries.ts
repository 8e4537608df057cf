import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Pool } from '#server/db/database.ts'
import { poll } from '#server/poll.ts'

const BETWEEN_TRIES = 1000
/** Interval at which a listener notifies itself, in milliseconds. */
const CHECK_EVERY = 1000
/**
 * A connection can die without a trace: it stays open, and nothing arrives. A listener that has not received its own
 * notification for this long, in milliseconds, counts as dead and reconnects. No announcement stays unnoticed for
 * longer.
 */
export const MAX_UNHEARD = 5000

type Handlers = Readonly<Record<string, (payload: string) => void>>
export type Signals = {
  /** Whether every announcement older than MAX_UNHEARD has been received. */
  isHearing(): boolean
  /** Resolves when everything that was committed before has been received. */
  settled(): Promise<void>
  close(): Promise<void>
}

/**
 * Listens for notifications (NOTIFY) on the named channels over one open connection. After a lost connection it
 * reconnects and calls `connected`, because a notification may have been missed.
 */
export function hearSignals(pool: Pool, handlers: Handlers, connected: () => void, lost = () => {}): Signals {
  /** When the last received check had been sent: every earlier announcement has been received too. */
  let heardUntil = Number.NEGATIVE_INFINITY
  let check: () => Promise<void> = async () => {
    throw new Error('The listener is not connected yet')
  }

  async function listen(signal: AbortSignal): Promise<void> {
    const connection = await pool.connect()
    const silence = new AbortController()
    const checks = `listener_check_${randomUUID()}`
    const expected = new Map<string, () => void>()
    // A broken connection without an error listener would end the process.
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
      // The promise may reject before it is awaited.
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

  const loop = poll({ interval: BETWEEN_TRIES, round: listen, failed: () => {} })
  void loop.start()
  return {
    isHearing: () => performance.now() - heardUntil <= MAX_UNHEARD,
    settled: () => check(),
    close: () => loop.stop(),
  }
}
