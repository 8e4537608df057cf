import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql, type Transaction } from 'kysely'
import type { Operation } from '#contract/kit/operation.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { claimKey, dropOldAnswers, keepAnswer } from '#server/operations/idempotency.queries.ts'

const LIFE = 24 * 60 * 60 * 1000

export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key))
    throw new HttpError(400, 'Idempotency-Key must be 1 to 200 visible ASCII characters')
  return key
}

/**
 * Runs `act` once per key: the row that claims the key is part of the act's own transaction, so a second call with the
 * same key waits for the first and then gets its answer, and a rolled-back act leaves the key free. A business refusal
 * is an answer too: its writes are rolled back, and the answer is stored.
 */
export async function once<Answer extends object>(
  tx: Transaction<DB>,
  call: { operation: Operation; email: string; key: string; request: FastifyRequest; now: Date },
  act: () => Promise<Answer>,
): Promise<Answer | object> {
  const { operation, email, key, request, now } = call
  await dropOldAnswers(tx, new Date(now.getTime() - LIFE))
  const bodyHash = createHash('sha256')
    .update(JSON.stringify([operation.name, request.params, request.query, request.body]))
    .digest()
  const kept = await claimKey(tx, { email, key, operation: operation.name, body_hash: bodyHash, created_at: now })
  if (kept) {
    if (!kept.body_hash.equals(bodyHash)) throw new HttpError(409, 'This Idempotency-Key was used for another request')
    return kept.answer as Answer
  }
  await sql`savepoint act`.execute(tx)
  const answer = await act().catch(async (error: unknown) => {
    if (!(error instanceof BusinessRefusal)) throw error
    await sql`rollback to savepoint act`.execute(tx)
    return error.body
  })
  await keepAnswer(tx, email, key, answer)
  return answer
}
