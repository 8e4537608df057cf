import { createPrivateKey, generateKeyPairSync, hkdfSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Insertable, Kysely } from 'kysely'
import type { Sign } from '#domain/activations/license-files/license-signature.ts'
import { type AuditContext, writeAudit } from '#server/audit/audit.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { openBytes, sealBytes } from '#server/db/sealed-bytes.ts'
import type { InstallationSecrets } from '#server/db/secrets.queries.ts'
import type { PublicKey } from '#server/modules/activations/license-files/license-verifier.ts'
import {
  findCurrentKey,
  insertFirstKey,
  listKeys,
  replaceKey,
  type SigningKeyRow,
} from '#server/modules/activations/license-files/signing-keys.queries.ts'

/** Signs with the current key. The id is written to the license file, so that old files stay verifiable. */
export type Signer = { readonly keyId: string; readonly sign: Sign }

const AUTOMATIC = 'Automated Action'

export async function loadSigner(db: Kysely<DB>, secrets: InstallationSecrets, now: Date): Promise<Signer> {
  const current = (await findCurrentKey(db)) ?? (await ensureFirstKey(db, secrets, AUTOMATIC, now))
  const key = await openPrivateKey(db, secrets, current)
  const signatures = new Map<string, string>()
  return {
    keyId: current.key_id,
    sign(text) {
      // A file, its part for one customer and its texts by daemon hold the same blocks, so signatures are cached.
      const known = signatures.get(text) ?? sign(null, Buffer.from(text), key).toString('hex').toUpperCase()
      signatures.set(text, known)
      return known
    },
  }
}

/** Public keys that verify, retired ones included. */
export async function loadPublicKeys(db: Kysely<DB>): Promise<PublicKey[]> {
  return (await listKeys(db)).map(({ key_id, public_key }) => ({ keyId: key_id, spki: public_key }))
}

/** Makes the first key on behalf of an operator. */
export async function createFirstKey(
  db: Kysely<DB>,
  secrets: InstallationSecrets,
  by: AuditContext,
): Promise<SigningKeyRow> {
  const current = await ensureFirstKey(db, secrets, by.email, by.at)
  await writeAudit(db, by, { action: 'license-key.create', target: current.key_id })
  return current
}

/** If another process was faster, its key is the first. */
async function ensureFirstKey(
  db: Kysely<DB>,
  secrets: InstallationSecrets,
  createdBy: string,
  now: Date,
): Promise<SigningKeyRow> {
  await insertFirstKey(db, await createKey(db, secrets, createdBy, now))
  const current = await findCurrentKey(db)
  if (!current) throw new Error('There is no signing key, although one was made')
  return current
}

/** Makes a new key and retires the current one. Answers its id. */
export async function rotateKey(db: Kysely<DB>, secrets: InstallationSecrets, by: AuditContext): Promise<string> {
  const row = await createKey(db, secrets, by.email, by.at)
  await db.transaction().execute(async (tx) => {
    await replaceKey(tx, row, by.at)
    await writeAudit(tx, by, { action: 'license-key.rotate', target: row.key_id })
  })
  return row.key_id
}

async function createKey(
  db: Kysely<DB>,
  secrets: InstallationSecrets,
  createdBy: string,
  now: Date,
): Promise<Insertable<DB['signing_key']>> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const keyId = `portal-${randomBytes(6).toString('hex')}`
  return {
    key_id: keyId,
    public_key: publicKey.export({ format: 'der', type: 'spki' }),
    sealed_private_key: sealBytes(
      await sealingKey(db, secrets),
      Buffer.from(keyId),
      privateKey.export({ format: 'der', type: 'pkcs8' }),
    ),
    created_at: now,
    created_by: createdBy,
  }
}

async function openPrivateKey(db: Kysely<DB>, secrets: InstallationSecrets, row: SigningKeyRow): Promise<KeyObject> {
  const key = openBytes(await sealingKey(db, secrets), Buffer.from(row.key_id), row.sealed_private_key)
  if (!key) throw new Error(`The signing key ${row.key_id} does not open with the secret of this installation`)
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

async function sealingKey(db: Kysely<DB>, secrets: InstallationSecrets): Promise<Buffer> {
  const secret = await secrets.load(db, 'license signing')
  return Buffer.from(hkdfSync('sha256', secret, '', 'license signing key', 32))
}
