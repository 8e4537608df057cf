import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from '#server/db/database.ts'

const BETWEEN_TRIES = 1000

type Handlers = Readonly<Record<string, (payload: string) => void>>
export type Signals = { close(): Promise<void> }

/**
 * Hears what PostgreSQL announces (NOTIFY) on the named channels, whichever process caused it, over one connection that it
 * keeps. After a lost connection it listens anew; `connected` then runs, because something may have been missed.
 */
export function hearSignals(pool: Pool, handlers: Handlers, connected: () => void, lost = () => {}): Signals {
  const ending = new AbortController()
  const { signal } = ending

  async function listen(): Promise<void> {
    const connection = await pool.connect()
    // Without a listener of its own, a connection that breaks would end the process.
    connection.on('error', () => {})
    connection.on('notification', ({ channel, payload = '' }) => handlers[channel]?.(payload))
    try {
      const end = once(connection, 'end', { signal })
      // It may break before anybody waits for it.
      end.catch(() => {})
      for (const channel of Object.keys(handlers)) await connection.query(`listen "${channel}"`)
      connected()
      await end
    } finally {
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
    async close() {
      ending.abort()
      await running
    },
  }
}
