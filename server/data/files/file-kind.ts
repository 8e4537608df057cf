import type { RecordKind } from '#contract/data/record-kind.ts'
import type { DataKind } from '#server/data/data-kind.ts'

/** A kind of record as files have it. Every kind of the service API is one; some are in files only. */
export type FileKind<Row extends object = object> = Pick<DataKind<Row>, 'save' | 'read'> & {
  readonly kind: RecordKind
}
