import type { Kysely } from 'kysely'
import type { Standing } from '#domain/access/standing.ts'
import type { DB } from '#server/db/schema.ts'
import { HttpError } from '#server/http/http-error.ts'
import { findElasticServer } from '#server/modules/elastic/credentials/credentials.queries.ts'

/** The elastic license server that a call names; 404 if the account has no such server. */
export async function findNamedServer({
  body,
  db,
  standing,
}: {
  readonly body: { readonly clsId: string }
  readonly db: Kysely<DB>
  readonly standing: Standing
}) {
  const server = { customerNumber: standing.customerNumber, deviceId: body.clsId }
  const found = await findElasticServer(db, server)
  if (!found) throw new HttpError(404, 'This account has no such elastic license server.')
  return { ...server, alias: found.alias }
}
