import pg from 'pg'

type Cell = string | number | bigint | Date | null | undefined

/** The rows of a `copy … from stdin`, in PostgreSQL's text format. It is the only parameter of such a statement. */
export class CopyRows {
  readonly bytes: Buffer

  /** Row by row the values of the same columns. Undefined is null. */
  constructor(rows: Iterable<readonly Cell[]>) {
    let text = ''
    for (const row of rows) {
      for (let index = 0; index < row.length; index++) text += (index === 0 ? '' : '\t') + toCopyText(row[index])
      text += '\n'
    }
    if (!text.isWellFormed()) throw new UnusableTextError()
    this.bytes = Buffer.from(text)
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

const CHUNK = 64 * 1024
/** The part of the driver's connection that its types leave out. */
type CopyConnection = { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }
type Send = (statement: unknown, values?: unknown, callback?: unknown) => unknown

/**
 * The driver has the messages of COPY but refuses the statement. This makes a connection take it, also through Kysely, when
 * its parameter is a `CopyRows`.
 */
export function acceptCopies(client: pg.ClientBase): void {
  const send = client.query.bind(client) as Send
  const query: Send = (statement, values, callback) => {
    const rows = Array.isArray(values) ? values[0] : undefined
    return rows instanceof CopyRows ? copy(send, String(statement), rows) : send(statement, values, callback)
  }
  client.query = query as typeof client.query
}

function copy(send: Send, statement: string, { bytes }: CopyRows): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const query = Object.assign(new pg.Query(statement), {
      callback: (error: Error | null, result: pg.QueryResult) => (error ? reject(error) : resolve(result)),
      handleCopyInResponse(connection: CopyConnection) {
        for (let from = 0; from < bytes.length; from += CHUNK)
          connection.sendCopyFromChunk(bytes.subarray(from, from + CHUNK))
        connection.endCopyFrom()
      },
    })
    send(query)
  })
}
