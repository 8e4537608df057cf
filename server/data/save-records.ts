import type { Kysely, Transaction } from 'kysely'
import type { RecordKindName } from '#contract/data/kinds.ts'
import type { RecordKind } from '#contract/data/record-kind.ts'
import { type AuditEntry, writeAudits } from '#server/audit/audit.queries.ts'
import type { RowOutcome, SaveContext } from '#server/data/data-kind.ts'
import { type Element, Outcomes, type Refusals } from '#server/data/outcomes.ts'
import {
  findRecords,
  insertRecords,
  lockRecords,
  type RecordTable,
  type Row,
  updateRecords,
} from '#server/data/record-table.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { type Refusal, refusal } from '#server/http/http-error.ts'

export type Change = { readonly before: Row; readonly after: Row }

/** What a kind adds to the common way of saving. */
export type RecordRules = {
  readonly kind: RecordKind<RecordKindName>
  readonly table: RecordTable
  /** The stored form of a record, or why it is refused. */
  read?(row: Row): { readonly row: Row } | { readonly refusal: Refusal }
  /** The key of a record as it is kept. */
  readKey?(key: Row): Row
  /** The keys of rows by the keys of records, where a row has more in its key; unknown ones are left out. */
  locate?(db: Kysely<DB>, keys: readonly Row[]): Promise<Row[]>
  /** Locks the parents of the records before the records themselves. */
  lock?(tx: Transaction<DB>, keys: readonly Row[]): Promise<void>
  /**
   * Locks the rows that the records refer to, and returns which records may not be written and which values a new one
   * gets in addition to its fields.
   */
  prepare?(
    tx: Transaction<DB>,
    rows: readonly Row[],
    context: SaveContext,
  ): Promise<{ readonly refusals?: Refusals; readonly defaults?: (row: Row) => Row }>
  /** Claims unique values for new rows, and returns the rows that are refused. */
  claim?(tx: Transaction<DB>, rows: readonly Row[]): Promise<Refusals>
  /** Values of the columns that only a new row is given. */
  inserted?(context: SaveContext): Row
  /** What is wrong with a record whose missing fields were filled in. */
  invalid?(row: Row): Refusal | undefined
  /** Which changes of locked rows may not be made. */
  check?(tx: Transaction<DB>, changes: readonly Change[]): Promise<ReadonlyMap<Change, Refusal>>
  /** Runs after the rows are written or deleted. A new row was nothing before, a deleted one is nothing after. */
  after?(tx: Transaction<DB>, written: readonly Change[], context: SaveContext): Promise<void>
  /** Why a row could be neither inserted nor found: another record has a unique value. */
  taken?(tx: Transaction<DB>, rows: readonly Row[]): Promise<Refusals>
}

/**
 * Saves a batch. Unchanged records are not written. New rows are inserted first, then changed ones are locked, both
 * sorted by key: a batch that waits for a new row of another holds no lock that the other could need, so two batches
 * never deadlock.
 */
export async function saveRecords(
  tx: Transaction<DB>,
  given: readonly object[],
  context: SaveContext,
  rules: RecordRules,
): Promise<RowOutcome[]> {
  const outcomes = new Outcomes(given.length)
  let open = elementsOf(given, rules, outcomes)
  const prepared = await rules.prepare?.(tx, rowsOf(open), context)
  open = outcomes.refuse(open, prepared?.refusals)

  const defaults = defaultsOf(rules.kind)
  const complete = (row: Row): Row => ({ ...defaults, ...prepared?.defaults?.(row), ...row })
  const found = byKey(rules, await findRecords(tx, rules.table, rowsOf(open)))
  const fresh = open.filter(({ key }) => !found.has(key)).map((one) => ({ ...one, row: complete(one.row) }))
  const valid = fresh.filter(({ row }) => !rules.invalid?.(row))
  const insertable = outcomes.refuse(valid, await rules.claim?.(tx, rowsOf(valid)))
  const asNew = new Map(fresh.map(({ key, row }) => [key, row]))
  const added = byKey(rules, await insertRecords(tx, rules.table, rowsOf(insertable), rules.inserted?.(context)))
  for (const { index, key, row } of open) {
    const known = found.get(key)
    if (added.has(key)) outcomes.set(index, { key, result: 'created' })
    else if (known && isSame(known, merge(known, row))) outcomes.set(index, { key, result: 'unchanged' })
  }

  open = open.filter(({ index }) => !outcomes.has(index))
  const locked = byKey(rules, await lockRecords(tx, rules.table, rowsOf(open)))
  const missing = open.filter(({ key }) => !locked.has(key))
  if (missing.some(({ key }) => found.has(key))) throw new RemovedMeanwhileError()
  if (missing.length > 0) outcomes.refuse(missing, await whyMissing(tx, rules, missing, asNew))
  const toChange = open.filter(({ key }) => locked.has(key))
  const changed = await change(tx, rules, toChange, locked, outcomes)
  const written = [
    ...[...added.keys()].map((key): Change => ({ before: NOTHING, after: asNew.get(key) as Row })),
    ...changed,
  ]
  await rules.after?.(tx, written, context)
  const entries = written.map((one) => auditOf(rules, one))
  await writeAudits(tx, context.audit, entries)
  return outcomes.all()
}

