import type { QueryExecutorProvider } from 'kysely'
import type { Sum } from '#contract/kit/list.ts'
import { type ContinuationTokens, continuationTokens } from '#server/lists/keyset.ts'
import { type CsvColumns, type CsvPiece, streamCsv, type Traffic } from '#server/lists/list-csv.ts'
import { fetchDistinct } from '#server/lists/list-distinct.ts'
import { fetchPage, streamRows } from '#server/lists/list-page.ts'
import type { ReadingZone } from '#server/lists/list-query.ts'
import type {
  CountRequest,
  DistinctRequest,
  ListFields,
  ListScope,
  ListSource,
  PageRequest,
  SumRequest,
  WireRow,
} from '#server/lists/list-source.ts'
import { type Adds, fetchCount, fetchSums } from '#server/lists/list-totals.ts'
import { type PreparedPool, preparedPages } from '#server/lists/prepared-pages.ts'
import type { InTurn } from '#server/turns/call-turns.ts'

/** Reads declared lists on the connection that it is given. Requests are what the caller sent, unchecked; the zone is the account's. */
export type ListEngine = {
  page<S extends ListScope, F extends ListFields>(
    db: QueryExecutorProvider,
    source: ListSource<S, F>,
    scope: S,
    request: PageRequest,
    zone?: ReadingZone,
  ): Promise<{ json: string; token: string | null }>
  count<S extends ListScope, F extends ListFields>(
    db: QueryExecutorProvider,
    source: ListSource<S, F>,
    scope: S,
    request: CountRequest,
    zone?: ReadingZone & { readonly atMost?: number },
  ): Promise<number>
  /** What number fields add up to, for each value of another field. */
  sum<S extends ListScope, F extends ListFields>(
    db: QueryExecutorProvider,
    source: ListSource<S, F>,
    scope: S,
    adds: Adds,
    request: SumRequest,
    zone?: ReadingZone,
  ): Promise<Sum[]>
  distinct<S extends ListScope, F extends ListFields>(
    db: QueryExecutorProvider,
    source: ListSource<S, F>,
    scope: S,
    request: DistinctRequest,
    zone?: ReadingZone,
  ): Promise<unknown[]>
  /** Every row, in batches. */
  rows<S extends ListScope, F extends ListFields>(
    db: QueryExecutorProvider,
    source: ListSource<S, F>,
    scope: S,
    request: Pick<PageRequest, 'filter' | 'sorting' | 'attributes'>,
    zone?: ReadingZone & { readonly later?: InTurn },
  ): AsyncGenerator<WireRow<F>[]>
  /** Every row as CSV, in pieces; pauses between them while other requests arrive. */
  csv<S extends ListScope, F extends ListFields>(
    db: QueryExecutorProvider,
    source: ListSource<S, F>,
    scope: S,
    request: Pick<PageRequest, 'filter' | 'sorting'> & { readonly columns: CsvColumns<F> },
    zone?: ReadingZone & { readonly later?: InTurn },
  ): AsyncGenerator<CsvPiece>
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
    count: (db, source, scope, request, zone) => fetchCount(db, source, scope, request, zone),
    sum: (db, source, scope, adds, request, zone) => fetchSums(db, source, scope, adds, request, zone),
    distinct: (db, source, scope, request, zone) => fetchDistinct(db, source, scope, request, { ...zone, prepared }),
    rows: (db, source, scope, request, zone) => streamRows(db, source, scope, request, zone),
    csv: (db, source, scope, request, zone) => streamCsv(db, source, scope, request, { ...zone, traffic }),
  }
}
