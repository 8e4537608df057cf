/** Increased by one when readers of the earlier format can no longer read the file. */
export const FORMAT = 2
export const MAGIC = 'LICENSING-PORTAL-BACKUP'

/** Since format 2 the last line of the file: the SHA-256 of everything before it. */
const TRAILER = `\n${MAGIC}-END `
const HEX = 64
export const TRAILER_BYTES = TRAILER.length + HEX + 1
export const trailerOf = (sha256: string) => `${TRAILER}${sha256}\n`

/** The checksum in the last bytes of a file, if they are a trailer. */
export function readTrailer(last: Buffer): string | undefined {
  const text = last.toString('latin1')
  const sha256 = text.slice(TRAILER.length, -1)
  return /^[0-9a-f]{64}$/.test(sha256) && text === trailerOf(sha256) ? sha256 : undefined
}

/** The second line of the file, which is readable without a passphrase. */
export type Preamble = { readonly compression: 'zstd'; readonly encryption: Encryption | null }
export type Encryption = {
  readonly cipher: 'aes-256-gcm'
  readonly scrypt: { readonly N: number; readonly r: number; readonly p: number; readonly salt: string }
  readonly iv: string
  /** Tells a wrong passphrase from a damaged file. */
  readonly check: string
}

export type BackupHeader = {
  readonly createdAt: string
  readonly portalVersion: string
  readonly postgresVersion: string
  /** The migrations that had run on the database, with the hash of each file. */
  readonly migrations: readonly { readonly name: string; readonly sha256: string }[]
  readonly tables: readonly BackupTable[]
}
export type BackupTable = {
  readonly name: string
  /** Generated columns are left out: PostgreSQL computes them again. */
  readonly columns: readonly string[]
  readonly partition: { readonly of: string; readonly bounds: string } | null
}
export type BackupPart = { readonly name: string; readonly rows: number; readonly sha256: string }
export type BackupSequence = { readonly name: string; readonly value: string; readonly isCalled: boolean }
export type BackupEnd = { readonly tables: number; readonly rows: number; readonly sha256: string }

/** header, (table, its bytes, end of table)…, sequences, end: what is in the file, in this order. */
export const FRAME = { header: 'H', table: 'T', bytes: 'D', endOfTable: 'E', sequences: 'S', end: 'Z' } as const
export type FrameType = (typeof FRAME)[keyof typeof FRAME]

/** Type in one byte, length in four. */
export const FRAME_HEAD = 5
/** No written frame is longer: the length of a damaged frame must not fill the memory. */
export const MAX_FRAME = 16 * 1024 * 1024

/** Thrown when the content of a file is not what was written. */
export const damaged = (what: string) => new BackupError(`The backup file is damaged: ${what}`)
export const incomplete = () => new BackupError('The backup file is incomplete: it ends in the middle of its data')

/** Thrown when a file cannot be used. The message is for the operator. */
export class BackupError extends Error {}
