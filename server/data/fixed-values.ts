import { toFixedText } from '#domain/money/decimal.ts'
import type { Row } from '#server/data/record-table.queries.ts'

/** Exact numbers with as many decimals as the database keeps, so that 10 and 10.00 are the same. */
export function fixDecimals(row: Row, fields: readonly string[], places: number): Row {
  const fixed = fields.flatMap((field) => {
    const value = row[field]
    return typeof value === 'string' ? [[field, toFixedText(value, places)]] : []
  })
  return fixed.length === 0 ? row : { ...row, ...Object.fromEntries(fixed) }
}

/** Instants as the database answers them: in UTC, with milliseconds. */
export function fixInstants(row: Row, fields: readonly string[]): Row {
  const fixed = fields.flatMap((field) => {
    const value = row[field]
    return typeof value === 'string' ? [[field, new Date(value).toISOString()]] : []
  })
  return fixed.length === 0 ? row : { ...row, ...Object.fromEntries(fixed) }
}
