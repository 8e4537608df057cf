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
  /** The user that the server runs as, if it is not this process's user. */
  readonly user: ServerUser | undefined
}

/**
 * The cluster is inside the portal's data directory or, if user postgres cannot enter it, under a random id in the
 * shared root. The id is stored in the data directory: deleting that directory gives a fresh installation.
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

/** The path of the database, whether or not it exists. */
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
