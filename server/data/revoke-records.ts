import type { Transaction } from 'kysely'
import { writeAudits } from '#server/audit/audit.queries.ts'
import type { RowOutcome, SaveContext } from '#server/data/data-kind.ts'
import { findKeys, keyOfId } from '#server/data/record-keys.ts'
import {
  deleteRecords,
  isOfCustomers,
  lockRecords,
  type Row,
  updateRecords,
} from '#server/data/record-table.queries.ts'
import { noteRemovals } from '#server/data/removals.queries.ts'
import { auditOf, type Change, isSame, type RecordRules, refusalsOf } from '#server/data/save-records.ts'
import type { DB } from '#server/db/schema.ts'
import { type Refusal, refusal } from '#server/http/http-error.ts'

type Found = { readonly key: string; readonly row: Row }

/** Changes records so that they are revoked. Unknown records are refused. */
export async function revokeByChange(
  tx: Transaction<DB>,
  ids: readonly string[],
  context: SaveContext,
  rules: RecordRules,
  revoked: (row: Row) => Row,
): Promise<RowOutcome[]> {
  const found = await lockIds(tx, ids, rules)
  const changes = new Map<Change, string>()
  const outcomes = new Map<string, RowOutcome>()
  for (const { key, row } of found.values()) {
    const change = { before: row, after: { ...row, ...revoked(row) } }
    if (isSame(change.before, change.after)) outcomes.set(key, { key, result: 'unchanged' })
    else changes.set(change, key)
  }
  const refusals = await refusalsOf(tx, rules, [...changes.keys()])
  for (const [change, key] of changes) {
    const refused = refusals.get(change)
    outcomes.set(key, refused ? { key, result: 'refused', ...refused } : { key, result: 'changed' })
  }
  const allowed = [...changes.keys()].filter((change) => !refusals.has(change))
  await updateRecords(
    tx,
    rules.table,
    allowed.map(({ after }) => after),
  )
  await rules.after?.(tx, allowed, context)
  await writeAudits(
    tx,
    context.audit,
    allowed.map((change) => auditOf(rules, change, '/revoke')),
  )
  return answers(ids, rules, outcomes, (key) => ({ key, result: 'refused', ...unknown(key) }))
}

const unknown = (key: string) => refusal('NOT_FOUND', `There is no record ${key}.`)

/** Deletes records, except those that others refer to. Deleting a record that does not exist is a no-op. */
export async function revokeByDeleting(
  tx: Transaction<DB>,
  ids: readonly string[],
  context: SaveContext,
  rules: RecordRules,
  inUse: (tx: Transaction<DB>, rows: readonly Row[]) => Promise<ReadonlyMap<Row, Refusal>> = async () => new Map(),
): Promise<RowOutcome[]> {
  const found = [...(await lockIds(tx, ids, rules)).values()]
  const refusals = await inUse(
    tx,
    found.map(({ row }) => row),
  )
  const outcomes = new Map<string, RowOutcome>()
  for (const { key, row } of found) {
    const refused = refusals.get(row)
    outcomes.set(key, refused ? { key, result: 'refused', ...refused } : { key, result: 'removed' })
  }
  const removed = found.map(({ row }) => row).filter((row) => !refusals.has(row))
  await deleteRecords(tx, rules.table, removed)
  const changes = removed.map((row): Change => ({ before: row, after: {} }))
  await rules.after?.(tx, changes, context)
  if (!isOfCustomers(rules.table)) await noteRemovals(tx, rules.kind.name, removed.map(rules.kind.keyOf))
  await writeAudits(
    tx,
    context.audit,
    changes.map((change) => auditOf(rules, change, '/revoke')),
  )
  return answers(ids, rules, outcomes, (key) => ({ key, result: 'unchanged' }))
}

/** Locks rows by their stored keys. */
async function lockIds(tx: Transaction<DB>, ids: readonly string[], rules: RecordRules): Promise<Map<string, Found>> {
  const keys = await findKeys(tx, rules, ids)
  const distinct = new Map(keys.map((key) => [rules.kind.keyOf(key), key]))
  await rules.lock?.(tx, [...distinct.values()])
  const rows = await lockRecords(tx, rules.table, [...distinct.values()])
  return new Map(
    rows.map(({ changedAt: _, ...row }) => {
      const key = rules.kind.keyOf(row)
      return [key, { key, row }]
    }),
  )
}

function answers(
  ids: readonly string[],
  rules: RecordRules,
  outcomes: ReadonlyMap<string, RowOutcome>,
  otherwise: (key: string) => RowOutcome,
): RowOutcome[] {
  const answered = new Set<string>()
  return ids.map((id) => {
    const key = keyOfId(rules, id)
    const outcome = outcomes.get(key) ?? otherwise(key)
    const isRepeat = answered.has(key) && outcome.result !== 'refused'
    answered.add(key)
    return isRepeat ? { key, result: 'unchanged' } : outcome
  })
}
