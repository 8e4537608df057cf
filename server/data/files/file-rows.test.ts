import fc from 'fast-check'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { type FileFormat, type FileRow, readRows, rowWriter } from '#server/data/files/file-rows.ts'
import { columnsOf } from '#server/data/files/row-columns.ts'
import { isFullRun } from '#server/testing/full-run.ts'

const schema = Type.Object({
  id: Type.String(),
  note: Type.Optional(Type.String()),
  seats: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  isOpen: Type.Optional(Type.Boolean()),
  names: Type.Optional(Type.Array(Type.String())),
  prices: Type.Optional(Type.Array(Type.Object({ days: Type.Integer() }))),
})
const columns = columnsOf(schema)

/** Splits bytes into chunks of `size`, as a slow pipe delivers them. */
async function* chunksOf(bytes: Uint8Array, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

async function read(file: string | Uint8Array, format: FileFormat = 'csv', size = 7): Promise<FileRow[]> {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file
  const rows: FileRow[] = []
  for await (const some of readRows(chunksOf(bytes, size), format, columns)) for (const row of some) rows.push(row)
  return rows
}

describe('the CSV reader', () => {
  test.each<[name: string, file: string, rows: FileRow[]]>([
    ['one row', 'id,seats\na,5\n', [{ line: 2, row: { id: 'a', seats: 5 } }]],
    ['a last line without a line end', 'id\na', [{ line: 2, row: { id: 'a' } }]],
    ['a byte order mark and CRLF', '\ufeffid,note\r\na,b\r\n', [{ line: 2, row: { id: 'a', note: 'b' } }]],
    ['semicolons as separators', 'note;id\nb,c;a\n', [{ line: 2, row: { id: 'a', note: 'b,c' } }]],
    ['tabs as separators', 'id\tnote\na\tb\n', [{ line: 2, row: { id: 'a', note: 'b' } }]],
    ['columns in any order', 'seats,id\n5,a\n', [{ line: 2, row: { id: 'a', seats: 5 } }]],
    ['empty cells as absent', 'id,note,seats,isOpen,names\na,,,,\n', [{ line: 2, row: { id: 'a' } }]],
    ['quotes', 'id,note\n"a,""x""","two\r\nlines"\n', [{ line: 2, row: { id: 'a,"x"', note: 'two\r\nlines' } }]],
    ['accents in every chunk', 'id\nJürgen 山田 😀\n', [{ line: 2, row: { id: 'Jürgen 山田 😀' } }]],
    [
      'booleans as spreadsheets write them',
      'id,isOpen\na,TRUE\nb,false\n',
      [
        { line: 2, row: { id: 'a', isOpen: true } },
        { line: 3, row: { id: 'b', isOpen: false } },
      ],
    ],
    [
      'values of the wrong form as texts',
      'id,isOpen,seats\na,yes,"1,000"\n',
      [{ line: 2, row: { id: 'a', isOpen: 'yes', seats: '1,000' } }],
    ],
    [
      'lists',
      'id,names\na,x;y\nb,x\\;y;\\\\\n',
      [
        { line: 2, row: { id: 'a', names: ['x', 'y'] } },
        { line: 3, row: { id: 'b', names: ['x;y', '\\'] } },
      ],
    ],
    [
      'the apostrophe before a formula and removes it',
      `id,note\n'=1+1,'t Hooft\n''=1,'-5\n`,
      [
        { line: 2, row: { id: '=1+1', note: "'t Hooft" } },
        { line: 3, row: { id: "'=1", note: "'-5" } },
      ],
    ],
    [
      'line breaks in quotes, and counts lines as editors do',
      'id,note\r\n\r\na,"1\r\n2\n3"\r\n\r\n\r\nb,x\r\nc,"\n\n"\r\nd,\r\n',
      [
        { line: 3, row: { id: 'a', note: '1\r\n2\n3' } },
        { line: 8, row: { id: 'b', note: 'x' } },
        { line: 9, row: { id: 'c', note: '\n\n' } },
        { line: 12, row: { id: 'd' } },
      ],
    ],
  ])('the CSV reader accepts %s', async (_name, file, rows) => {
    for (const size of [1, 2, 3, 7, 1000]) expect(await read(file, 'csv', size)).toEqual(rows)
  })

  test('reports lines with too few and too many cells', async () => {
    expect(await read('id,note\na,b,c\nd\n')).toEqual([
      { line: 2, fault: 'The line has 3 cells, and the header has 2. A cell with a comma needs quotes.' },
      { line: 3, fault: 'The line has 1 cell, and the header has 2. It may have been cut off.' },
    ])
  })

  const good = (line: number) => ({ line, row: { id: 'good', note: 'x' } })
  test.each<[name: string, lines: readonly string[], rows: FileRow[]]>([
    [
      'a quote inside a cell without quotes',
      ['a,5" pipe', 'good,x'],
      [{ line: 2, fault: expect.stringContaining('A cell without quotes around it has a quote inside.') }, good(3)],
    ],
    [
      'text after a closing quote',
      ['"a"b,x', 'good,x'],
      [{ line: 2, fault: expect.stringContaining('text follows where it is closed') }, good(3)],
    ],
    [
      'a quote that the next cell with quotes seems to close',
      ['good,x', '"a,x', 'good,x', '"good","x"', 'good,x'],
      [
        good(2),
        { line: 3, fault: expect.stringContaining('A quote is opened on this line') },
        good(4),
        good(5),
        good(6),
      ],
    ],
    [
      'a quote that is opened in the second line of a record',
      ['"two', 'lines","a', 'good,x'],
      [{ line: 3, fault: expect.stringContaining('A quote is opened on this line and never closed.') }, good(4)],
    ],
    [
      'a quote that is never closed, at the end of the file',
      ['good,x', 'a,"b'],
      [good(2), { line: 3, fault: expect.stringContaining('A quote is opened on this line and never closed.') }],
    ],
  ])('reports %s with the line where it opens, and reads on', async (_name, lines, rows) => {
    for (const end of ['\n', '\r\n'])
      for (const size of [1, 2, 3, 7, 1000])
        expect(await read(['id,note', ...lines, ''].join(end), 'csv', size)).toEqual(rows)
  })

  test('reports an open quote in a large file, and reads on', async () => {
    const rows = await read(`id\na\n"b\n${`c${' '.repeat(200)}\n`.repeat(6_000)}`, 'csv', 65_536)
    expect(rows).toHaveLength(6_002)
    expect(rows.slice(0, 3)).toEqual([
      { line: 2, row: { id: 'a' } },
      { line: 3, fault: 'A quote is opened on this line and not closed within 1 MB.' },
      { line: 4, row: { id: `c${' '.repeat(200)}` } },
    ])
  })
})

describe.each<[format: FileFormat, head: string, row: (id: string) => string]>([
  ['csv', 'id\n', (id) => id],
  ['jsonl', '', (id) => JSON.stringify({ id })],
])('reports lines of %s that cannot be used, and reads on', (format, head, row) => {
  const first = head ? 2 : 1
  test.each<[name: string, bad: Uint8Array, fault: string]>([
    ['Latin-1 text', Buffer.from(row('Jürgen'), 'latin1'), 'The line is not valid UTF-8. Save the file as UTF-8.'],
    [
      'a character that is cut off',
      Buffer.from(row('ä')).filter((byte) => byte !== 0xa4),
      'The line is not valid UTF-8. Save the file as UTF-8.',
    ],
    ['U+0000', Buffer.from('a\0b'), 'The line contains the character U+0000.'],
    ['more than 1 MB', Buffer.from(row('x'.repeat(1_200_000))), 'The line is longer than 1 MB.'],
    ['a line of several chunks', Buffer.from(row('x'.repeat(3_000_000))), 'The line is longer than 1 MB.'],
  ])('a line with %s is refused and the others are read', async (_name, bad, fault) => {
    const lines = [head + row('a'), bad, row('é'), bad, row('c'), '']
    const file = Buffer.concat(lines.map((line, at) => Buffer.concat([Buffer.from(at ? '\n' : ''), Buffer.from(line)])))
    for (const size of bad.length > 1000 ? [65_536] : [1, 3, 1000])
      expect(await read(file, format, size)).toEqual([
        { line: first, row: { id: 'a' } },
        { line: first + 1, fault },
        { line: first + 2, row: { id: 'é' } },
        { line: first + 3, fault },
        { line: first + 4, row: { id: 'c' } },
      ])
  })
})

describe('the JSON lines reader', () => {
  test('accepts empty lines, CRLF and a last line without an end', async () => {
    const file = '\ufeff{"id":"a","names":["x;y"]}\r\n\n{"id":"b","seats":null}'
    for (const size of [1, 5, 1000])
      expect(await read(file, 'jsonl', size)).toEqual([
        { line: 1, row: { id: 'a', names: ['x;y'] } },
        { line: 3, row: { id: 'b', seats: null } },
      ])
  })

  test('reports lines that are not objects', async () => {
    expect(await read('[1]\n5\n{"id":"\\u0000"}\n{"id":"\\ud800"}\n{"id":"\\ud83d\\ude00"}\n{"id":', 'jsonl')).toEqual([
      { line: 1, fault: 'The line is not a JSON object.' },
      { line: 2, fault: 'The line is not a JSON object.' },
      { line: 3, fault: 'A text contains U+0000 or half of a surrogate pair.' },
      { line: 4, fault: 'A text contains U+0000 or half of a surrogate pair.' },
      { line: 5, row: { id: '😀' } },
      { line: 6, fault: 'This is not a JSON object on one line. The file may have been cut off.' },
    ])
  })
})

describe('a file that cannot be read', () => {
  const allColumns =
    'A file has the columns id, [note], [seats], [isOpen], [names], [prices]; those in brackets may be left out.'
  test.each<[name: string, file: string | Uint8Array, error: string, format?: FileFormat]>([
    ['an empty file', '', 'The file is empty.'],
    ['a file of nothing but a byte order mark', '\ufeff', 'The file is empty.'],
    ['a file of nothing but line ends', '\n\n', 'The file is empty.'],
    ['an empty JSON lines file', '', 'The file is empty.', 'jsonl'],
    ['a UTF-16 file', Buffer.from('\ufeffid\na', 'utf16le'), 'The file is in UTF-16. Save it as UTF-8.'],
    [
      'a header that is not UTF-8',
      Buffer.from('id,Größe\na,b\n', 'latin1'),
      'Line 1 must name the columns. The line is not valid UTF-8. Save the file as UTF-8.',
    ],
    ['an open quote in the header', '"id\na\n', 'Line 1 must name the columns. A quote is opened on this line'],
    [
      'unknown and missing columns at once',
      'Id,note,color,note\n',
      `The columns in line 1 do not fit: unknown: Id, color; missing: id; more than once: note. ${allColumns}`,
    ],
  ])('the reader refuses %s', async (_name, file, error, format) => {
    await expect(read(file, format, 4096)).rejects.toThrow(error)
  })
})

const text = fc.oneof(
  fc.string({
    unit: fc.constantFrom(...'=+-@＝\'"\\,;\t\r\n 0a5.é山\u{1f600}\ufeff\u200b'),
    minLength: 1,
    maxLength: 8,
  }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((one) => !one.includes('\0')),
)
const row = fc.record(
  {
    id: text,
    note: text,
    seats: fc.integer(),
    isOpen: fc.boolean(),
    names: fc.array(text, { minLength: 1, maxLength: 4 }),
    prices: fc.array(fc.record({ days: fc.integer() }), { maxLength: 3 }),
  },
  { requiredKeys: ['id'] },
)

test.each<FileFormat>(['csv', 'jsonl'])(
  'reads from %s exactly what was written, on the lines where it is',
  async (format) => {
    const writer = rowWriter(format, columns)
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 40 }),
        async (rows, size) => {
          const file = writer.head + rows.map(writer.line).join('')
          const found = await read(file, format, size)
          expect(found.map((one) => ('row' in one ? one.row : one.fault))).toEqual(rows)
          let line = 1 + writer.head.split('\n').length - 1
          for (const [at, one] of rows.entries()) {
            expect(found[at]?.line).toBe(line)
            line += writer.line(one).split('\n').length - 1
          }
        },
      ),
      { numRuns: isFullRun ? 200 : 50 },
    )
  },
)
