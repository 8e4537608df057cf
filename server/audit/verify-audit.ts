import type { Transaction } from 'kysely'
import type { Checkpoint } from '#domain/audit/audit-line.ts'
import { chainName, checkChain, findingText, retentionEnd } from '#domain/audit/check-chain.ts'
import {
  findHead,
  listChains,
  listForeignRows,
  listSealedRows,
  listUnsealedRows,
  type SealedRow,
} from '#server/audit/chain.queries.ts'
import { listCheckpoints, listNamedCheckpoints, listNamedKeys } from '#server/audit/checkpoints.queries.ts'
import { type CheckpointKey, checkpointFault, loadCheckpointKey, toCheckpoint } from '#server/audit/checkpoints.ts'
import { hashOf, toLine } from '#server/audit/seal-rows.ts'
import type { DB } from '#server/db/schema.ts'
import type { InstallationSecrets } from '#server/db/secrets.queries.ts'

const BATCH = 1000
/** Of each chain: a chain that was renumbered would fill the screen. */
const MAX_FINDINGS = 20

export type VerifiedChain = {
  readonly customerNumber: string
  readonly rows: number
  readonly checkpoints: number
  /** What is wrong, one line for each. */
  readonly findings: readonly string[]
}

/**
 * Checks these chains, or all of them: every row against its seal, the seals against each other and against the checkpoints, and the
 * checkpoints against what the portal's own log says about them. The transaction must see the database as of one instant.
 */
export async function* verifyAudit(
  db: Transaction<DB>,
  secrets: InstallationSecrets,
  chains?: readonly string[],
): AsyncGenerator<VerifiedChain> {
  const key = await loadCheckpointKey(db, secrets)
  const named = await listNamedCheckpoints(db, chains?.length === 1 ? chains[0] : undefined)
  // Of a chain that was removed whole, only what the portal's own log says about it is left.
  for (const chain of chains ?? [...new Set([...(await listChains(db)), ...named.keys()])].sort())
    yield await verifyChain(db, chain, key, named.get(chain) ?? [])
}

async function verifyChain(
  db: Transaction<DB>,
  customerNumber: string,
  key: CheckpointKey,
  named: readonly number[],
): Promise<VerifiedChain> {
  const findings: string[] = []
  const place = (sequence: number) => `${chainName(customerNumber)}, sequence ${sequence}`
  if (customerNumber === '')
    for (const other of (await listNamedKeys(db)).filter((keyId) => keyId !== key.keyId))
      findings.push(
        `the key that signs checkpoints was replaced: it is ${key.keyId}, and the log says that it was ${other}`,
      )
  const checkpoints = (await listCheckpoints(db, customerNumber)).map(toCheckpoint)
  const genuine: Checkpoint[] = []
  for (const one of checkpoints) {
    const fault = checkpointFault(one, key)
    if (fault === undefined) genuine.push(one)
    else findings.push(`${place(one.sequence)}: the checkpoint of ${one.day} ${fault}`)
  }
  const stored = new Set(checkpoints.map(({ sequence }) => sequence))
  for (const sequence of named.filter((one) => !stored.has(one)))
    findings.push(`${place(sequence)}: the checkpoint was removed (the portal's own log names it)`)
  const chain = checkChain(genuine)
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
  const head = await findHead(db, customerNumber)
  found(chain.end(head, waiting.map(retentionEnd), Math.max(0, ...named)))
  if (rows > 0 && checkpoints.length === 0)
    findings.push(`${chainName(customerNumber)}: all checkpoints were removed (the first rows of a chain have one)`)
  for (const { auditId, sequence } of await listForeignRows(db, customerNumber, MAX_FINDINGS))
    findings.push(
      findingText(customerNumber, {
        kind: 'inserted',
        sequence,
        text: `the row ${auditId} of the log, after this sequence, is not in the chain`,
      }),
    )
  const more = findings.length - MAX_FINDINGS
  return {
    customerNumber,
    rows,
    checkpoints: checkpoints.length,
    findings:
      more > 0 ? [...findings.slice(0, MAX_FINDINGS), `… and ${more} more of ${chainName(customerNumber)}`] : findings,
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
