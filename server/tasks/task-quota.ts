import fs from 'node:fs/promises'
import type { Kysely } from 'kysely'
import type { TaskFailure } from '#domain/tasks/task.ts'
import type { Config } from '#server/config.ts'
import type { DB } from '#server/db/schema.ts'
import { clusterHome } from '#server/embedded/location.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import type { AnyTaskKind } from '#server/tasks/task-kind.ts'
import { findKeptTasks, sumTaskBytes, type TaskOwner } from '#server/tasks/tasks.queries.ts'

const AT_ONCE = 3
const withArticle = (noun: string) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

export async function refuseBeyondQuota(
  db: Kysely<DB>,
  { kind, noun }: AnyTaskKind,
  owner: TaskOwner,
  config: Config,
): Promise<void> {
  const { unfinished, person, account } = await findKeptTasks(db, kind, owner)
  const limits = config.exports
  if (unfinished >= AT_ONCE)
    throw new BusinessRefusal(
      'TOO_MANY_EXPORTS',
      `${AT_ONCE} of your ${noun}s are still being made. Wait for one of them to finish.`,
    )
  if (person.count >= limits.perPerson)
    throw new BusinessRefusal(
      'TOO_MANY_EXPORTS',
      `You already have ${person.count} background ${noun}s. Delete one that you no longer need.`,
    )
  if (account.count >= limits.perAccount)
    throw new BusinessRefusal(
      'TOO_MANY_EXPORTS',
      `This account already has ${account.count} background ${noun}s. Delete one that you no longer need, or try again when older ones have expired.`,
    )
  if (person.bytes >= limits.bytesPerPerson)
    throw new BusinessRefusal(
      'EXPORT_SPACE_USED',
      `Your background ${noun}s take up all the space that you have. Delete one that you no longer need.`,
    )
  if (account.bytes >= limits.bytesPerAccount)
    throw new BusinessRefusal(
      'EXPORT_SPACE_USED',
      `The background ${noun}s of this account take up all the space that it has. Delete one that you no longer need, or try again when older ones have expired.`,
    )
  if (!(await hasRoom(db, config)))
    throw new BusinessRefusal(
      'NO_DISK_SPACE',
      `The portal has too little free disk space for ${withArticle(noun)}. Nothing was started. Please try again later.`,
    )
}

/** Why a task that is writing its file must stop at this size. */
export async function findShortage(
  db: Kysely<DB>,
  { kind }: AnyTaskKind,
  owner: TaskOwner,
  config: Config,
): Promise<TaskFailure | undefined> {
  if (!(await hasRoom(db, config))) return 'no-space'
  const { person, account } = await findKeptTasks(db, kind, owner)
  if (person.bytes > config.exports.bytesPerPerson) return 'person-quota'
  return account.bytes > config.exports.bytesPerAccount ? 'account-quota' : undefined
}

/**
 * Whether the database has room for more files: all of them together have a limit, and the embedded database shows its
 * disk. The disk of a database elsewhere cannot be seen from here.
 */
async function hasRoom(db: Kysely<DB>, config: Config): Promise<boolean> {
  if ((await sumTaskBytes(db)) >= config.exports.bytesInTotal) return false
  return config.databaseUrl !== undefined || (await freeBytes(config)) >= config.exports.minFreeBytes
}

async function freeBytes({ dataDir }: Config): Promise<number> {
  const { bavail, bsize } = await fs.statfs(clusterHome(dataDir))
  return bavail * bsize
}
