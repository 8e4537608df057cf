import type { Kysely } from 'kysely'
import type { Standing } from '#domain/access/standing.ts'
import type { ReadingZone } from '#server/lists/list-query.ts'
import { accountOf } from '#server/modules/accounts/accounts.public.ts'
import { elasticServersOf } from '#server/modules/elastic/elastic-servers.queries.ts'
import type { UsageScope } from '#server/modules/elastic/usage.list.ts'
import type { DB } from '#server/plugins/schema.ts'

type Asked = { readonly serverId?: string; readonly filter?: unknown }

export function usageScope(standing: Standing, { serverId }: Asked): UsageScope {
  return { customerNumber: standing.customerNumber, serverId: serverId ?? null }
}

/**
 * The same scope for calls that read many rows: the account's only server need not be looked for in each of them, and
 * the index alone then answers.
 */
export async function wideUsageScope(db: Kysely<DB>, standing: Standing, asked: Asked): Promise<UsageScope> {
  const scope = usageScope(standing, asked)
  if (scope.serverId === null) return scope
  const servers = await elasticServersOf(db, scope.customerNumber)
  const isOnlyOne = servers.length === 1 && servers[0]?.device_id === scope.serverId
  return isOnlyOne ? { ...scope, serverId: null } : scope
}

/** Whole days are days of the account; its zone is asked for only where a filter speaks of days. */
export async function usageReading(db: Kysely<DB>, standing: Standing, { filter }: Asked): Promise<ReadingZone> {
  if (!speaksOfDays(filter)) return {}
  return { timeZone: (await accountOf(db, standing.customerNumber)).time_zone }
}

/** Looks no deeper than a filter may be nested; what is deeper is refused when it is parsed. */
function speaksOfDays(filter: unknown, depth = 0): boolean {
  if (typeof filter !== 'object' || filter === null || depth > 4) return false
  const { method, criteria } = filter as { method?: unknown; criteria?: unknown }
  if (typeof method === 'string' && /DAY/.test(method)) return true
  return Array.isArray(criteria) && criteria.some((one) => speaksOfDays(one, depth + 1))
}
