import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { hashOfId } from '#server/session/principal.queries.ts'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

type Kind = 'id token' | 'refresh token'

export type SessionTokens = {
  seal(sessionId: string, kind: Kind, token: string): Buffer
  /** Undefined for what was not sealed for this session, or under another secret. */
  open(sessionId: string, kind: Kind, sealed: Buffer | null): string | undefined
}

/**
 * Tokens of the identity provider as the database keeps them. The key comes from the installation's secret and from the
 * session id, of which the database knows only the hash: a copy of the database opens no token.
 */
export function sessionTokens(secret: Buffer): SessionTokens {
  const keyOf = (sessionId: string) => Buffer.from(hkdfSync('sha256', secret, sessionId, 'session token', 32))
  /** A token moved to another session or another column does not open. */
  const boundTo = (sessionId: string, kind: Kind) => Buffer.concat([hashOfId(sessionId), Buffer.from(kind)])
  return {
    seal(sessionId, kind, token) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(CIPHER, keyOf(sessionId), iv).setAAD(boundTo(sessionId, kind))
      const text = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), text])
    },
    open(sessionId, kind, sealed) {
      if (!sealed) return undefined
      try {
        const decipher = createDecipheriv(CIPHER, keyOf(sessionId), sealed.subarray(0, IV_BYTES), {
          authTagLength: TAG_BYTES,
        })
          .setAAD(boundTo(sessionId, kind))
          .setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
        const text = decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}
