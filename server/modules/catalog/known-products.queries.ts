import { sql, type Transaction } from 'kysely'
import { compare } from '#domain/money/decimal.ts'
import type { Row } from '#server/data/record-table.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { type Refusal, refusal } from '#server/http/http-error.ts'

const REMOVALS = sql`hashtext('removal of products')`

/**
 * The names of products by their part numbers. Until the end of the transaction nobody can remove them. No rows are locked:
 * on shards every node has the products, and locks on all of them deadlock, and fail while a node is dead.
 */
export async function keepProducts(tx: Transaction<DB>, rows: readonly Row[]): Promise<ReadonlyMap<string, string>> {
  const partNumbers = [...new Set(rows.map(({ partNumber }) => String(partNumber)))]
  await sql`select pg_advisory_xact_lock_shared(${REMOVALS})`.execute(tx)
  const { rows: known } = await sql<{ part_number: string; name: string }>`
    select part_number, name from product where part_number = any (${partNumbers})`.execute(tx)
  return new Map(known.map(({ part_number, name }) => [part_number, name]))
}

/** Waits for those who keep products. Take it before products are removed. */
export async function lockRemovals(tx: Transaction<DB>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${REMOVALS})`.execute(tx)
}

export async function refuseUnknownProducts(tx: Transaction<DB>, rows: readonly Row[]): Promise<Map<Row, Refusal>> {
  return unknownProducts(rows, await keepProducts(tx, rows))
}

export function unknownProducts(rows: readonly Row[], known: ReadonlyMap<string, string>): Map<Row, Refusal> {
  const unknown = rows.filter(({ partNumber }) => !known.has(String(partNumber)))
  return new Map(
    unknown.map((row) => [row, refusal('UNKNOWN_PRODUCT', `The catalog has no product ${row.partNumber}.`)]),
  )
}

export function moreThanZero(row: Row, field: string): Refusal | undefined {
  return compare(String(row[field]), 0) > 0 ? undefined : refusal('INVALID_RECORD', `${field} must be more than 0.`)
}
