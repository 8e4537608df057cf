import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { BackupError, type Encryption } from '#server/backup/backup-format.ts'

/** Takes about a third of a second and 128 MB: guessing passphrases is slow. */
const COST = { N: 2 ** 17, r: 8, p: 1 }
const MEMORY = 256 * 1024 * 1024
const KEY_BYTES = 32
const CHECK_BYTES = 8
export const TAG_BYTES = 16

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)

async function keyOf(passphrase: string, { salt, ...cost }: Encryption['scrypt']) {
  const bytes = await derive(passphrase.normalize('NFC'), Buffer.from(salt, 'base64'), KEY_BYTES + CHECK_BYTES, {
    ...cost,
    maxmem: MEMORY,
  })
  return { key: bytes.subarray(0, KEY_BYTES), check: bytes.subarray(KEY_BYTES).toString('base64') }
}

export async function createEncryption(passphrase: string) {
  const settings = { ...COST, salt: randomBytes(16).toString('base64') }
  const { key, check } = await keyOf(passphrase, settings)
  const iv = randomBytes(12)
  const encryption: Encryption = { cipher: 'aes-256-gcm', scrypt: settings, iv: iv.toString('base64'), check }
  return { encryption, createCipher: (boundTo: Buffer) => createCipheriv('aes-256-gcm', key, iv).setAAD(boundTo) }
}

export async function createDecipher(
  { scrypt: settings, iv, check }: Encryption,
  { passphrase, boundTo, tag }: { passphrase: string; boundTo: Buffer; tag: Buffer },
) {
  const derived = await keyOf(passphrase, settings)
  if (derived.check !== check) throw new BackupError('The passphrase does not open this backup')
  return createDecipheriv('aes-256-gcm', derived.key, Buffer.from(iv, 'base64')).setAAD(boundTo).setAuthTag(tag)
}
