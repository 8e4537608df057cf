import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign, verify } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { type Checkpoint, signedPart } from '#domain/audit/audit-line.ts'
import { canonicalJson } from '#domain/audit/canonical-json.ts'
import { type AuditContext, type AuditEntry, writeAudits } from '#server/audit/audit.queries.ts'
import {
  type CheckpointRow,
  findLastNaming,
  insertCheckpoint,
  listHeadsWithoutCheckpoint,
  listNewestSince,
} from '#server/audit/checkpoints.queries.ts'
import type { DB } from '#server/db/schema.ts'
import type { InstallationSecrets } from '#server/db/secrets.queries.ts'

/** The fixed beginning of an Ed25519 private key in PKCS #8; its 32 bytes follow. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

export type CheckpointKey = {
  readonly keyId: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  /** DER (SPKI). */
  readonly spki: Buffer
}

/** The key of this installation. It follows from a secret that is kept like all others, and wrapped if they are. */
export async function loadCheckpointKey(db: Kysely<DB>, secrets: InstallationSecrets): Promise<CheckpointKey> {
  const secret = await secrets.load(db, 'audit checkpoints')
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'audit checkpoint key', 32))
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey)
  const spki = publicKey.export({ format: 'der', type: 'spki' })
  return { keyId: `audit-${createHash('sha256').update(spki).digest('hex').slice(0, 12)}`, privateKey, publicKey, spki }
}

type ChainEnd = { readonly customerNumber: string; readonly sequence: number; readonly hash: Buffer }

/** Signs the end of a chain as it is now. A chain that has not grown since keeps its last checkpoint. */
export async function signCheckpoint(
  tx: Transaction<DB>,
  end: ChainEnd,
  now: Date,
  { keyId, privateKey, spki }: CheckpointKey,
): Promise<void> {
  const madeAt = now.toISOString()
  const unsigned = {
    customerNumber: end.customerNumber,
    day: madeAt.slice(0, 10),
    sequence: end.sequence,
    hash: end.hash.toString('hex'),
    madeAt,
    keyId,
    publicKey: spki.toString('base64'),
  }
  await insertCheckpoint(tx, {
    customer_number: end.customerNumber,
    sequence: String(end.sequence),
    day: unsigned.day,
    made_at: now,
    hash: end.hash,
    key_id: keyId,
    public_key: spki,
    signature: sign(null, Buffer.from(canonicalJson(signedPart(unsigned))), privateKey),
  })
}

/**
 * Signs the chains that have grown since their last checkpoint, and names the new checkpoints in the portal's own log. Answers how
 * many it signed.
 */
export async function signCheckpoints(
  db: Kysely<DB>,
  secrets: InstallationSecrets,
  context: AuditContext,
  signal?: AbortSignal,
): Promise<number> {
  const now = context.at
  const key = await loadCheckpointKey(db, secrets)
  let signed = 0
  for (const end of await listHeadsWithoutCheckpoint(db)) {
    if (signal?.aborted) break
    await db.transaction().execute((tx) => signCheckpoint(tx, end, now, key))
    signed++
  }
  await nameCheckpoints(db, context, key)
  return signed
}

/** How many checkpoints one entry names. */
const NAMED_AT_ONCE = 1000

/**
 * Whoever removes a chain with all its checkpoints leaves nothing behind but these entries. Of checkpoints of the portal's own
 * chain alone there is no entry, which would make that chain grow every day.
 */
async function nameCheckpoints(db: Kysely<DB>, context: AuditContext, { keyId }: CheckpointKey): Promise<void> {
  const newest = [...(await listNewestSince(db, (await findLastNaming(db)) ?? new Date(0)))]
  if (newest.every(([chain]) => chain === '')) return
  const entries: AuditEntry[] = []
  for (let from = 0; from < newest.length; from += NAMED_AT_ONCE) {
    const some = newest.slice(from, from + NAMED_AT_ONCE)
    const after = { checkpoints: some.length, keyId, ends: Object.fromEntries(some) }
    entries.push({ action: 'audit.checkpoint', after })
  }
  await db.transaction().execute((tx) => writeAudits(tx, context, entries))
}

export const toCheckpoint = (row: CheckpointRow): Checkpoint => ({
  customerNumber: row.customer_number,
  day: row.day,
  sequence: Number(row.sequence),
  hash: row.hash.toString('hex'),
  madeAt: row.made_at.toISOString(),
  keyId: row.key_id,
  publicKey: row.public_key.toString('base64'),
  signature: row.signature.toString('base64'),
})

/** What is wrong with a checkpoint; undefined if this installation has signed it, and nothing of it was changed. */
export function checkpointFault(checkpoint: Checkpoint, { keyId, publicKey }: CheckpointKey): string | undefined {
  const isSignedBy = (key: KeyObject) =>
    verify(null, Buffer.from(canonicalJson(signedPart(checkpoint))), key, Buffer.from(checkpoint.signature, 'base64'))
  if (checkpoint.keyId === keyId && isSignedBy(publicKey)) return undefined
  const other = readPublicKey(checkpoint.publicKey)
  return checkpoint.keyId !== keyId && other && isSignedBy(other)
    ? `was signed with the key ${checkpoint.keyId}, and that of this installation is ${keyId}: the key was replaced, or the checkpoint is of another installation`
    : 'was changed'
}

function readPublicKey(spki: string): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}
