import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { isServiceScope, type ServiceScope } from '#domain/access/service-scopes.ts'
import type { Services } from '#server/services.ts'
import { findServiceKey, type ServiceKeyRow, saveServiceKeyUse } from '#server/session/service-keys.queries.ts'

/** A key of one of the vendor's own systems. */
export type ServiceKey = {
  readonly kind: 'service key'
  readonly id: string
  readonly name: string
  readonly scopes: readonly ServiceScope[]
  readonly expiresAt: Date
}

/** lpk_<id>_<secret>: the prefix lets secret scanners recognize a key, the id finds its row, the secret proves it. */
const PREFIX = 'lpk_'
const FORM = /^lpk_([a-z0-9]{12})_([A-Za-z0-9_-]{43})$/

export const INVALID_KEY = 'This service key is not valid'
/** The last use is saved at most once a minute: a write per request would cost more than the request. */
const SAVE_USE_EVERY = 60_000

export type NewServiceKey = { readonly id: string; readonly key: string; readonly secretHash: Buffer }

export function createServiceKey(): NewServiceKey {
  const id = randomBytes(6).toString('hex')
  const secret = randomBytes(32).toString('base64url')
  return { id, key: `${PREFIX}${id}_${secret}`, secretHash: hash(secret) }
}

/** The service key in an Authorization header, valid or not. A proxy's own Authorization header is not one. */
export function serviceKeyIn(authorization: string | undefined): string | undefined {
  const [scheme, token] = authorization?.split(' ') ?? []
  return scheme?.toLowerCase() === 'bearer' && token?.startsWith(PREFIX) ? token : undefined
}

/** The key that a caller sent, with the reason if it cannot be used; undefined if no key has this id. */
export async function loadServiceKey(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  sent: string,
): Promise<{ principal: ServiceKey; refusal: string | undefined } | undefined> {
  const [, id, secret] = FORM.exec(sent) ?? []
  if (id === undefined || secret === undefined) return undefined
  const row = await findServiceKey(db, id)
  if (!row) return undefined
  const now = clock.now()
  const refusal = refusalOf(row, secret, now)
  if (refusal === undefined && isUseDue(row, now))
    await saveServiceKeyUse(db, id, { at: now, unlessAfter: new Date(now.getTime() - SAVE_USE_EVERY) })
  return { principal: toServiceKey(row), refusal }
}

/** The secret comes first: only who has it learns whether the key was revoked or has expired. */
function refusalOf(row: ServiceKeyRow, secret: string, now: Date): string | undefined {
  if (!timingSafeEqual(row.secret_hash, hash(secret))) return INVALID_KEY
  if (row.revoked_at) return 'This service key was revoked'
  return row.expires_at <= now ? 'This service key has expired' : undefined
}

const isUseDue = ({ last_used_at }: ServiceKeyRow, now: Date) =>
  last_used_at === null || now.getTime() - last_used_at.getTime() >= SAVE_USE_EVERY

function toServiceKey({ id, name, scopes, expires_at }: ServiceKeyRow): ServiceKey {
  return { kind: 'service key', id, name, scopes: scopes.filter(isServiceScope), expiresAt: expires_at }
}

const hash = (secret: string) => createHash('sha256').update(secret).digest()
