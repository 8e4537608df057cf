import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import {
  canEnter,
  findOwner,
  isRoot,
  makeSharedRoot,
  postgresUser,
  type ServerUser,
  SHARED_ROOT,
} from '#server/embedded/server-user.ts'
import { StartupError } from '#server/embedded/startup-error.ts'

export type ClusterLocation = {
  /** PostgreSQL's own data directory. */
  readonly home: string
  readonly relocated: boolean
  /** Whom the server runs as, where that is not simply ourselves. */
  readonly user: ServerUser | undefined
}

/**
 * The cluster lives inside the portal's data directory, or, when user postgres cannot walk there, under an id of its own
 * in the shared root. The id is kept in the data directory: who deletes that directory gets a fresh installation.
 */
export function locateCluster(dataDir: string): ClusterLocation {
  const inside = path.join(dataDir, 'postgres')
  const marker = path.join(dataDir, 'postgres.place')
  if (fs.existsSync(marker)) {
    const home = keptElsewhere(marker)
    return { home, relocated: true, user: findServerUser(home) }
  }

  const user = findServerUser(inside)
  if (canEnter(user, dataDir)) return { home: inside, relocated: false, user }
  if (fs.existsSync(inside)) {
    throw new StartupError(
      `the user who owns the database in ${inside} cannot reach it: chmod a+x every directory above it`,
    )
  }
  makeSharedRoot()
  createDurably(marker, randomBytes(12).toString('hex'))
  return { home: keptElsewhere(marker), relocated: true, user }
}

/** Where the database lies, or will lie; makes nothing. */
export function clusterHome(dataDir: string): string {
  const marker = path.join(dataDir, 'postgres.place')
  if (fs.existsSync(marker)) return keptElsewhere(marker)
  const inside = path.join(dataDir, 'postgres')
  return fs.existsSync(inside) ? inside : dataDir
}

function keptElsewhere(marker: string): string {
  const id = fs.readFileSync(marker, 'utf8').trim()
  if (!/^[0-9a-f]{24}$/.test(id)) throw new StartupError(`${marker} does not hold the id of a database`)
  return path.join(SHARED_ROOT, id)
}

/**
 * A cluster runs as the user who owns it: root also serves one that a portal without root made, or one from an image in
 * which user postgres had another number.
 */
function findServerUser(home: string): ServerUser | undefined {
  const owner = findOwner(home)
  if (isRoot()) return owner && owner.uid !== 0 ? owner : postgresUser()
  if (owner && owner.uid !== process.getuid?.()) {
    throw new StartupError(`the database in ${home} belongs to user id ${owner.uid}: run the portal as that user`)
  }
  return undefined
}

/** Writes a small file whole and on disk, or leaves the one that is there: of two writers at once, the first wins. */
export function createDurably(file: string, text: string): void {
  const fresh = `${file}.new-${process.pid}`
  fs.writeFileSync(fresh, text, { mode: 0o600, flush: true })
  try {
    fs.linkSync(fresh, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    fs.rmSync(fresh, { force: true })
  }
  syncDirectory(path.dirname(file))
}

/** A rename or a new name survives a power cut only after its directory is synced. */
export function syncDirectory(directory: string): void {
  const handle = fs.openSync(directory, 'r')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}
