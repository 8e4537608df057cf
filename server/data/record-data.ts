import type { Transaction } from 'kysely'
import type { DataKind, RowOutcome, SaveContext } from '#server/data/data-kind.ts'
import { findByIds, readPage } from '#server/data/read-records.ts'
import { type RecordRules, saveRecords } from '#server/data/save-records.ts'
import type { DB } from '#server/db/schema.ts'

type Revoke = (
  tx: Transaction<DB>,
  ids: readonly string[],
  context: SaveContext,
  rules: RecordRules,
) => Promise<RowOutcome[]>

/** A kind whose records are the rows of one table. */
export function recordData(rules: RecordRules, revoke: Revoke): DataKind {
  return {
    kind: rules.kind,
    tables: [rules.table],
    save: (tx, rows, context) => saveRecords(tx, rows, context, rules),
    read: (db, question) => readPage(db, question, rules),
    find: (db, ids) => findByIds(db, ids, rules),
    revoke: (tx, ids, context) => revoke(tx, ids, context, rules),
  }
}
