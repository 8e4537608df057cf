import type { Kysely } from 'kysely'
import type { ElasticEntitlement } from '#contract/elastic/balances/elastic-row.ts'
import type { DB } from '#server/db/schema.ts'
import { tooManyRows } from '#server/lists/list-limits.ts'
import { loadElasticEntitlementsJson } from '#server/modules/elastic/balances/elastic-entitlements.queries.ts'

/** Maximum number of rows: the screen loads them all at once. */
const MAX_ENTITLEMENTS = 5000

export async function loadElasticJson(db: Kysely<DB>, customerNumber: string): Promise<string> {
  const { json, found } = await loadElasticEntitlementsJson(db, customerNumber, MAX_ENTITLEMENTS + 1)
  if (found > MAX_ENTITLEMENTS) throw tooManyRows()
  return json
}

export async function loadElasticEntitlements(db: Kysely<DB>, customerNumber: string): Promise<ElasticEntitlement[]> {
  return JSON.parse(await loadElasticJson(db, customerNumber)) as ElasticEntitlement[]
}
