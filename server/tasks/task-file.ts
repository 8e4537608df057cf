import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { Kysely } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { findPiece, insertPiece } from '#server/tasks/task-pieces.queries.ts'
import type { TaskRun } from '#server/tasks/tasks.queries.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** In bytes, before they are compressed. */
const PIECE = 1024 * 1024

/** Thrown when the task of this attempt is gone. */
export class TaskGoneError extends Error {}

type TaskFileWriter = {
  /** Copies the bytes, because the caller may change them afterwards. */
  write(bytes: Uint8Array): Promise<void>
  /** Call this after the last bytes. */
  finish(): Promise<void>
}

/** Memory holds one piece, no matter how long the file is. */
export function taskFileWriter(db: Kysely<DB>, run: TaskRun): TaskFileWriter {
  const piece = Buffer.allocUnsafe(PIECE)
  let filled = 0
  let number = 0
  const flush = async () => {
    const isOurs = await insertPiece(db, run, number, await compress(piece.subarray(0, filled)))
    if (!isOurs) throw new TaskGoneError('the task was deleted, or another attempt has replaced this one')
    number++
    filled = 0
  }
  return {
    async write(bytes) {
      for (let from = 0; from < bytes.length; ) {
        const some = bytes.subarray(from, from + PIECE - filled)
        piece.set(some, filled)
        filled += some.length
        from += some.length
        if (filled === PIECE) await flush()
      }
    },
    async finish() {
      if (filled > 0 || number === 0) await flush()
    },
  }
}

/** Piece by piece: no connection is held between pieces, while the reader takes its time. */
export async function* readTaskFile(db: Kysely<DB>, run: TaskRun, size: number): AsyncGenerator<Buffer> {
  let read = 0
  for (let number = 0; read < size; number++) {
    const piece = await findPiece(db, run, number)
    // The answer breaks off, and its Content-Length tells the reader that something is missing.
    if (!piece) throw new TaskGoneError(`piece ${number} of the file of task ${run.id} is no longer there`)
    const bytes = await decompress(piece)
    read += bytes.length
    yield bytes
  }
}
