import type { Kysely } from 'kysely'
import { hostParts } from '#domain/activations/hosts/host.ts'
import { readHostId } from '#domain/activations/hosts/host-id.ts'
import type { DB } from '#server/db/schema.ts'
import { HttpError } from '#server/http/http-error.ts'
import { findHostNamed, type NamedHost } from '#server/modules/license-use/use/use.queries.ts'

/** The license server that a call names; one id of a triad is enough. */
export async function requireHost(db: Kysely<DB>, customerNumber: string, serverId: string): Promise<NamedHost> {
  const id = hostParts(serverId)
    .map((part) => readHostId(part).id)
    .join(',')
  const host = await findHostNamed(db, customerNumber, id)
  if (!host) throw new HttpError(404, `This account has no license server ${serverId}`)
  return host
}
