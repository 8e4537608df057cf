import { hkdfSync } from 'node:crypto'
import { openBytes, sealBytes } from '#server/db/sealed-bytes.ts'
import { hashOfId } from '#server/identity/principal.queries.ts'

type Kind = 'id token' | 'refresh token'

export type SignInTokens = {
  seal(sessionId: string, kind: Kind, token: string): Buffer
  /** Undefined if the token was sealed for another session or with another secret. */
  open(sessionId: string, kind: Kind, sealed: Buffer | null): string | undefined
}

/**
 * Tokens of the identity provider as the database keeps them. The key comes from the installation's secret and from the
 * session id, of which the database stores only the hash: a copy of the database cannot decrypt a token.
 */
export function signInTokens(secret: Buffer): SignInTokens {
  const keyOf = (sessionId: string) => Buffer.from(hkdfSync('sha256', secret, sessionId, 'session token', 32))
  /** A token moved to another session or another column does not open. */
  const boundTo = (sessionId: string, kind: Kind) => Buffer.concat([hashOfId(sessionId), Buffer.from(kind)])
  return {
    seal: (sessionId, kind, token) => sealBytes(keyOf(sessionId), boundTo(sessionId, kind), Buffer.from(token, 'utf8')),
    open: (sessionId, kind, sealed) =>
      sealed ? openBytes(keyOf(sessionId), boundTo(sessionId, kind), sealed)?.toString('utf8') : undefined,
  }
}
