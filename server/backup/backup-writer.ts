import { createHash } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import zlib from 'node:zlib'
import { createEncryption } from '#server/backup/backup-cipher.ts'
import {
  type BackupEnd,
  FORMAT,
  FRAME,
  FRAME_HEAD,
  type FrameType,
  MAGIC,
  type Preamble,
  trailerOf,
} from '#server/backup/backup-format.ts'

export type BackupWriter = Awaited<ReturnType<typeof createBackupWriter>>

/** Writes under a temporary name until everything is on disk, so that a file with the final name is always complete. */
export async function createBackupWriter(file: string, passphrase: string | undefined) {
  const unfinished = `${file}.part`
  const encrypted = passphrase === undefined ? undefined : await createEncryption(passphrase)
  const preamble: Preamble = { compression: 'zstd', encryption: encrypted?.encryption ?? null }
  const opening = Buffer.from(`${MAGIC} ${FORMAT}\n${JSON.stringify(preamble)}\n`)
  const handle = await fs.open(unfinished, 'w', 0o600)
  const compress = zlib.createZstdCompress({ params: { [zlib.constants.ZSTD_c_checksumFlag]: 1 } })
  const cipher = encrypted?.createCipher(opening)
  const digest = createHash('sha256')
  const ofFile = createHash('sha256')

  const append = async (bytes: Buffer) => {
    ofFile.update(bytes)
    await handle.appendFile(bytes)
  }
  const toFile = async (source: AsyncIterable<Buffer>) => {
    await append(opening)
    for await (const bytes of source) await append(bytes)
  }
  const piping = cipher ? pipeline(compress, cipher, toFile) : pipeline(compress, toFile)
  // The next write reports the error.
  piping.catch(() => {})

  const write = async (type: FrameType, payload: Buffer) => {
    const head = Buffer.alloc(FRAME_HEAD)
    head.write(type, 'latin1')
    head.writeUInt32BE(payload.length, 1)
    if (compress.destroyed) await piping
    compress.write(head)
    if (!compress.write(payload)) await Promise.race([once(compress, 'drain'), piping])
  }
  const writeJson = (type: FrameType, value: object) => {
    const text = Buffer.from(JSON.stringify(value))
    digest.update(text)
    return write(type, text)
  }
  return {
    writeJson,
    writeBytes: (bytes: Buffer) => write(FRAME.bytes, bytes),
    /** Returns the size of the file. */
    async finish(counts: Omit<BackupEnd, 'sha256'>): Promise<number> {
      const end: BackupEnd = { ...counts, sha256: digest.digest('hex') }
      await write(FRAME.end, Buffer.from(JSON.stringify(end)))
      compress.end()
      await piping
      if (cipher) await append(cipher.getAuthTag())
      await handle.appendFile(trailerOf(ofFile.digest('hex')))
      await handle.sync()
      const { size } = await handle.stat()
      await handle.close()
      await fs.rename(unfinished, file)
      return size
    },
    async abandon(): Promise<void> {
      compress.destroy()
      await piping.catch(() => {})
      await handle.close().catch(() => {})
      await fs.rm(unfinished, { force: true })
    },
  }
}
