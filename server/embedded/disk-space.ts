import fs from 'node:fs'
import { StartupError } from '#server/embedded/startup-error.ts'

/** Less than PostgreSQL needs to start: its WAL files have this size. */
const LEAST = 16 * 1024 * 1024

export function isAlmostFull(directory: string): boolean {
  const { bavail, bsize } = fs.statfsSync(directory)
  return bavail * bsize < LEAST
}

type Failure = { code?: string; message?: string; cause?: unknown }

/** Recognizes the error of Node, of PostgreSQL, and the output of PostgreSQL or initdb. */
export function isDiskFull(error: unknown): boolean {
  const { code = '', message = '', cause } = (error ?? {}) as Failure
  if (['ENOSPC', 'EDQUOT', '53100'].includes(code)) return true
  if (/No space left on device|Disk quota exceeded|wrote only \d+ of \d+ bytes/.test(message)) return true
  return cause !== undefined && isDiskFull(cause)
}

/**
 * Turns an error because of a full disk into one line for the operator; returns any other error unchanged. PostgreSQL ends
 * without a word when its log does not fit on the disk: `directory` is where an embedded server has its data.
 */
export function orDiskFull(error: unknown, where: string, directory?: string): unknown {
  const isLost = /Connection terminated/.test((error as Failure | undefined)?.message ?? '')
  const isFull = isDiskFull(error) || (isLost && directory !== undefined && isAlmostFull(directory))
  if (!isFull) return error
  const [detail = ''] = String((error as Error).message).split('\n')
  return new StartupError(`${where}: the disk is full, no space left on device (${detail})`)
}
