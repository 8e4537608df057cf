import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign, verify } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { type Checkpoint, signedPart } from '#domain/audit/audit-line.ts'
import { canonicalJson } from '#domain/audit/canonical-json.ts'
import { type CheckpointRow, insertCheckpoint, listHeadsWithoutCheckpoint } from '#server/audit/checkpoints.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { loadInstallationSecret } from '#server/db/secrets.queries.ts'

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
export async function loadCheckpointKey(db: Kysely<DB>): Promise<CheckpointKey> {
  const secret = await loadInstallationSecret(db, 'audit checkpoints')
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
  key?: CheckpointKey,
): Promise<void> {
  const { keyId, privateKey, spki } = key ?? (await loadCheckpointKey(tx))
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

/** Signs the chains that have grown since their last checkpoint. Answers how many. */
export async function signCheckpoints(db: Kysely<DB>, now: Date, signal?: AbortSignal): Promise<number> {
  const key = await loadCheckpointKey(db)
  let signed = 0
  for (const end of await listHeadsWithoutCheckpoint(db)) {
    if (signal?.aborted) break
    await db.transaction().execute((tx) => signCheckpoint(tx, end, now, key))
    signed++
  }
  return signed
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

/** Whether this installation has signed it, and nothing of it was changed. */
export function isGenuine(checkpoint: Checkpoint, { keyId, publicKey }: CheckpointKey): boolean {
  const signed = Buffer.from(canonicalJson(signedPart(checkpoint)))
  return checkpoint.keyId === keyId && verify(null, signed, publicKey, Buffer.from(checkpoint.signature, 'base64'))
}
