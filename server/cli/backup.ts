import fs from 'node:fs/promises'
import path from 'node:path'
import { writeAudit } from '#server/audit/audit.queries.ts'
import { BackupError, type BackupHeader } from '#server/backup/backup-format.ts'
import { checkBackup } from '#server/backup/backup-reader.ts'
import { restoreBackup } from '#server/backup/restore-backup.ts'
import { type Command, readArguments, readOptionalArgument, UsageError } from '#server/cli/command.ts'
import { listWrappings } from '#server/db/secrets.queries.ts'
import { systemClock } from '#server/doors/clock.ts'
import { backupName, deleteOldBackups } from '#server/recovery/backup-folder.ts'
import { makeBackup } from '#server/recovery/make-backup.ts'
import { deleteUnfinishedRuns } from '#server/recovery/recovery-runs.queries.ts'
import { isSharded } from '#server/scale-out/shard.queries.ts'

export const PASSPHRASE = { 'passphrase-file': { type: 'string' } } as const
const SHORTEST_PASSPHRASE = 12

export const backup: Command = {
  name: 'backup',
  usage: '[<file>] [--passphrase-file <file>]',
  summary: 'Write everything in the database to one file, by default in BACKUP_DIR, also while the portal runs',
  keepsVersion: true,
  role: 'owner if known',
  async run(words, { config, installation, audit, say, progress }) {
    const { argument, options } = readOptionalArgument(words, PASSPHRASE)
    const passphrase = (await readPassphrase(options['passphrase-file'])) ?? config.backup.passphrase
    const { folder, keepDays } = config.backup
    const now = systemClock.now()
    const file = argument ?? (folder && path.join(folder, backupName(now)))
    if (file === undefined) throw new UsageError('<file> is missing, and BACKUP_DIR is not set')
    if (await exists(file)) throw new UsageError(`${file} exists already`)
    const parts = { db: installation.db, clock: systemClock, audit, passphrase, progress }
    const { header, rows, bytes } = await makeBackup(file, parts)
    say(`${file}: ${counted(header.tables.length, 'table')}, ${counted(rows, 'row')}, ${megabytes(bytes)}`)
    const [wrapping] = await listWrappings(installation.db)
    if (wrapping?.keyId)
      say(`License signing and PINs open only with the installation key ${wrapping.keyId}, which is not in the backup.`)
    say(
      passphrase === undefined
        ? `Keep it as safe as the database: it holds personal data${wrapping?.keyId ? '.' : ' and the keys of this installation (license signing, PINs).'}`
        : 'It opens only with the passphrase. Keep that too: nobody can restore the backup without it.',
    )
    if (argument !== undefined || folder === undefined) return
    const deleted = await deleteOldBackups(folder, keepDays, now)
    if (deleted > 0) say(`Deleted ${counted(deleted, 'backup')} older than ${counted(keepDays, 'day')}`)
  },
}

export const restore: Command = {
  name: 'restore',
  usage: '<file> [--passphrase-file <file>] [--replace <database>] [--check]',
  summary: 'Fill an empty database from a backup; --check only reads the file, --replace deletes what is there',
  keepsVersion: true,
  role: 'owner',
  async run(words, { config, installation, audit, say, progress }) {
    const { file, options } = readArguments(words, ['file'], {
      ...PASSPHRASE,
      replace: { type: 'string' },
      check: { type: 'boolean' },
    })
    const passphrase = (await readPassphrase(options['passphrase-file'])) ?? config.backup.passphrase
    if (!(await exists(file))) throw new UsageError(`${file} does not exist`)
    if (options.check) {
      say(`${file} is complete: ${await checkedText(file, passphrase)}`)
      return
    }
    const wasSharded = await isSharded(installation.db)
    const { header, tables, rows, migrated } = await restoreBackup(installation.db, file, {
      passphrase,
      replace: options.replace,
      progress,
      async finally(tx, { createdAt }) {
        await deleteUnfinishedRuns(tx)
        await writeAudit(tx, audit, { action: 'restore', after: { createdAt } })
      },
    }).catch((error: unknown) => {
      throw error instanceof BackupError ? error : new BackupError(`Nothing was changed: ${(error as Error).message}`)
    })
    await installation.complete()
    say(`Restored ${counted(tables, 'table')}, ${counted(rows, 'row')}: everything as of ${header.createdAt}`)
    if (migrated.length > 0) say(`Migrated the database: ${migrated.length} steps`)
    if (wasSharded) say('All tables are on the coordinator now. Run "shard" again before you start the portal.')
    say('Everybody has to sign in again. Files of background exports are not in a backup: request them again.')
  },
}

async function checkedText(file: string, passphrase: string | undefined): Promise<string> {
  const { header, tables, rows } = await checkBackup(file, passphrase)
  return `${counted(tables, 'table')}, ${counted(rows, 'row')}, made ${header.createdAt} ${versionText(header)}`
}

const versionText = ({ portalVersion, migrations }: BackupHeader) =>
  `by version ${portalVersion} (migration ${migrations.at(-1)?.name.slice(0, 4)})`

export async function readPassphrase(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const text = await fs.readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(`--passphrase-file cannot be read: ${error.message}`)
  })
  const [line = ''] = text.split(/\r?\n/)
  if (line.length < SHORTEST_PASSPHRASE)
    throw new UsageError(`The first line of ${file} must be a passphrase of ${SHORTEST_PASSPHRASE} characters or more`)
  return line
}

const exists = (file: string) =>
  fs.access(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
export const counted = (count: number, noun: string) =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`
