import { once } from 'node:events'
import { Copy, type CopyConnection, type CopyHandlers } from '#server/db/copy.ts'

const CHUNK = 256 * 1024

/** Passes on the bytes of a `copy … to stdout` in chunks, with backpressure. */
export class CopyOut extends Copy {
  rows = 0
  readonly #take: (chunk: Buffer) => Promise<void>

  constructor(take: (chunk: Buffer) => Promise<void>) {
    super()
    this.#take = take
  }

  override handlers(): CopyHandlers {
    let taking: Promise<void> = Promise.resolve()
    let chunk = Buffer.allocUnsafe(CHUNK)
    let filled = 0
    const flush = () => {
      const full = chunk.subarray(0, filled)
      chunk = Buffer.allocUnsafe(CHUNK)
      filled = 0
      taking = taking.then(() => this.#take(full))
    }
    return {
      // The bytes belong to a buffer that the driver uses again: they are copied at once.
      handleCopyData({ chunk: bytes }, { stream }) {
        for (let from = 0; from < bytes.length; ) {
          const copied = bytes.copy(chunk, filled, from)
          from += copied
          filled += copied
          if (filled < CHUNK) continue
          flush()
          stream.pause()
          // An error ends the wait too: the rest is received and discarded, and `ended` throws.
          taking.catch(() => {}).finally(() => stream.resume())
        }
      },
      ended: async (error, rows) => {
        if (!error && filled > 0) flush()
        await taking
        this.rows = rows
      },
    }
  }
}

/** The bytes of a `copy … from stdin`, requested as the database takes them. */
export class CopyIn extends Copy {
  rows = 0
  readonly #source: AsyncIterable<Buffer>

  constructor(source: AsyncIterable<Buffer>) {
    super()
    this.#source = source
  }

  override handlers(): CopyHandlers {
    const stop = new AbortController()
    let failure: Error | undefined
    const send = async (connection: CopyConnection) => {
      try {
        for await (const chunk of this.#source) {
          if (stop.signal.aborted) return
          connection.sendCopyFromChunk(chunk)
          if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain', { signal: stop.signal })
        }
        connection.endCopyFrom()
      } catch (error) {
        if (stop.signal.aborted) return
        failure = error as Error
        connection.sendCopyFail('the source failed')
      }
    }
    return {
      handleCopyInResponse: (connection) => void send(connection),
      ended: async (_error, rows) => {
        stop.abort()
        if (failure) throw failure
        this.rows = rows
      },
    }
  }
}