const byKey = ({ kind }: RecordRules, rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map(({ changedAt: _, ...row }) => [kind.keyOf(row), row]))

/** An optional field that is left out stays as it is. */
const merge = (before: Row, row: Row): Row => ({ ...before, ...row })

const rowsOf = (elements: readonly Element[]) => elements.map(({ row }) => row)

const NOTHING: Row = {}

/**
 * Somebody removed a record while it was being saved. The error has PostgreSQL's code for a serialization failure, so
 * the call is retried.
 */
class RemovedMeanwhileError extends Error {
  readonly code = '40001'
  constructor() {
    super('A record was removed while it was being saved')
  }
}

const TAKEN = refusal('VALUE_TAKEN', 'A value that only one record may have belongs to another one.')

/** Why a row was neither added nor found. */
async function whyMissing(
  tx: Transaction<DB>,
  rules: RecordRules,
  missing: readonly Element[],
  asNew: ReadonlyMap<string, Row>,
): Promise<Refusals> {
  const taken = await rules.taken?.(tx, rowsOf(missing))
  return new Map(
    missing.map(({ key, row }) => [row, rules.invalid?.(asNew.get(key) as Row) ?? taken?.get(row) ?? TAKEN]),
  )
}

async function change(
  tx: Transaction<DB>,
  rules: RecordRules,
  elements: readonly Element[],
  locked: ReadonlyMap<string, Row>,
  outcomes: Outcomes,
): Promise<Change[]> {
  const byChange = new Map<Change, Element>()
  for (const element of elements) {
    const before = locked.get(element.key) as Row
    const change = { before, after: merge(before, element.row) }
    if (isSame(change.before, change.after)) outcomes.set(element.index, { key: element.key, result: 'unchanged' })
    else byChange.set(change, element)
  }
  const refusals = await refusalsOf(tx, rules, [...byChange.keys()])
  const allowed: Change[] = []
  for (const [change, { index, key }] of byChange) {
    const refused = refusals.get(change)
    outcomes.set(index, refused ? { key, result: 'refused', ...refused } : { key, result: 'changed' })
    if (!refused) allowed.push(change)
  }
  const rows = allowed.map(({ after }) => after)
  await updateRecords(tx, rules.table, rows)
  return allowed
}

/** Which changes may not be made. */
export async function refusalsOf(
  tx: Transaction<DB>,
  rules: RecordRules,
  changes: readonly Change[],
): Promise<ReadonlyMap<Change, Refusal>> {
  const invalid = new Map<Change, Refusal>()
  for (const change of changes) {
    const refused = rules.invalid?.(change.after)
    if (refused) invalid.set(change, refused)
  }
  const valid = changes.filter((change) => !invalid.has(change))
  if (valid.length === 0) return invalid
  return new Map([...invalid, ...((await rules.check?.(tx, valid)) ?? [])])
}

const DUPLICATE = refusal('DUPLICATE_RECORD', 'The call has another record with this id before, with other values.')

/** The records in stored form, each once. */
function elementsOf(given: readonly object[], { kind, read }: RecordRules, outcomes: Outcomes): Element[] {
  const elements = new Map<string, Element>()
  for (const [index, sent] of (given as readonly Row[]).entries()) {
    const reading = read?.(sent) ?? { row: sent }
    if ('refusal' in reading) {
      outcomes.refuseOne(index, kind.keyOf(sent), reading.refusal)
      continue
    }
    const key = kind.keyOf(reading.row)
    const earlier = elements.get(key)
    if (!earlier) elements.set(key, { index, row: reading.row, key })
    else if (isSame(earlier.row, reading.row)) outcomes.repeat(index, earlier.index)
    else outcomes.refuseOne(index, key, DUPLICATE)
  }
  return [...elements.values()]
}

export function isSame(one: Row, other: Row): boolean {
  const fields = new Set([...Object.keys(one), ...Object.keys(other)])
  for (const field of fields) if (!isEqual(one[field], other[field])) return false
  return true
}

const isEqual = (one: Row[string], other: Row[string]) =>
  one === other || (Array.isArray(one) && JSON.stringify(one) === JSON.stringify(other))

/** What a new record gets for the fields that it leaves out. */
function defaultsOf({ schema }: RecordKind): Row {
  return Object.fromEntries(
    Object.entries(schema.properties).flatMap(([field, one]) =>
      'default' in one ? [[field, one.default as Row[string]]] : [],
    ),
  )
}

/** The audit entry of a change has the fields that differ. */
export function auditOf({ kind }: RecordRules, { before, after }: Change, act: '' | '/revoke' = ''): AuditEntry {
  const row = { ...before, ...after }
  const customerNumber = typeof row.customerNumber === 'string' ? row.customerNumber : undefined
  const about = { action: `service/${kind.name}${act}` as const, customerNumber, target: kind.keyOf(row) }
  if (Object.keys(before).length === 0) return { ...about, after }
  if (Object.keys(after).length === 0) return { ...about, before }
  const changed = Object.keys(after).filter((field) => !isEqual(before[field], after[field]))
  const only = (row: Row) => Object.fromEntries(changed.map((field) => [field, row[field]]))
  return { ...about, before: only(before), after: only(after) }
}
