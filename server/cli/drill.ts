import { formatDuration } from '#domain/upkeep/duration.ts'
import { counted, PASSPHRASE, readPassphrase } from '#server/cli/backup.ts'
import { type Command, type Context, readOptionalArgument, UsageError } from '#server/cli/command.ts'
import { lineOf } from '#server/cli/doctor.ts'
import { onInterrupt } from '#server/cli/interrupt.ts'
import { systemClock } from '#server/doors/clock.ts'
import { DrillError, type Drilled, runDrill } from '#server/recovery/drill.ts'

export const drill: Command = {
  name: 'drill',
  usage: '[<folder>] [--passphrase-file <file>] [--full]',
  summary: 'Restore the newest backup of a folder, by default BACKUP_DIR, into a scratch database and check it there',
  role: 'owner if known',
  async run(words, { config, installation, audit, say, progress }) {
    const { argument, options } = readOptionalArgument(words, { ...PASSPHRASE, full: { type: 'boolean' } })
    const passphrase = (await readPassphrase(options['passphrase-file'])) ?? config.backup.passphrase
    const folder = argument ?? config.backup.folder
    if (folder === undefined) throw new UsageError('<folder> is missing, and BACKUP_DIR is not set')
    const interrupted = new AbortController()
    const settle = onInterrupt(() =>
      interrupted.abort(new Error('The drill was interrupted. Its scratch database is gone.')),
    )
    try {
      const { db, pool } = installation
      const isFull = options.full ?? false
      const { signal } = interrupted
      print(
        await runDrill(folder, { db, pool, config, clock: systemClock, audit, passphrase, isFull, progress, signal }),
        say,
      )
    } catch (error) {
      if (error instanceof DrillError) print(error.drilled, say)
      throw error
    } finally {
      settle()
    }
  },
}

function print(drilled: Drilled, say: Context['say']): void {
  const { file, asOf, newestEntryAt, recoveryPoint, recoveryTime, rows, migrated } = drilled
  say(`Restored ${file}: ${counted(rows, 'row')}, everything as of ${asOf.toISOString()}`)
  if (migrated > 0) say(`Migrated the restored database: ${counted(migrated, 'step')}`)
  for (const finding of drilled.findings) say(lineOf(finding))
  const newest = newestEntryAt ? `, newest audit entry ${newestEntryAt.toISOString()}` : ''
  say(`RPO ${formatDuration(recoveryPoint)}: what was saved later would be lost${newest}`)
  say(`RTO ${formatDuration(recoveryTime)}: restored, migrated and checked`)
}
