import fs from 'node:fs'
import type { Kysely } from 'kysely'
import type { Config } from '#server/config.ts'
import type { DB } from '#server/db/schema.ts'
import { findStorage } from '#server/doctor/doctor.queries.ts'
import { clusterHome } from '#server/embedded/location.ts'

type Disk = { readonly directory: string; readonly free: number; readonly size: number }

/** In bytes. Undefined for a directory that is not on this machine. */
export function measureDisk(directory: string | undefined | null): Disk | undefined {
  if (directory == null || !fs.existsSync(directory)) return undefined
  const { bavail, blocks, bsize } = fs.statfsSync(directory)
  return { directory, free: bavail * bsize, size: blocks * bsize }
}

/** The disks that this process sees, for the metrics. That of the embedded database is seen without the database. */
export function diskFigures(config: Config) {
  const read = (figure: 'free' | 'size') => async (db: Kysely<DB>) => {
    const { databaseUrl, dataDir, backup } = config
    const database =
      databaseUrl === undefined ? clusterHome(dataDir) : (await findStorage(db).catch(() => undefined))?.directory
    return Object.entries({ database, data: dataDir, backups: backup.folder }).flatMap(([folder, directory]) => {
      const disk = measureDisk(directory)
      return disk ? [{ folder, count: disk[figure] }] : []
    })
  }
  return [
    { name: 'portal_disk_free_bytes', help: 'Free space on the disks of this process', read: read('free') },
    { name: 'portal_disk_size_bytes', help: 'Size of the disks of this process', read: read('size') },
  ]
}
