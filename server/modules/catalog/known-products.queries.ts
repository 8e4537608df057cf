import { sql, type Transaction } from 'kysely'
import { compare } from '#domain/money/decimal.ts'
import type { Row } from '#server/data/record-table.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { type Refusal, refusal } from '#server/http/http-error.ts'

/** The names of products by their part numbers. Until the end of the transaction nobody can remove them. */
export async function keepProducts(tx: Transaction<DB>, rows: readonly Row[]): Promise<ReadonlyMap<string, string>> {
  const partNumbers = [...new Set(rows.map(({ partNumber }) => String(partNumber)))]
  const { rows: known } = await sql<{ part_number: string; name: string }>`
    select part_number, name from product where part_number = any (${partNumbers})
     order by part_number for key share`.execute(tx)
  return new Map(known.map(({ part_number, name }) => [part_number, name]))
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
