/** Raised by one when a reader of the earlier format could no longer read the file. */
export const FORMAT = 1
export const MAGIC = 'LICENSING-PORTAL-BACKUP'

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
  /** What had run on the database, with the hash of each file. */
  readonly migrations: readonly { readonly name: string; readonly sha256: string }[]
  readonly tables: readonly BackupTable[]
}
export type BackupTable = {
  readonly name: string
  /** Without generated columns: those are computed again. */
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
/** Longer than any frame that is written: the length of a damaged frame must not fill the memory. */
export const MAX_FRAME = 16 * 1024 * 1024

/** The file cannot be used; its message is for the operator. */
export class BackupError extends Error {}
