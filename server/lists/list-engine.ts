import type { QueryExecutorProvider } from 'kysely'
import { type ContinuationTokens, continuationTokens } from '#server/lists/keyset.ts'
import { streamCsv, type Traffic } from '#server/lists/list-csv.ts'
import { fetchDistinct } from '#server/lists/list-distinct.ts'
import { fetchPage, streamRows } from '#server/lists/list-page.ts'
import type { ReadingZone } from '#server/lists/list-query.ts'
import type { ListFields, ListScope, ListSource, PageRequest } from '#server/lists/list-source.ts'
import { fetchCount, fetchSums } from '#server/lists/list-totals.ts'
import { type PreparedPool, preparedPages } from '#server/lists/prepared-pages.ts'

/**
 * Reads declared lists on the given connection. Requests are unchecked input of the caller; the zone is the account's.
 */
export type ListEngine = {
  page<S extends ListScope, F extends ListFields>(
    db: QueryExecutorProvider,
    source: ListSource<S, F>,
    scope: S,
    request: PageRequest,
    zone?: ReadingZone,
  ): Promise<{ json: string; token: string | null }>
  count: typeof fetchCount
  sum: typeof fetchSums
  distinct: typeof fetchDistinct
  rows: typeof streamRows
  csv: typeof streamCsv
}

type Parts = {
  readonly db: QueryExecutorProvider
  readonly preparedPool: PreparedPool
  /** The secret behind continuation tokens, shared by all processes of the installation. */
  readonly secret: Buffer
  readonly traffic: Traffic
}

export function listEngine({ db, preparedPool, secret, traffic }: Parts): ListEngine {
  const tokens: ContinuationTokens = continuationTokens(secret)
  const prepared = preparedPages(db, preparedPool)
  return {
    page: (db, source, scope, request, zone) => fetchPage(db, source, scope, request, { ...zone, tokens, prepared }),
    count: fetchCount,
    sum: fetchSums,
    distinct: (db, source, scope, request, zone) => fetchDistinct(db, source, scope, request, { ...zone, prepared }),
    rows: streamRows,
    csv: (db, source, scope, request, zone) => streamCsv(db, source, scope, request, { ...zone, traffic }),
  }
}
