import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { giveTo, type ServerUser } from '#server/embedded/server-user.ts'
import { StartupError } from '#server/embedded/startup-error.ts'

/** With a socket the port is only a part of the socket's name. */
export const PORT = 5432

/** A socket address holds 107 bytes on Linux and 103 on macOS. */
const LONGEST_ADDRESS = 103

/** In the data directory if the address fits. PostgreSQL takes a list of directories here and splits it at commas. */
export function socketDirectory(home: string): string {
  const address = path.join(home, `.s.PGSQL.${PORT}`)
  if (Buffer.byteLength(address) <= LONGEST_ADDRESS && !/[,"]/.test(home)) return home
  // Always /tmp, never TMPDIR: a second portal with another environment must come to the same socket.
  return `/tmp/licensing-portal-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`
}

/** Anybody may make names in /tmp: the directory is used only if it is ours and closed to others. */
export function prepareSocketDirectory(directory: string, user: ServerUser | undefined): void {
  try {
    fs.mkdirSync(directory, { mode: 0o700 })
    giveTo(user, directory)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const found = fs.lstatSync(directory)
  const isOurs = found.uid === (user?.uid ?? process.getuid?.())
  if (!found.isDirectory() || !isOurs || (found.mode & 0o077) !== 0) {
    throw new StartupError(`${directory} belongs to somebody else: remove it, or choose a shorter data directory`)
  }
}
