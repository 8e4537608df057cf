import path from 'node:path'
import { CSV_LINE_END, CSV_START } from '#domain/csv.ts'
import { checkText, FileError } from '#server/data/files/checked-text.ts'
import { readCsvRecords } from '#server/data/files/csv-records.ts'
import { readJsonRecords } from '#server/data/files/json-records.ts'
import { type Column, columnsOfHeader, headerLine, readCell, writeCell } from '#server/data/files/row-columns.ts'

export const FILE_FORMATS = ['csv', 'jsonl'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]

/** A row of a file by its line, or why the line is none. */
export type FileRow =
  | { readonly line: number; readonly row: object }
  | { readonly line: number; readonly fault: string }

export function formatOf(file: string | undefined): FileFormat {
  return ['.jsonl', '.ndjson', '.json'].includes(path.extname(file ?? '').toLowerCase()) ? 'jsonl' : 'csv'
}

/** The rows of a file, some at a time: as much as is needed is read, and nothing is kept. */
export function readRows(
  bytes: AsyncIterable<Uint8Array>,
  format: FileFormat,
  columns: readonly Column[],
): AsyncGenerator<readonly FileRow[]> {
  const text = checkText(bytes)
  return format === 'csv' ? csvRows(text, columns) : jsonRows(text)
}

async function* csvRows(text: AsyncIterable<Buffer>, columns: readonly Column[]): AsyncGenerator<readonly FileRow[]> {
  let inFile: readonly Column[] | undefined
  for await (const records of readCsvRecords(text)) {
    let rows = records
    if (!inFile) {
      inFile = columnsOfHeader(records[0]?.cells ?? [], columns)
      rows = records.slice(1)
    }
    const own = inFile
    yield rows.map(({ line, cells }) =>
      cells.length === own.length ? { line, row: rowOf(own, cells) } : { line, fault: cellsFault(cells, own) },
    )
  }
  if (!inFile) throw new FileError('The file is empty.')
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
  `The line has ${cells.length} cells, and the header has ${columns.length}. ${cells.length < columns.length ? 'It may have been cut off.' : 'A cell with a comma needs quotes.'}`

async function* jsonRows(text: AsyncIterable<Buffer>): AsyncGenerator<readonly FileRow[]> {
  for await (const records of readJsonRecords(text))
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
    head: CSV_START + headerLine(columns),
    line: (row: object) => columns.map((column) => writeCell(column, own(row, column.name))).join(',') + CSV_LINE_END,
  }
}
