import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { TOKEN_SCOPES, type TokenScope } from '#domain/tokens/token-areas.ts'
import type { DB } from '#server/db/schema.ts'
import { insertApiToken } from '#server/identity/api-tokens.queries.ts'
import { createApiToken } from '#server/identity/api-tokens.ts'
import { bearer } from '#server/testing/service-keys.ts'

const DAY = 24 * 60 * 60 * 1000

type Options = {
  customerNumber?: string
  owner?: string
  scopes?: readonly TokenScope[]
  days?: number
  createdDaysAgo?: number
  addresses?: readonly string[]
}

/** A token of Ada with every scope on 100001 that works for a day from now on, unless said otherwise. */
export async function giveApiToken(
  { db, clock }: { db: Kysely<DB>; clock: { now(): Date } },
  {
    customerNumber = '100001',
    owner = 'ada.admin@aerodyne.example',
    scopes = TOKEN_SCOPES,
    days = 1,
    createdDaysAgo = 0,
    addresses = [],
  }: Options = {},
) {
  const { token, secretHash } = createApiToken()
  const id = randomUUID()
  const created = new Date(clock.now().getTime() - createdDaysAgo * DAY)
  await db.transaction().execute((tx) =>
    insertApiToken(tx, {
      customer_number: customerNumber,
      id,
      secret_hash: secretHash,
      name: 'a test',
      owner,
      scopes: [...scopes],
      addresses: [...addresses],
      created_at: created,
      expires_at: new Date(created.getTime() + days * DAY),
    }),
  )
  return { id, token, headers: bearer(token) }
}
