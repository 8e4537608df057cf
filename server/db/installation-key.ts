import { createHash, createSecretKey, type KeyObject } from 'node:crypto'
import { openBytes, sealBytes } from '#server/db/sealed-bytes.ts'
import { StartupError } from '#server/embedded/startup-error.ts'

/*
 * The secrets of an installation are in its database, and so in every backup. A key from outside (INSTALLATION_KEY_FILE)
 * can wrap them. A wrapped secret says with which key, so that portals which have both keys go on during a rotation.
 */

/** A key from outside. Its id is public: it tells keys apart and says nothing about the key. */
export type InstallationKey = { readonly id: string; readonly key: KeyObject }

const KEY_BYTES = 32
const ID_BYTES = 4
const WRAPPED = Buffer.from('wrapped1')

/** Undefined unless the text is 32 bytes in base64 or hex. */
export function parseInstallationKey(text: string): InstallationKey | undefined {
  const isHex = /^[0-9a-f]{64}$/i.test(text)
  if (!isHex && !/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined
  const bytes = Buffer.from(text, isHex ? 'hex' : 'base64')
  if (bytes.length !== KEY_BYTES) return undefined
  const id = createHash('sha256')
    .update('installation key ')
    .update(bytes)
    .digest()
    .subarray(0, ID_BYTES)
    .toString('hex')
  return { id, key: createSecretKey(bytes) }
}

/** The id of the key that wraps a stored secret; undefined if it is not wrapped. */
export function wrappingKeyId(stored: Buffer): string | undefined {
  if (!stored.subarray(0, WRAPPED.length).equals(WRAPPED)) return undefined
  return stored.subarray(WRAPPED.length, WRAPPED.length + ID_BYTES).toString('hex')
}

const boundTo = (name: string) => Buffer.from(`installation secret ${name}`)

export function wrapSecret({ id, key }: InstallationKey, name: string, secret: Buffer): Buffer {
  return Buffer.concat([WRAPPED, Buffer.from(id, 'hex'), sealBytes(key, boundTo(name), secret)])
}

/** The secret as it is used. */
export function openSecret(keys: readonly InstallationKey[], name: string, stored: Buffer): Buffer {
  const id = wrappingKeyId(stored)
  if (id === undefined) return stored
  const key = keys.find((one) => one.id === id)?.key
  if (!key)
    throw new StartupError(
      `the secrets of this installation are wrapped with the key ${id}, which INSTALLATION_KEY_FILE does not have`,
    )
  const secret = openBytes(key, boundTo(name), stored.subarray(WRAPPED.length + ID_BYTES))
  if (!secret)
    throw new StartupError(`the secret "${name}" of this installation is damaged: its key ${id} does not open it`)
  return secret
}
