import path from 'node:path'
import { toCron } from '#domain/upkeep/schedule.ts'
import type { AuditContext } from '#server/audit/audit.queries.ts'
import type { Config } from '#server/config.ts'
import { contextOfPortal } from '#server/identity/principal.ts'
import { backupName, deleteOldBackups } from '#server/recovery/backup-folder.ts'
import { runDrill } from '#server/recovery/drill.ts'
import { makeBackup } from '#server/recovery/make-backup.ts'
import type { Services } from '#server/services.ts'
import { defineJob, type Job } from '#server/tasks/job.ts'

/** Another process takes over from one that dies. A failure is tried again twice; each try is kept as a run. */
const OPTIONS = { retryLimit: 2, retryDelay: 300, expireInSeconds: 12 * 3600, heartbeatSeconds: 60 }

/** Backups and drills at the times of the settings, once across all processes. */
export function recoveryJobs({ backup }: Config): readonly Job<never>[] {
  const { folder, at, drillAt } = backup
  return [
    defineJob({
      queue: 'recovery-backup',
      options: OPTIONS,
      cron: at ? toCron(at) : null,
      async run(_data, services, { signal }) {
        if (folder === undefined) return
        const { clock, config } = services
        const { passphrase, keepDays } = config.backup
        const now = clock.now()
        const parts = { ...services, audit: byTheClock(services), passphrase, signal }
        await makeBackup(path.join(folder, backupName(now)), parts)
        await deleteOldBackups(folder, keepDays, now)
      },
    }),
    defineJob({
      queue: 'recovery-drill',
      options: OPTIONS,
      cron: drillAt ? toCron(drillAt) : null,
      async run(_data, services, { signal }) {
        if (folder === undefined) return
        const { passphrase } = services.config.backup
        await runDrill(folder, { ...services, audit: byTheClock(services), passphrase, signal })
      },
    }),
  ]
}

const byTheClock = ({ clock }: Services): AuditContext => contextOfPortal(clock.now())
