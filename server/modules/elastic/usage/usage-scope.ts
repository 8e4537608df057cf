import type { Kysely } from 'kysely'
import type { Standing } from '#domain/access/standing.ts'
import type { DB } from '#server/db/schema.ts'
import { listElasticServers } from '#server/modules/elastic/credentials/elastic-servers.queries.ts'
import type { UsageScope } from '#server/modules/elastic/usage/usage.list.ts'

type UsageRequest = { readonly serverId?: string }

export function usageScope(standing: Standing, { serverId }: UsageRequest): UsageScope {
  return { customerNumber: standing.customerNumber, serverId: serverId ?? null }
}

/**
 * The scope of calls that read many rows: without a condition on the account's only server, an index-only scan
 * suffices.
 */
export async function loadWideUsageScope(
  db: Kysely<DB>,
  standing: Standing,
  request: UsageRequest,
): Promise<UsageScope> {
  const scope = usageScope(standing, request)
  if (scope.serverId === null) return scope
  const servers = await listElasticServers(db, scope.customerNumber)
  const isOnlyOne = servers.length === 1 && servers[0]?.device_id === scope.serverId
  return isOnlyOne ? { ...scope, serverId: null } : scope
}
