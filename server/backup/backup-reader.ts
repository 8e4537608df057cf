import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { pipeline } from 'node:stream'
import zlib from 'node:zlib'
import { createDecipher, TAG_BYTES } from '#server/backup/backup-cipher.ts'
import { openFile, readAt } from '#server/backup/backup-file.ts'
import {
  type BackupEnd,
  BackupError,
  type BackupHeader,
  type BackupPart,
  type BackupSequence,
  damaged,
  FRAME,
  FRAME_HEAD,
  incomplete,
  MAX_FRAME,
} from '#server/backup/backup-format.ts'

type Frame = { readonly type: string; readonly payload: Buffer }

/** What restoring does with a backup, in the order of the file. */
export type BackupVisitor = {
  header(header: BackupHeader): Promise<void>
  /** Must read all bytes; returns the number of rows. */
  table(name: string, bytes: AsyncIterable<Buffer>): Promise<number | undefined>
  sequences(sequences: readonly BackupSequence[]): Promise<void>
}

/** Reads the whole file and compares everything with its hashes. Throws a BackupError if anything does not fit. */
export async function readBackup(
  file: string,
  passphrase: string | undefined,
  visitor: BackupVisitor,
): Promise<BackupEnd & { header: BackupHeader }> {
  const body = await openBody(file, passphrase)
  const frames = framesOf(body.bytes)
  const digest = createHash('sha256')
  const next = async (): Promise<Frame> => {
    const { value, done } = await frames.next()
    if (done) throw incomplete()
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
          throw damaged('its parts are not those that were written')
        if (!(await frames.next()).done || !(await body.isRead()))
          throw damaged('something follows the end of its data')
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
      if (end.sha256 !== part.sha256()) throw damaged(`the rows of ${name} were changed`)
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

/** Reads a backup to its end without restoring it. */
export function checkBackup(
  file: string,
  passphrase: string | undefined,
): Promise<BackupEnd & { header: BackupHeader }> {
  return readBackup(file, passphrase, {
    header: async () => {},
    async table(_name, bytes) {
      for await (const _ of bytes);
      return undefined
    },
    sequences: async () => {},
  })
}

/** The bytes of one table, and the frame after them. */
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
  throw damaged(`a part of type ${type} is missing`)
}

/** After the data comes nothing, or the empty frame with which the compressor ends. */
const EMPTY_FRAME = zlib.zstdCompressSync(Buffer.alloc(0), { params: { [zlib.constants.ZSTD_c_checksumFlag]: 1 } })
const NOTHING_MORE = new Set(['', EMPTY_FRAME.toString('hex')])
const MAX_REST = 64

type Body = { readonly bytes: AsyncIterable<Buffer>; isRead(): Promise<boolean> }

async function openBody(file: string, passphrase: string | undefined): Promise<Body> {
  const { bytes: opening, preamble, bodyEnd, isProven } = await openFile(file)
  const { encryption } = preamble
  if (encryption && passphrase === undefined)
    throw new BackupError('This backup is encrypted: name the file of its passphrase with --passphrase-file')
  const decompress = zlib.createZstdDecompress()
  const end = bodyEnd - (encryption ? TAG_BYTES : 0)
  if (end <= opening.length) throw incomplete()
  const source = fs.createReadStream(file, { start: opening.length, end: end - 1, highWaterMark: 1024 * 1024 })
  const isRead = async () => {
    // The decompressor leaves the bytes after the end of its data unread.
    const read = opening.length + decompress.bytesWritten
    if (isProven || encryption) return true
    const rest = await readAt(file, read, Math.min(end - read, MAX_REST))
    return NOTHING_MORE.has(rest.toString('hex'))
  }
  if (!encryption) return { bytes: pipeline(source, decompress, () => {}), isRead }
  const tag = await readAt(file, end, TAG_BYTES)
  const decipher = await createDecipher(encryption, { passphrase: passphrase!, boundTo: opening, tag })
  return { bytes: pipeline(source, decipher, decompress, () => {}), isRead }
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
      if (length > MAX_FRAME) throw damaged('a part has an impossible length')
      wanted = length
      if (held < length) break
      yield { type: all.toString('latin1', 0, 1), payload: all.subarray(FRAME_HEAD, length) }
      pieces = held > length ? [all.subarray(length)] : []
      held -= length
      wanted = FRAME_HEAD
    }
  }
  if (held > 0) throw incomplete()
}

/** What the decompressor or the cipher found, in words. Everything else, such as an error of the database, stays as it is. */
function damage(error: unknown): unknown {
  if (error instanceof BackupError) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code === 'Z_BUF_ERROR' || /unexpected end of file/.test(message)) return incomplete()
  if (/^(Z_|ZSTD_)/.test(code) || /authenticate data/.test(message) || error instanceof SyntaxError)
    return damaged(message)
  return error
}
