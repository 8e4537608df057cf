import path from 'node:path'
import { CSV_START, csvLine } from '#domain/csv.ts'
import type { CsvRecord } from '#domain/csv-reader.ts'
import { checkText, FileError, LineFaults } from '#server/data/files/checked-text.ts'
import { readCsvRecords } from '#server/data/files/csv-records.ts'
import { type JsonRecord, readJsonRecords } from '#server/data/files/json-records.ts'
import { type Column, cellOf, columnsOfHeader, readCell } from '#server/data/files/row-columns.ts'

export const FILE_FORMATS = ['csv', 'jsonl'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]

/** A row of a file with its line, or the fault of the line. */
export type FileRow =
  | { readonly line: number; readonly row: object }
  | { readonly line: number; readonly fault: string }

export function formatOf(file: string | undefined): FileFormat {
  return ['.jsonl', '.ndjson', '.json'].includes(path.extname(file ?? '').toLowerCase()) ? 'jsonl' : 'csv'
}

/** The rows of a file in batches. Reads only as much as is needed, and keeps nothing. */
export function readRows(
  bytes: AsyncIterable<Uint8Array>,
  format: FileFormat,
  columns: readonly Column[],
): AsyncGenerator<readonly FileRow[]> {
  const faults = new LineFaults()
  const text = checkText(bytes, faults)
  return format === 'csv' ? csvRows(readCsvRecords(text, faults), columns) : jsonRows(readJsonRecords(text, faults))
}

async function* csvRows(
  pieces: AsyncIterable<readonly CsvRecord[]>,
  columns: readonly Column[],
): AsyncGenerator<readonly FileRow[]> {
  let inFile: readonly Column[] | undefined
  for await (const records of pieces) {
    let rows = records
    if (!inFile) {
      const [header, ...others] = records
      if (!header) continue
      if ('fault' in header) throw new FileError(`Line ${header.line} must name the columns. ${header.fault}`)
      inFile = columnsOfHeader(header.cells, columns)
      rows = others
    }
    const own = inFile
    yield rows.map((record) => csvRow(record, own))
  }
  if (!inFile) throw new FileError('The file is empty.')
}

function csvRow(record: CsvRecord, columns: readonly Column[]): FileRow {
  if ('fault' in record) return record
  const { line, cells } = record
  return cells.length === columns.length
    ? { line, row: rowOf(columns, cells) }
    : { line, fault: cellsFault(cells, columns) }
}

function rowOf(columns: readonly Column[], cells: readonly string[]): object {
  const row: Record<string, unknown> = {}
  for (let at = 0; at < columns.length; at++) {
    const column = columns[at] as Column
    const value = readCell(column, cells[at] as string)
    if (value !== undefined) row[column.name] = value
  }
  return row
}

const cellsFault = (cells: readonly string[], columns: readonly Column[]) =>
  `The line has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, and the header has ${columns.length}. ${cells.length < columns.length ? 'It may have been cut off.' : 'A cell with a comma needs quotes.'}`

async function* jsonRows(pieces: AsyncIterable<readonly JsonRecord[]>): AsyncGenerator<readonly FileRow[]> {
  for await (const records of pieces)
    yield records.map(({ line, value, fault }) => {
      if (fault !== undefined) return { line, fault }
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return { line, fault: 'The line is not a JSON object.' }
      return { line, row: value }
    })
}

/** Writes what `readRows` reads. */
export function rowWriter(format: FileFormat, columns: readonly Column[]) {
  const own = (row: object, name: string) => (row as Record<string, unknown>)[name]
  if (format === 'jsonl')
    return {
      head: '',
      line: (row: object) =>
        `${JSON.stringify(Object.fromEntries(columns.map(({ name }) => [name, own(row, name)])))}\n`,
    }
  return {
    head: CSV_START + csvLine(columns.map(({ name }) => name)),
    line: (row: object) => csvLine(columns.map((column) => cellOf(column, own(row, column.name)))),
  }
}
