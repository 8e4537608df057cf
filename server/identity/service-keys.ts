import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { isServiceScope, type ServiceScope } from '#domain/access/roles.ts'
import { findServiceKey, type ServiceKeyRow, saveServiceKeyUse } from '#server/identity/service-keys.queries.ts'
import type { Services } from '#server/services.ts'

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
export const serviceKeyIn = (authorization: string | undefined) => bearerWith(PREFIX, authorization)

export function bearerWith(prefix: string, authorization: string | undefined): string | undefined {
  const [scheme, token] = authorization?.split(' ') ?? []
  return scheme?.toLowerCase() === 'bearer' && token?.startsWith(prefix) ? token : undefined
}

/**
 * A key, with the reason if it cannot be used. With a wrong secret the caller is not the key: `target` only names it.
 */
export type FoundKey =
  | { readonly principal: ServiceKey; readonly refusal: string | undefined }
  | { readonly principal: null; readonly refusal: string; readonly target: string }

/** The key that a caller sent; undefined if no key has this id. */
export async function loadServiceKey(
  services: Pick<Services, 'db' | 'clock' | 'callers'>,
  sent: string,
): Promise<FoundKey | undefined> {
  const [, id, secret] = FORM.exec(sent) ?? []
  if (id === undefined || secret === undefined) return undefined
  const row = await loadRow(services, id)
  if (!row) return undefined
  if (!timingSafeEqual(row.secret_hash, hash(secret)))
    return { principal: null, refusal: INVALID_KEY, target: `service key ${nameWithId(row)}` }
  const now = services.clock.now()
  const refusal = refusalOf(row, now)
  if (refusal === undefined && isUseDue(row, now)) {
    await saveServiceKeyUse(services.db, id, { at: now, unlessAfter: new Date(now.getTime() - SAVE_USE_EVERY) })
    services.callers.noteKeyUse(id, now)
  }
  return { principal: toServiceKey(row), refusal }
}

async function loadRow({ db, callers }: Pick<Services, 'db' | 'callers'>, id: string) {
  const known = callers.findKey(id)
  if (known) return known
  const begun = callers.changes()
  const row = await findServiceKey(db, id)
  if (row) callers.keepKey(row, begun)
  return row
}

/** The name of a revoked key or token can be used again, so they are identified by name and id. */
export const nameWithId = ({ name, id }: { name: string; id: string }) => `${name} (${id})`

/** Only for callers who have the secret: nobody else learns whether the key was revoked or has expired. */
function refusalOf(row: ServiceKeyRow, now: Date): string | undefined {
  if (row.revoked_at) return 'This service key was revoked'
  return row.expires_at <= now ? 'This service key has expired' : undefined
}

const isUseDue = ({ last_used_at }: ServiceKeyRow, now: Date) =>
  last_used_at === null || now.getTime() - last_used_at.getTime() >= SAVE_USE_EVERY

function toServiceKey({ id, name, scopes, expires_at }: ServiceKeyRow): ServiceKey {
  return { kind: 'service key', id, name, scopes: scopes.filter(isServiceScope), expiresAt: expires_at }
}

const hash = (secret: string) => createHash('sha256').update(secret).digest()
