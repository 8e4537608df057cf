import { type RawBuilder, sql } from 'kysely'
import { asText, present } from '#server/lists/column-forms.ts'
import {
  type CellWriter,
  ESCAPE,
  ESCAPED,
  instantCell,
  numberCell,
  optionalTextCell,
  plainCell,
  SEPARATOR,
  textCell,
} from '#server/lists/csv-cells.ts'
import type { ListField, ListFields, ListScope, ListSource } from '#server/lists/list-source.ts'
import { cutRows, type PageBounds, type ScopedFilter } from '#server/lists/page-statement.ts'

/** The result: the joined values of column v0, v1, …; the cursor at the end of the batch, and its number of rows. */
export type CsvRecord = {
  readonly [value: `v${number}`]: string | null
  readonly cursor: string
  readonly found: number
}

/** A field of the file. `places` is the fixed number of decimals, if any. */
export type CsvField = ListField & { readonly places?: number }

/**
 * A part of a list, column by column. The database only joins the values: writing cells and lines in SQL would take two to
 * three times as long.
 */
export function csvStatement<S extends ListScope, F extends ListFields>(
  source: ListSource<S, F>,
  rows: ScopedFilter<S>,
  bounds: PageBounds & { readonly attributes: readonly string[] },
  fields: readonly CsvField[],
  isEscaped: boolean,
): RawBuilder<CsvRecord> {
  const { attributes, order, limit } = bounds
  const names = [...new Set([...attributes, ...order.map(({ name }) => name)])]
  const alias = (name: string) => sql.raw(`page.c${names.indexOf(name)}`)
  const values = fields.map((field, at) => {
    const value = valueSql(field, present(field, alias(attributes[at] ?? '')), isEscaped)
    return sql`string_agg(${value}, ${sql.lit(SEPARATOR)}) as ${sql.raw(`v${at}`)}`
  })
  const last = order.map(({ name }) => sql`(array_agg(${alias(name)}))[${sql.lit(limit)}]::text`)
  return sql<CsvRecord>`
    select ${sql.join(values)}, json_build_array(${sql.join(last)})::text as cursor, count(*)::int as found
    from (${cutRows(source, rows, bounds, names)}) page`
}

/** The value in the form that its cell is written from. string_agg drops nulls, so there must be none. */
function valueSql(field: CsvField, value: RawBuilder<unknown>, isEscaped: boolean): RawBuilder<unknown> {
  switch (field.type) {
    case 'text':
      return textSql(field, value, isEscaped)
    case 'text-list':
      return textSql(field, sql`array_to_string(${value}, ', ')`, isEscaped)
    case 'instant':
      return orEmpty(field, sql`to_json(${value} at time zone 'UTC')::text`)
    case 'number':
      return orEmpty(field, numberSql(field, value))
    default:
      return orEmpty(field, sql`${asText(field.type, value)}::text`)
  }
}

function numberSql({ places }: CsvField, value: RawBuilder<unknown>): RawBuilder<unknown> {
  return places === undefined ? sql`${value}::text` : sql`round(${value}, ${sql.lit(places)})::text`
}

function textSql(field: ListField, text: RawBuilder<unknown>, isEscaped: boolean): RawBuilder<unknown> {
  const replaced = (from: RawBuilder<unknown>, what: string, by: string) =>
    sql`replace(${from}, ${sql.lit(what)}, ${sql.lit(ESCAPE + by)})`
  const safe = isEscaped ? replaced(replaced(text, ESCAPE, ESCAPED.escape), SEPARATOR, ESCAPED.separator) : text
  // The mark tells an empty text from a missing one.
  return field.nullable === false ? safe : orEmpty(field, sql`'=' || ${safe}`)
}

function orEmpty(field: ListField, text: RawBuilder<unknown>): RawBuilder<unknown> {
  return field.nullable === false ? text : sql`coalesce(${text}, '')`
}

/** The writer for the cells of a field. */
export function cellWriterOf({ type, nullable, places }: CsvField): CellWriter {
  switch (type) {
    case 'text':
    case 'text-list':
      return nullable === false ? textCell : optionalTextCell
    case 'instant':
      return instantCell
    case 'number':
      return places === undefined ? numberCell : plainCell
    default:
      return plainCell
  }
}
