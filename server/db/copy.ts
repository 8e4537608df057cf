import type { Duplex } from 'node:stream'

/** The part of the driver's connection that its types leave out. */
export type CopyConnection = {
  readonly stream: Duplex
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}
export type CopyHandlers = {
  handleCopyInResponse?(connection: CopyConnection): void
  handleCopyData?(message: { chunk: Buffer }, connection: CopyConnection): void
  /** Resolves when the database is done, with its error or the number of rows. Throws the error of the statement. */
  ended?(error: Error | null, rows: number): Promise<void>
}

/** The data of a `copy` statement, also through Kysely. It is the only parameter of such a statement. */
export abstract class Copy {
  abstract handlers(): CopyHandlers
}
