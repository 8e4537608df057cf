import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import { CSV_LINE_END, CSV_START, csvLine, FORMULA_STARTS } from '#domain/kit/csv.ts'
import { asText, present } from '#server/lists/column-forms.ts'
import type { Cursor } from '#server/lists/keyset.ts'
import { readPage } from '#server/lists/list-page.ts'
import { filterOf, orderOf, type ReadingZone } from '#server/lists/list-query.ts'
import type { ListField, ListFields, ListScope, ListSource, PageRequest } from '#server/lists/list-source.ts'
import type { Rendering } from '#server/lists/page-statement.ts'

const BATCH = 5000

export type CsvColumns<F extends ListFields> = readonly (readonly [field: keyof F & string, header: string])[]
export type CsvPiece = { readonly text: string; readonly rows: number }

/**
 * A list as CSV, in pieces that PostgreSQL has written: the server only passes them on. Between the pieces no connection
 * and no transaction is held, so that a slow reader stops nobody else; the next piece is fetched while one is being read.
 */
export async function* streamCsv<S extends ListScope, F extends ListFields>(
  db: QueryExecutorProvider,
  source: ListSource<S, F>,
  scope: S,
  request: Pick<PageRequest, 'filter' | 'sorting'> & { readonly columns: CsvColumns<F> },
  reading: ReadingZone = {},
): AsyncGenerator<CsvPiece> {
  const asked = { scope, filter: filterOf(source, request.filter, reading) }
  const bounds = {
    order: orderOf(source, request.sorting),
    limit: BATCH,
    attributes: request.columns.map(([field]) => field),
    offset: 0,
  }
  const read = (cursor?: Cursor) => readPage(db, source, asked, cursor ? { ...bounds, cursor } : bounds, CSV_RENDERING)

  let head = CSV_START + csvLine(request.columns.map(([, name]) => name))
  let coming: ReturnType<typeof read> | undefined = read()
  while (coming) {
    const piece: Awaited<ReturnType<typeof read>> = await coming
    coming = piece.next ? read(piece.next) : undefined
    // Should the reader go away, nobody awaits it any more.
    coming?.catch(() => {})
    yield { text: head + linesOf(piece.text), rows: piece.rows }
    head = ''
  }
}

const linesOf = (text: string | null) => (text === null ? '' : text + CSV_LINE_END)

const CSV_RENDERING: Rendering = {
  separator: CSV_LINE_END,
  line: (shown) =>
    sql`select concat(${sql.join(
      shown.map(({ field, column }) => csvCellSql(field, present(field, column))),
      sql`, ',', `,
    )}) as line`,
}

const FORMULA_CODES = [...FORMULA_STARTS].map((character) => character.codePointAt(0)).join(', ')

/** The SQL side of `csvCell`: a missing value is null, and concat leaves it out. */
function csvCellSql(field: ListField, value: RawBuilder<unknown>): RawBuilder<unknown> {
  if (field.type === 'text')
    return sql`'"' || case when ascii(${value}) in (${sql.raw(FORMULA_CODES)}) then '''' else '' end || replace(${value}, '"', '""') || '"'`
  if (field.type === 'text-list') return csvCellSql({ ...field, type: 'text' }, sql`array_to_string(${value}, ', ')`)
  return asText(field.type, value)
}
