import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { Verify } from '#domain/activations/license-files/license-signature.ts'

/** A public key in a form that can be sent to a thread. */
export type PublicKey = { readonly keyId: string; readonly spki: Uint8Array }

/** The signature as a license file writes it. Only this spelling verifies: no other text stands for the same bytes. */
const SIGNATURE = /^[0-9A-F]{128}$/

/** Verifies with whichever key the block names. */
export function createVerifier(publicKeys: readonly PublicKey[]): Verify {
  const keys = new Map(publicKeys.map(({ keyId, spki }) => [keyId, toKey(spki)]))
  return (text, signature, keyId) => {
    const key = keys.get(keyId ?? '')
    if (!key) return undefined
    return SIGNATURE.test(signature) && verify(null, Buffer.from(text), key, Buffer.from(signature, 'hex'))
  }
}

function toKey(spki: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
}
