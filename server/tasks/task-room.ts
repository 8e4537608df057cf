import fs from 'node:fs/promises'
import type { Kysely } from 'kysely'
import type { Config } from '#server/config.ts'
import type { DB } from '#server/db/schema.ts'
import { clusterHome } from '#server/embedded/location.ts'
import { sumTaskBytes } from '#server/tasks/tasks.queries.ts'

/**
 * Whether the database has room for more files: all of them together have a limit, and the embedded database shows its
 * disk. The disk of a database elsewhere cannot be seen from here.
 */
export async function hasRoom(db: Kysely<DB>, config: Config): Promise<boolean> {
  if ((await sumTaskBytes(db)) >= config.exports.bytesInTotal) return false
  return config.databaseUrl !== undefined || (await freeBytes(config)) >= config.exports.minFreeBytes
}

async function freeBytes({ dataDir }: Config): Promise<number> {
  const { bavail, bsize } = await fs.statfs(clusterHome(dataDir))
  return bavail * bsize
}
