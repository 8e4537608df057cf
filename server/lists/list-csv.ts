import { setTimeout as sleep, setImmediate as yieldToOthers } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { QueryExecutorProvider } from 'kysely'
import { CSV_LINE_END, CSV_START, csvLine } from '#domain/csv.ts'
import {
  type ColumnReader,
  growingRoom,
  isReadToItsEnd,
  plainCell,
  type Room,
  readersOf,
} from '#server/lists/csv-cells.ts'
import { type CsvField, type CsvRecord, cellWriterOf, csvStatement } from '#server/lists/csv-statement.ts'
import type { Cursor } from '#server/lists/keyset.ts'
import { fieldNamed, filterOf, orderOf, type ReadingZone } from '#server/lists/list-query.ts'
import type { ListFields, ListScope, ListSource, PageRequest } from '#server/lists/list-source.ts'
import type { PageBounds } from '#server/lists/page-statement.ts'
import type { InTurn } from '#server/turns/call-turns.ts'

/** Number of requests so far: long work uses it to see whether the server is idle. */
export type Traffic = { readonly begun: number }

export function countTraffic(app: FastifyInstance): Traffic {
  const traffic = { begun: 0 }
  app.addHook('onRequest', (_request, _reply, done) => {
    traffic.begun++
    done()
  })
  return traffic
}

const BATCH = 2000
/** Lines that are written before the event loop continues: about half a millisecond. */
const AT_ONCE = 250
/** Under load, an export pauses for this multiple of the time the last batch took, and for this many milliseconds at most. */
const RESTS = 2
const MAX_REST = 100

/** `places` is the number of decimals; without it, a number has as many as it needs. */
export type CsvColumns<F extends ListFields> = readonly (readonly [
  field: keyof F & string,
  header: string,
  places?: number,
])[]
export type CsvPiece = { readonly bytes: Uint8Array; readonly rows: number }

/**
 * A list as CSV, in pieces. Between pieces no connection or transaction is held, so that a slow reader blocks nobody.
 * Without other load, the next piece is prefetched while one is written; under load, the export pauses after each
 * piece.
 */
export async function* streamCsv<S extends ListScope, F extends ListFields>(
  db: QueryExecutorProvider,
  source: ListSource<S, F>,
  scope: S,
  request: Pick<PageRequest, 'filter' | 'sorting'> & { readonly columns: CsvColumns<F> },
  reading: ReadingZone & { readonly traffic?: Traffic; readonly later?: InTurn } = {},
): AsyncGenerator<CsvPiece> {
  const { later = (work) => work() } = reading
  const selected = { scope, filter: filterOf(source, request.filter, reading) }
  const bounds = {
    order: orderOf(source, request.sorting),
    limit: BATCH,
    attributes: request.columns.map(([field]) => field),
    offset: 0,
  }
  const fields: readonly CsvField[] = request.columns.map(([name, , places]) => ({
    ...fieldNamed(source.fields, name, name),
    ...(places === undefined ? {} : { places }),
  }))
  const rooms = { columns: growingRoom(), lines: growingRoom() }
  let isEscaped = false
  const fetchPiece = async (from: PageBounds & typeof bounds): Promise<CsvRecord> => {
    const { rows } = await csvStatement(source, selected, from, fields, isEscaped).execute(db)
    if (!rows[0]) throw new Error('an aggregate without a row')
    return rows[0]
  }
  const read = (cursor?: Cursor) => (cursor ? later(() => fetchPiece({ ...bounds, cursor })) : fetchPiece(bounds))

  const heads = request.columns.map(([, header], at) => (fields[at]?.type === 'instant' ? `${header} (UTC)` : header))
  let head = CSV_START + csvLine(heads)
  let begin: Cursor | undefined
  let coming: Promise<CsvRecord> | undefined = read()
  const others = othersIn(reading.traffic)
  while (coming) {
    const begun = performance.now()
    const record: CsvRecord = await coming
    const end = record.found === BATCH ? (JSON.parse(record.cursor) as Cursor) : undefined
    const isAlone = !others.haveCome()
    coming = end && isAlone ? read(end) : undefined
    // If the reader disconnects, this promise is never awaited.
    coming?.catch(() => {})
    const bytes = await writeLines(head, fields, record, isEscaped, rooms)
    if (!bytes) {
      if (isEscaped) throw new Error('a column has fewer values than the list has rows')
      isEscaped = true
      coming = read(begin)
      continue
    }
    const took = performance.now() - begun
    yield { bytes, rows: record.found }
    head = ''
    begin = end
    if (end && !isAlone) {
      await sleep(Math.min(took * RESTS, MAX_REST))
      coming = read(end)
    }
  }
}

function othersIn(traffic: Traffic = { begun: 0 }) {
  let seen = traffic.begun
  return {
    haveCome(): boolean {
      const before = seen
      seen = traffic.begun
      return seen > before
    },
  }
}

/** Undefined if a value contains the separator, so that the values cannot be split. */
async function writeLines(
  head: string,
  fields: readonly CsvField[],
  record: CsvRecord,
  isEscaped: boolean,
  rooms: { readonly columns: Room; readonly lines: Room },
): Promise<Uint8Array | undefined> {
  if (record.found === 0) return Buffer.from(head)
  const texts = fields.map((_, at) => record[`v${at}`] ?? '')
  const writers = fields.map(cellWriterOf)
  const columns = readersOf(texts, isEscaped, rooms.columns).map((from, at) => ({
    from,
    write: writers[at] ?? plainCell,
  }))
  const lines = rooms.lines(head.length * 3 + longest(columns, record.found))
  let put = lines.write(head)
  for (let row = 0; row < record.found; row++) {
    if (row % AT_ONCE === AT_ONCE - 1) await yieldToOthers()
    for (const { from, write } of columns) {
      put = write(from, lines, put)
      lines[put++] = COMMA
    }
    put--
    for (const byte of LINE_END) lines[put++] = byte
  }
  return columns.every(({ from }) => isReadToItsEnd(from)) ? Buffer.from(lines.subarray(0, put)) : undefined
}

const COMMA = 0x2c
const LINE_END = Buffer.from(CSV_LINE_END)
/** The separator, the quotes, the apostrophe and the end of a line. */
const AROUND_A_CELL = 8

/** Text that consists of quotes only doubles in length. */
function longest(columns: readonly { readonly from: ColumnReader }[], rows: number): number {
  return columns.reduce((sum, { from }) => sum + from.bytes.length * 2 + rows * AROUND_A_CELL, 0)
}
