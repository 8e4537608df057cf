import type { Kysely } from 'kysely'
import { isLate, type RunKind } from '#domain/upkeep/schedule.ts'
import type { Config } from '#server/config.ts'
import type { DB } from '#server/db/schema.ts'
import { findLastSuccess, listRuns } from '#server/recovery/recovery-runs.queries.ts'

/** The last backup and the last drill for the metrics, whoever has started them. */
export function recoveryFigures({ backup }: Config) {
  const schedules = { backup: backup.at, drill: backup.drillAt }
  const ofEach = async (read: (kind: RunKind) => Promise<number | undefined>) => {
    const figures = []
    for (const kind of ['backup', 'drill'] as const) figures.push({ kind, count: await read(kind) })
    return figures.filter((figure): figure is { kind: RunKind; count: number } => figure.count !== undefined)
  }
  return [
    {
      name: 'portal_recovery_last_success_seconds',
      help: 'When the last backup and the last drill that succeeded began, in seconds since 1970',
      read: (db: Kysely<DB>) =>
        ofEach(async (kind) => {
          const success = await findLastSuccess(db, kind)
          return success && success.begun_at.getTime() / 1000
        }),
    },
    {
      name: 'portal_recovery_late',
      help: '1 where the last success is older than the schedule allows, else 0',
      read: (db: Kysely<DB>, now: Date) =>
        ofEach(async (kind) => {
          const lastSuccess = (await findLastSuccess(db, kind))?.begun_at
          return Number(isLate(kind, schedules[kind], { lastSuccess, now }))
        }),
    },
    {
      name: 'portal_recovery_failed',
      help: '1 where the last run failed, else 0',
      read: (db: Kysely<DB>) =>
        ofEach(async (kind) => {
          const [last] = await listRuns(db, kind, 1)
          return Number(last?.state === 'failed')
        }),
    },
  ]
}
