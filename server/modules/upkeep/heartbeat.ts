import { randomUUID } from 'node:crypto'
import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { statementTimesOf } from '#server/db/database.ts'
import { deleteProcess, seeProcess } from '#server/modules/upkeep/processes.queries.ts'
import type { Services } from '#server/services.ts'

/** In milliseconds. */
const SEEN_EVERY = 10_000
const LONGEST_GOODBYE = 1_000
const KEPT_STATEMENTS = 20

/** Writes every few seconds that this process runs, and says when it drains. Its row is deleted when it closes. */
export function heartbeat(
  app: FastifyInstance,
  { db, pool, clock }: Pick<Services, 'db' | 'pool' | 'clock'>,
  { version, draining }: { readonly version: string; readonly draining: AbortSignal | undefined },
): void {
  const row = { id: randomUUID(), machine: os.hostname(), pid: process.pid, version, started_at: clock.now() }
  let timer: NodeJS.Timeout | undefined
  let last = Promise.resolve()
  /** One after the other, so that the row is not written again after it was deleted. */
  const next = (work: () => Promise<void>) => {
    last = last.then(work).catch((error: unknown) => app.log.warn({ err: error }, 'the heartbeat was not written'))
    return last
  }
  const beat = () =>
    next(() => {
      const state = draining?.aborted ? 'draining' : 'ready'
      return seeProcess(db, { ...row, state }, statementTimesOf(pool).list(KEPT_STATEMENTS))
    })
  app.addHook('onReady', async () => {
    await beat()
    timer = setInterval(() => void beat(), SEEN_EVERY).unref()
  })
  draining?.addEventListener('abort', () => void beat(), { once: true })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    // Without the database, the others delete the row when it has not been seen for a minute.
    await Promise.race([next(() => deleteProcess(db, row.id)), sleep(LONGEST_GOODBYE, undefined, { ref: false })])
  })
}
