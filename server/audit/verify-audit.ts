import type { Transaction } from 'kysely'
import { chainName, checkChain, findingText, retentionEnd } from '#domain/audit/check-chain.ts'
import {
  findHead,
  listChains,
  listForeignRows,
  listSealedRows,
  listUnsealedRows,
  type SealedRow,
} from '#server/audit/chain.queries.ts'
import { listCheckpoints } from '#server/audit/checkpoints.queries.ts'
import { type CheckpointKey, isGenuine, loadCheckpointKey, toCheckpoint } from '#server/audit/checkpoints.ts'
import { hashOf, toLine } from '#server/audit/seal-rows.ts'
import type { DB } from '#server/db/schema.ts'

const BATCH = 1000
/** Of each chain: a chain that was renumbered would fill the screen. */
const MOST_FINDINGS = 20

export type VerifiedChain = {
  readonly customerNumber: string
  readonly rows: number
  readonly checkpoints: number
  /** What is wrong, one line for each. */
  readonly findings: readonly string[]
}

/**
 * Checks one chain, or all of them: every row against its seal, the seals against each other and against the checkpoints. The
 * transaction must see the database as of one instant.
 */
export async function* verifyAudit(db: Transaction<DB>, customerNumber?: string): AsyncGenerator<VerifiedChain> {
  const key = await loadCheckpointKey(db)
  const chains = customerNumber === undefined ? await listChains(db) : [customerNumber]
  for (const chain of chains) yield await verifyChain(db, chain, key)
}

async function verifyChain(db: Transaction<DB>, customerNumber: string, key: CheckpointKey): Promise<VerifiedChain> {
  const findings: string[] = []
  const checkpoints = (await listCheckpoints(db, customerNumber)).map(toCheckpoint)
  for (const one of checkpoints.filter((checkpoint) => !isGenuine(checkpoint, key)))
    findings.push(
      `${chainName(customerNumber)}, sequence ${one.sequence}: the checkpoint of ${one.day} was changed or is not of this installation`,
    )
  const chain = checkChain(checkpoints.filter((checkpoint) => isGenuine(checkpoint, key)))
  const found = (some: ReturnType<typeof chain.next>) =>
    findings.push(...some.map((one) => findingText(customerNumber, one)))
  let rows = 0
  for (let after = 0; ; ) {
    const batch = await listSealedRows(db, customerNumber, after, BATCH)
    for (const row of batch) found(chain.next(toLink(customerNumber, row)))
    rows += batch.length
    after = batch.at(-1)?.sequence ?? after
    if (batch.length < BATCH) break
  }
  const waiting = await listUnsealedRows(db, customerNumber, BATCH)
  found(chain.end(await findHead(db, customerNumber), waiting.map(retentionEnd)))
  for (const { auditId, sequence } of await listForeignRows(db, customerNumber, MOST_FINDINGS))
    findings.push(
      findingText(customerNumber, {
        kind: 'inserted',
        sequence,
        text: `the row ${auditId} of the log, after this sequence, is not in the chain`,
      }),
    )
  const more = findings.length - MOST_FINDINGS
  return {
    customerNumber,
    rows,
    checkpoints: checkpoints.length,
    findings:
      more > 0 ? [...findings.slice(0, MOST_FINDINGS), `… and ${more} more of ${chainName(customerNumber)}`] : findings,
  }
}

function toLink(customerNumber: string, row: SealedRow) {
  const { sequence, isLogged } = row
  const previousHash = row.previousHash.toString('hex')
  const hash = row.hash.toString('hex')
  const place = { customerNumber, sequence, previousHash }
  return {
    sequence,
    previousHash,
    hash,
    computedHash: isLogged ? hashOf(toLine(row, place)).toString('hex') : null,
    removedTo: isLogged ? retentionEnd(row) : undefined,
  }
}
