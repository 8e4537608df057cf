import { Copy, type CopyHandlers } from '#server/db/copy.ts'

const CHUNK = 64 * 1024
type Cell = string | number | bigint | Date | null | undefined

/** The rows of a `copy … from stdin`, in PostgreSQL's text format. It is the only parameter of such a statement. */
export class CopyRows extends Copy {
  readonly #bytes: Buffer

  /** Row by row the values of the same columns. Undefined is null. */
  constructor(rows: Iterable<readonly Cell[]>) {
    super()
    let text = ''
    for (const row of rows) {
      for (let index = 0; index < row.length; index++) text += (index === 0 ? '' : '\t') + toCopyText(row[index])
      text += '\n'
    }
    if (!text.isWellFormed()) throw new UnusableTextError()
    this.#bytes = Buffer.from(text)
  }

  override handlers(): CopyHandlers {
    return {
      handleCopyInResponse: (connection) => {
        for (let from = 0; from < this.#bytes.length; from += CHUNK)
          connection.sendCopyFromChunk(this.#bytes.subarray(from, from + CHUNK))
        connection.endCopyFrom()
      },
    }
  }
}

/** Half of a surrogate pair has no UTF-8. PostgreSQL gives such a value this code. */
class UnusableTextError extends Error {
  readonly code = '22021'
  constructor() {
    super('A text is not valid Unicode')
  }
}

const SPECIAL = /[\\\t\n\r]/
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function toCopyText(cell: Cell): string {
  if (cell === null || cell === undefined) return '\\N'
  if (cell instanceof Date) return cell.toISOString()
  if (typeof cell !== 'string') return String(cell)
  return SPECIAL.test(cell) ? cell.replaceAll(/[\\\t\n\r]/g, (special) => ESCAPES[special] ?? special) : cell
}
