import type { Kysely } from 'kysely'
import type { ExportFailure } from '#domain/elastic/usage-export.ts'
import type { Config } from '#server/config.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { type ExportOwner, findKeptExports } from '#server/modules/elastic/usage-export.queries.ts'
import { hasFreeSpace } from '#server/modules/elastic/usage-export-file.ts'

const AT_ONCE = 3

export async function refuseBeyondQuota(db: Kysely<DB>, owner: ExportOwner, config: Config): Promise<void> {
  const { unfinished, person, account } = await findKeptExports(db, owner)
  const limits = config.exports
  if (unfinished >= AT_ONCE)
    throw new BusinessRefusal(
      'TOO_MANY_EXPORTS',
      `${AT_ONCE} of your exports are still being made. Wait for one of them to finish.`,
    )
  if (person.count >= limits.perPerson)
    throw new BusinessRefusal(
      'TOO_MANY_EXPORTS',
      `You already have ${person.count} background exports. Delete one that you no longer need.`,
    )
  if (account.count >= limits.perAccount)
    throw new BusinessRefusal(
      'TOO_MANY_EXPORTS',
      `This account already has ${account.count} background exports. Delete one that you no longer need, or try again when older ones have expired.`,
    )
  if (person.bytes >= limits.bytesPerPerson)
    throw new BusinessRefusal(
      'EXPORT_SPACE_USED',
      'Your background exports take up all the space that you have. Delete one that you no longer need.',
    )
  if (account.bytes >= limits.bytesPerAccount)
    throw new BusinessRefusal(
      'EXPORT_SPACE_USED',
      'The background exports of this account take up all the space that it has. Delete one that you no longer need, or try again when older ones have expired.',
    )
  if (!(await hasFreeSpace(config)))
    throw new BusinessRefusal(
      'NO_DISK_SPACE',
      'The portal has too little free disk space for an export. Nothing was started. Please try again later.',
    )
}

/** Why an export that is being written cannot go on, as far as it has come. */
export async function findShortage(
  db: Kysely<DB>,
  owner: ExportOwner,
  config: Config,
): Promise<ExportFailure | undefined> {
  if (!(await hasFreeSpace(config))) return 'no-space'
  const { person, account } = await findKeptExports(db, owner)
  if (person.bytes > config.exports.bytesPerPerson) return 'person-quota'
  return account.bytes > config.exports.bytesPerAccount ? 'account-quota' : undefined
}
