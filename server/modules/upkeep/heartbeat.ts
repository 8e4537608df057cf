import { randomUUID } from 'node:crypto'
import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { statementTimesOf } from '#server/db/database.ts'
import { deleteProcess, seeProcess } from '#server/modules/upkeep/processes.queries.ts'
import { poll } from '#server/poll.ts'
import type { Services } from '#server/services.ts'

/** In milliseconds. */
const SEEN_EVERY = 10_000
const MAX_GOODBYE = 1_000
const KEPT_STATEMENTS = 20

/** Writes every few seconds that this process runs, and says when it drains. Its row is deleted when it closes. */
export function heartbeat(
  app: FastifyInstance,
  { db, pool, clock }: Pick<Services, 'db' | 'pool' | 'clock'>,
  { version, draining }: { readonly version: string; readonly draining: AbortSignal | undefined },
): void {
  const row = { id: randomUUID(), machine: os.hostname(), pid: process.pid, version, started_at: clock.now() }
  const failed = (err: unknown) => app.log.warn({ err }, 'the heartbeat was not written')
  const loop = poll({
    interval: SEEN_EVERY,
    round() {
      const state = draining?.aborted ? 'draining' : 'ready'
      return seeProcess(db, { ...row, state }, statementTimesOf(pool).list(KEPT_STATEMENTS))
    },
    failed,
  })
  app.addHook('onReady', () => loop.start())
  draining?.addEventListener('abort', () => loop.wake(), { once: true })
  app.addHook('onClose', async () => {
    // Deleted after the last round, so that it is not written again.
    const deleted = loop.stop().then(() => deleteProcess(db, row.id))
    // Without the database, the others delete the row when it has not been seen for a minute.
    await Promise.race([deleted.catch(failed), sleep(MAX_GOODBYE, undefined, { ref: false })])
  })
}
