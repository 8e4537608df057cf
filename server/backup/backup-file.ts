import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import {
  BackupError,
  damaged,
  FORMAT,
  incomplete,
  MAGIC,
  type Preamble,
  readTrailer,
  TRAILER_BYTES,
} from '#server/backup/backup-format.ts'

/** The two readable lines, where the rest of the file ends, and whether a checksum has proven all of it. */
export type Opening = {
  readonly bytes: Buffer
  readonly preamble: Preamble
  readonly bodyEnd: number
  readonly isProven: boolean
}

const MAX_OPENING = 4096

/** Verifies the checksum of the file, if it has one, before anything else is read. */
export async function openFile(file: string): Promise<Opening> {
  const { size } = await fs.promises.stat(file)
  const start = await readAt(file, 0, Math.min(size, MAX_OPENING)).catch((error: NodeJS.ErrnoException) => {
    const { username } = os.userInfo()
    throw error.code === 'EACCES' ? new BackupError(`${file} cannot be read by the user ${username}`) : error
  })
  const first = start.indexOf('\n')
  const [magic, format] = start.subarray(0, Math.max(first, 0)).toString('latin1').split(' ')
  if (magic !== MAGIC) throw new BackupError(`${file} is not a backup of this portal`)
  const bodyEnd = await checkedEnd(file, size, Number(format))
  if (Number(format) > FORMAT)
    throw new BackupError(`A newer portal made this backup (format ${format}): restore it with that version`)
  const second = start.indexOf('\n', first + 1)
  const preamble = readPreamble(start.subarray(first, Math.max(second, first)).toString())
  if (!preamble) throw damaged('its first lines cannot be read')
  return { bytes: start.subarray(0, second + 1), preamble, bodyEnd, isProven: bodyEnd < size }
}

/** A newer format may have another trailer. */
async function checkedEnd(file: string, size: number, format: number): Promise<number> {
  const end = size - TRAILER_BYTES
  const expected = end > 0 ? readTrailer(await readAt(file, end, TRAILER_BYTES)) : undefined
  if (expected === undefined) {
    if (format === FORMAT) throw incompleteOrLonger()
    return size
  }
  const digest = createHash('sha256')
  for await (const bytes of fs.createReadStream(file, { end: end - 1, highWaterMark: 1024 * 1024 }))
    digest.update(bytes as Buffer)
  if (digest.digest('hex') !== expected) throw damaged('its checksum is not that of its content')
  return end
}

const incompleteOrLonger = () => damaged('it does not end as it was written. It was cut off, or bytes were added.')

function readPreamble(text: string): Preamble | undefined {
  try {
    const preamble = JSON.parse(text) as Preamble
    return preamble.compression === 'zstd' && preamble.encryption !== undefined ? preamble : undefined
  } catch {
    return undefined
  }
}

export async function readAt(file: string, position: number, length: number): Promise<Buffer> {
  const handle = await fs.promises.open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position)
    if (bytesRead < length) throw incomplete()
    return buffer
  } finally {
    await handle.close()
  }
}
