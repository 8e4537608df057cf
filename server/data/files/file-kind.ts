import type { Kysely } from 'kysely'
import type { RecordKind } from '#contract/data/record-kind.ts'
import type { DataKind } from '#server/data/data-kind.ts'
import type { DB } from '#server/db/schema.ts'

/** A record kind of files. Every kind of the service API is one; some kinds exist in files only. */
export type FileKind<Row extends object = object> = Pick<DataKind<Row>, 'save' | 'read'> & {
  readonly kind: RecordKind
  /** What a file of all records leaves out; nothing as a rule. */
  leftOut?(db: Kysely<DB>): Promise<string | undefined>
}
