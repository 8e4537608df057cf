import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { type AuditLine, CHAIN_START } from '#domain/audit/audit-line.ts'
import { canonicalJson } from '#domain/audit/canonical-json.ts'
import {
  insertSeals,
  type LoggedContent,
  listUnsealedRows,
  lockHead,
  type NewSeal,
} from '#server/audit/chain.queries.ts'
import { loadCheckpointKey, signCheckpoint } from '#server/audit/checkpoints.ts'
import type { DB } from '#server/db/schema.ts'
import type { InstallationSecrets } from '#server/db/secrets.queries.ts'

/** How many rows one transaction seals. */
export const SEALED_AT_ONCE = 500

type LinePlace = Pick<AuditLine, 'customerNumber' | 'sequence' | 'previousHash'>

/** A row as it is exported, without its hash. */
export const toLine = (content: LoggedContent, place: LinePlace): Omit<AuditLine, 'hash'> => ({
  customerNumber: place.customerNumber,
  sequence: place.sequence,
  time: content.time.toISOString(),
  actor: content.actor,
  actorKind: content.actorKind,
  action: content.action,
  text: content.text,
  target: content.target,
  address: content.address,
  program: content.program,
  ...(content.credential === null ? {} : { credential: content.credential }),
  outcome: content.outcome,
  reason: content.reason,
  requestId: content.requestId,
  before: content.before,
  after: content.after,
  previousHash: place.previousHash,
})

/** SHA-256 of the canonical form of a line (docs/audit-log.md). */
export const hashOf = (line: Omit<AuditLine, 'hash'>): Buffer =>
  createHash('sha256').update(canonicalJson(line)).digest()

/**
 * Seals the rows of an account that wait for it: numbers them without gaps, each with the hash of the one before. Answers how
 * many. The head of the chain is locked meanwhile; if another process has it, nothing happens here.
 */
export async function sealRows(
  db: Kysely<DB>,
  secrets: InstallationSecrets,
  customerNumber: string,
  now: Date,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const head = await lockHead(tx, customerNumber, Buffer.from(CHAIN_START, 'hex'))
    if (!head) return 0
    const rows = await listUnsealedRows(tx, customerNumber, SEALED_AT_ONCE)
    let { sequence, hash } = head
    const seals = rows.map(({ auditId, ...content }): NewSeal => {
      sequence++
      const previousHash = hash
      hash = hashOf(toLine(content, { customerNumber, sequence, previousHash: previousHash.toString('hex') }))
      return { sequence, auditId, previousHash, hash }
    })
    await insertSeals(tx, customerNumber, seals)
    // So that a chain has a signed beginning from its first moment on.
    if (head.sequence === 0 && seals.length > 0)
      await signCheckpoint(tx, { customerNumber, sequence, hash }, now, await loadCheckpointKey(tx, secrets))
    return seals.length
  })
}
