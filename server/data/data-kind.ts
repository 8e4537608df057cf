import type { Kysely, Transaction } from 'kysely'
import type { RecordKindName } from '#contract/data/kinds.ts'
import type { RecordKind } from '#contract/data/record-kind.ts'
import type { AuditContext } from '#server/audit/audit.queries.ts'
import type { RecordTable } from '#server/data/record-table.queries.ts'
import type { DB } from '#server/db/schema.ts'
import type { Refusal } from '#server/http/http-error.ts'

/** The outcome of one record of a batch. `key` is its stored id. */
export type RowOutcome =
  | { readonly key: string; readonly result: 'created' | 'changed' | 'unchanged' | 'removed' }
  | ({ readonly key: string; readonly result: 'refused' } & Refusal)

export type SaveContext = { readonly audit: AuditContext; readonly now: Date }

export type ReadRow<Row> = Row & { readonly changedAt: string }

/** `changedSince` asks for the order of changes, otherwise rows come in the order of their keys. `after` is `next` of a page. */
export type ReadQuestion = { readonly after?: string; readonly changedSince?: Date; readonly limit: number }
export type ReadPage<Row> = { readonly rows: readonly ReadRow<Row>[]; readonly next?: string }

/**
 * One kind of record as the service API, import and export see it. Rows are of the shape of `kind.schema`: check them with
 * `recordChecker` before they are saved.
 */
export type DataKind<Row extends object = object> = {
  readonly kind: RecordKind<RecordKindName>
  readonly tables: readonly RecordTable[]
  /**
   * Returns one outcome for each row, in their order. The number of statements does not depend on the size of the
   * batch.
   */
  save(tx: Transaction<DB>, rows: readonly Row[], context: SaveContext): Promise<RowOutcome[]>
  read(db: Kysely<DB>, question: ReadQuestion): Promise<ReadPage<Row>>
  find(db: Kysely<DB>, keys: readonly string[]): Promise<ReadRow<Row>[]>
  revoke(tx: Transaction<DB>, keys: readonly string[], context: SaveContext): Promise<RowOutcome[]>
}
