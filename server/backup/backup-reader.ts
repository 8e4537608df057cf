import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { pipeline } from 'node:stream'
import zlib from 'node:zlib'
import { createDecipher, TAG_BYTES } from '#server/backup/backup-cipher.ts'
import {
  type BackupEnd,
  BackupError,
  type BackupHeader,
  type BackupPart,
  type BackupSequence,
  FORMAT,
  FRAME,
  FRAME_HEAD,
  MAGIC,
  MAX_FRAME,
  type Preamble,
} from '#server/backup/backup-format.ts'

type Frame = { readonly type: string; readonly payload: Buffer }

/** What restoring does with a backup, in the order of the file. */
export type BackupVisitor = {
  header(header: BackupHeader): Promise<void>
  /** Must read all of the bytes; answers how many rows they were. */
  table(name: string, bytes: AsyncIterable<Buffer>): Promise<number | undefined>
  sequences(sequences: readonly BackupSequence[]): Promise<void>
}

/** Reads the whole file and compares everything with its hashes. Throws a BackupError if anything does not fit. */
export async function readBackup(
  file: string,
  passphrase: string | undefined,
  visitor: BackupVisitor,
): Promise<BackupEnd & { header: BackupHeader }> {
  const frames = framesOf(await openBody(file, passphrase))
  const digest = createHash('sha256')
  const next = async (): Promise<Frame> => {
    const { value, done } = await frames.next()
    if (done) throw new BackupError('The backup is incomplete: the file ends before the end of the data')
    return value
  }
  const json = <T>({ payload }: Frame): T => {
    digest.update(payload)
    return JSON.parse(payload.toString()) as T
  }
  try {
    const header = json<BackupHeader>(expectType(await next(), FRAME.header))
    await visitor.header(header)
    let tables = 0
    let rows = 0
    for (;;) {
      const frame = await next()
      if (frame.type === FRAME.end) {
        const end = JSON.parse(frame.payload.toString()) as BackupEnd
        if (end.sha256 !== digest.digest('hex') || end.tables !== tables || end.rows !== rows)
          throw new BackupError('The backup is damaged: its parts are not those that were written')
        return { ...end, header }
      }
      if (frame.type === FRAME.sequences) {
        await visitor.sequences(json(frame))
        continue
      }
      const { name } = json<{ name: string }>(expectType(frame, FRAME.table))
      const part = partOf(next)
      const loaded = await visitor.table(name, part.bytes())
      const end = json<BackupPart>(part.end())
      if (end.sha256 !== part.sha256()) throw new BackupError(`The backup is damaged: the rows of ${name} were changed`)
      if (loaded !== undefined && loaded !== end.rows)
        throw new BackupError(`${loaded} of ${end.rows} rows of ${name} were loaded`)
      tables++
      rows += end.rows
    }
  } catch (error) {
    throw damage(error)
  } finally {
    await frames.return(undefined)
  }
}

/** The bytes of one table, and what stands behind them. */
function partOf(next: () => Promise<Frame>) {
  const digest = createHash('sha256')
  let end: Frame | undefined
  return {
    async *bytes(): AsyncGenerator<Buffer> {
      for (;;) {
        const frame = await next()
        if (frame.type !== FRAME.bytes) {
          end = expectType(frame, FRAME.endOfTable)
          return
        }
        digest.update(frame.payload)
        yield frame.payload
      }
    },
    end(): Frame {
      if (!end) throw new Error('the bytes of a table were not read to their end')
      return end
    },
    sha256: () => digest.digest('hex'),
  }
}

function expectType(frame: Frame, type: string): Frame {
  if (frame.type === type) return frame
  throw new BackupError(`The backup is damaged: a part of type ${type} is missing`)
}

async function openBody(file: string, passphrase: string | undefined): Promise<AsyncIterable<Buffer>> {
  const { opening, preamble, size } = await readOpening(file)
  const { encryption } = preamble
  if (encryption && passphrase === undefined)
    throw new BackupError('This backup is encrypted: name the file of its passphrase with --passphrase-file')
  const decompress = zlib.createZstdDecompress()
  const end = size - 1 - (encryption ? TAG_BYTES : 0)
  if (end < opening.length) throw new BackupError('The backup is incomplete: the file ends before the end of the data')
  const source = () => fs.createReadStream(file, { start: opening.length, end, highWaterMark: 1024 * 1024 })
  if (!encryption) return pipeline(source(), decompress, () => {})
  const tag = await readAt(file, size - TAG_BYTES, TAG_BYTES)
  const decipher = await createDecipher(encryption, { passphrase: passphrase!, boundTo: opening, tag })
  return pipeline(source(), decipher, decompress, () => {})
}

const OPENING = 4096

async function readOpening(file: string): Promise<{ opening: Buffer; preamble: Preamble; size: number }> {
  const { size } = await fs.promises.stat(file)
  const start = await readAt(file, 0, Math.min(size, OPENING))
  const first = start.indexOf('\n')
  const second = start.indexOf('\n', first + 1)
  const [magic, format] = start.subarray(0, Math.max(first, 0)).toString('latin1').split(' ')
  if (magic !== MAGIC || second < 0) throw new BackupError(`${file} is not a backup of this portal`)
  if (Number(format) > FORMAT)
    throw new BackupError(`A newer portal made this backup (format ${format}): restore it with that version`)
  try {
    const preamble = JSON.parse(start.subarray(first, second).toString()) as Preamble
    return { opening: start.subarray(0, second + 1), preamble, size }
  } catch {
    throw new BackupError('The backup is damaged: its first lines cannot be read')
  }
}

async function readAt(file: string, position: number, length: number): Promise<Buffer> {
  const handle = await fs.promises.open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

async function* framesOf(source: AsyncIterable<Buffer>): AsyncGenerator<Frame, void> {
  let pieces: Buffer[] = []
  let held = 0
  let wanted = FRAME_HEAD
  for await (const piece of source) {
    pieces.push(piece)
    held += piece.length
    while (held >= wanted) {
      const all = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, held)
      pieces = [all]
      const length = FRAME_HEAD + all.readUInt32BE(1)
      if (length > MAX_FRAME) throw new BackupError('The backup is damaged: a part has an impossible length')
      wanted = length
      if (held < length) break
      yield { type: all.toString('latin1', 0, 1), payload: all.subarray(FRAME_HEAD, length) }
      pieces = held > length ? [all.subarray(length)] : []
      held -= length
      wanted = FRAME_HEAD
    }
  }
  if (held > 0) throw new BackupError('The backup is incomplete: the file ends in the middle of its data')
}

/** What the decompressor or the cipher found, in words. Everything else, such as an error of the database, stays as it is. */
function damage(error: unknown): unknown {
  if (error instanceof BackupError) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code === 'Z_BUF_ERROR' || /unexpected end of file/.test(message))
    return new BackupError('The backup is incomplete: the file ends in the middle of its data')
  if (/^(Z_|ZSTD_)/.test(code) || /authenticate data/.test(message) || error instanceof SyntaxError)
    return new BackupError(`The backup is damaged: ${message}`)
  return error
}
