import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { StartupError } from '#server/embedded/startup-error.ts'

export type ServerUser = { readonly uid: number; readonly gid: number }

const NAME = 'postgres'

export const isRoot = (): boolean => process.getuid?.() === 0

/** PostgreSQL refuses to run as root: a new cluster made by root belongs to user postgres. */
export function postgresUser(): ServerUser {
  const known = lookUp()
  if (known) return known
  const { stderr } = spawnSync(
    'useradd',
    ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', NAME],
    { encoding: 'utf8', env: { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` } },
  )
  // Another first start may have created the user in between: it only matters that the user exists now.
  const made = lookUp()
  if (made) return made
  throw new StartupError(
    `PostgreSQL does not run as root, and user ${NAME} could not be made (${stderr?.trim() || 'useradd not found'}): ` +
      'make that user, run the portal as a user of its own, or set DATABASE_URL',
  )
}

function lookUp(): ServerUser | undefined {
  const readId = (flag: string) =>
    Number(execFileSync('id', [flag, NAME], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  try {
    return { uid: readId('-u'), gid: readId('-g') }
  } catch {
    return undefined
  }
}

/** Asks the kernel instead of reading mode bits: groups, access lists and every parent directory count as well. */
export function canEnter(user: ServerUser | undefined, directory: string): boolean {
  return !user || spawnSync('test', ['-x', directory], { ...user, cwd: '/', stdio: 'ignore' }).status === 0
}

export function findOwner(file: string): ServerUser | undefined {
  const found = fs.statSync(file, { throwIfNoEntry: false })
  return found && { uid: found.uid, gid: found.gid }
}

export function giveTo(user: ServerUser | undefined, file: string): void {
  if (user && isRoot()) fs.chownSync(file, user.uid, user.gid)
}

/** Where a portal that runs as root keeps files that PostgreSQL's user cannot reach in their original place. */
export const SHARED_ROOT = '/var/lib/licensing-portal'

export function makeSharedRoot(root = SHARED_ROOT): void {
  fs.mkdirSync(root, { recursive: true })
  // With a strict umask, user postgres could not enter it.
  fs.chmodSync(root, 0o755)
}
