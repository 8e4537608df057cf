import { type Expression, type RawBuilder, sql } from 'kysely'
import type { FieldType } from '#domain/filter/fields.ts'

type Sql = Expression<unknown>

/** The value itself, with null instead of infinity, which the column stores for "missing". */
export function present({ missingIsInfinity }: { missingIsInfinity?: boolean }, column: Sql): RawBuilder<unknown> {
  return missingIsInfinity ? sql`nullif(${column}, 'infinity')` : sql`${column}`
}

/** Text is compared and sorted by code points, independent of the database's locale. */
export function ordered(type: FieldType, column: Sql): RawBuilder<unknown> {
  return type === 'text' ? sql`${column} collate "C"` : sql`${column}`
}

/** The text that `tostring` compares, exactly as the browser converts the wire value. */
export function asText(type: FieldType, column: Sql): RawBuilder<unknown> {
  switch (type) {
    case 'number':
      return sql`trim_scale(${column}::numeric)::text`
    case 'instant':
      return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    case 'day':
      return sql`to_char(${column}::timestamp, 'YYYY-MM-DD')`
    case 'boolean':
      return sql`${column}::text`
    default:
      return sql`${column}`
  }
}

/** The value in the JSON of a row. */
export function onTheWire(type: FieldType, column: Sql): RawBuilder<unknown> {
  switch (type) {
    case 'number':
      return sql`trim_scale(${column}::numeric)`
    case 'instant':
    case 'day':
      return asText(type, column)
    default:
      return sql`${column}`
  }
}
