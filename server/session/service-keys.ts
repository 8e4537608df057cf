import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** lpk_<id>_<secret>: the prefix lets secret scanners recognize a key, the id finds its row, the secret proves it. */
const FORM = /^lpk_([a-z0-9]{12})_([A-Za-z0-9_-]{43})$/

export type NewServiceKey = { readonly id: string; readonly key: string; readonly secretHash: Buffer }

export function createServiceKey(): NewServiceKey {
  const id = randomBytes(6).toString('hex')
  const secret = randomBytes(32).toString('base64url')
  return { id, key: `lpk_${id}_${secret}`, secretHash: hash(secret) }
}

/** The parts of a key as a caller sends it; undefined if it does not look like one. */
export function parseServiceKey(key: string): { readonly id: string; readonly secret: string } | undefined {
  const [, id, secret] = FORM.exec(key) ?? []
  return id !== undefined && secret !== undefined ? { id, secret } : undefined
}

export const isSecretOf = (secretHash: Buffer, secret: string): boolean => timingSafeEqual(secretHash, hash(secret))

const hash = (secret: string) => createHash('sha256').update(secret).digest()
