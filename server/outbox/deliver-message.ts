import type { FastifyBaseLogger } from 'fastify'
import type { Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { type AnyLane, type Lane, type Message, type Outcome, UndeliverableError } from '#server/outbox/lane.ts'
import { inSavepoint, type MessageRow, saveOutcome, takeDueMessage } from '#server/outbox/outbox.queries.ts'
import type { Services } from '#server/services.ts'

export type DeliveryParts = Pick<Services, 'db' | 'clock'> & { readonly log: FastifyBaseLogger }

/**
 * Tries the next message of a lane whose time has come; false when there is none. Taking it, delivering it and noting the
 * outcome are one transaction: a message whose outcome is not saved is still due.
 */
export function deliverNextMessage(anyLane: AnyLane, { db, clock, log }: DeliveryParts): Promise<boolean> {
  const lane = anyLane as Lane
  return db.transaction().execute(async (tx) => {
    const row = await takeDueMessage(tx, lane.lane, clock.now())
    if (!row) return false
    const message = toMessage(row)
    const attempts = row.attempts + 1
    const outcome = await inSavepoint(tx, () => deliver(lane, message, tx))
      .then(
        ({ trouble = '' }): Outcome => ({ state: 'delivered', at: clock.now(), attempts, trouble: toStored(trouble) }),
      )
      .catch((error: unknown) => toFailure(message, error, attempts, clock.now()))
    await saveOutcome(tx, row.id, outcome)
    // A delivered message must not be delivered again because its history could not be written.
    await inSavepoint(tx, async () => lane.recordAttempt?.(tx, message, outcome)).catch((error: unknown) =>
      log.error({ err: error, message: row.id, lane: lane.lane }, 'the outcome of a message could not be recorded'),
    )
    report(log, lane, row, outcome)
    return true
  })
}

export function toMessage({ id, payload, queued_at, resent_at }: MessageRow): Message {
  return { id, payload, triedSince: resent_at ?? queued_at }
}

async function deliver(lane: Lane, message: Message, tx: Transaction<DB>): Promise<{ readonly trouble?: string }> {
  if (!lane.deliver) throw new Error(`nothing delivers messages of the lane ${lane.lane}`)
  return lane.deliver(message, tx)
}

function toFailure({ triedSince }: Message, error: unknown, attempts: number, at: Date): Outcome {
  const trouble = toStored(error instanceof Error ? error.message : String(error))
  const nextAttemptAt = error instanceof UndeliverableError ? null : nextAttempt(attempts, triedSince, at)
  return nextAttemptAt
    ? { state: 'queued', at, attempts, trouble, nextAttemptAt }
    : { state: 'failed', at, attempts, trouble }
}

/** A receiver may say anything: an answer that the database cannot store would leave the message due for ever. */
function toStored(answer: string): string {
  return answer.replaceAll('\0', '').slice(0, 2000)
}

/** What the receiver said stays out of the log: mail servers repeat addresses. The id finds it on the operations screen. */
function report(log: FastifyBaseLogger, { lane, noun }: Lane, { id }: MessageRow, outcome: Outcome): void {
  const about = { message: id, lane, attempt: outcome.attempts }
  if (outcome.state === 'failed') log.error(about, `a ${noun} could not be delivered and is given up`)
  else if (outcome.state === 'queued')
    log.warn({ ...about, next: outcome.nextAttemptAt }, `a ${noun} could not be delivered yet`)
  else log.info(about, `a ${noun} was delivered`)
}

const SECOND = 1000
const HOUR = 3600 * SECOND
const FIRST_PAUSE = 5 * SECOND
const MAX_PAUSE = HOUR
/** As long as mail servers keep trying (RFC 5321 asks for four to five days). */
const TIMEOUT = 4 * 24 * HOUR

/** The time of the next attempt after this many failures; null means that the message has failed for good. */
export function nextAttempt(failedAttempts: number, triedSince: Date, now: Date): Date | null {
  const pause = Math.min(FIRST_PAUSE * 2 ** Math.max(0, failedAttempts - 1), MAX_PAUSE)
  const next = now.getTime() + pause
  return next - triedSince.getTime() > TIMEOUT ? null : new Date(next)
}
