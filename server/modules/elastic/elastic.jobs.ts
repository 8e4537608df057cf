import { deleteRightAddressesBefore } from '#server/modules/elastic/credentials/pin-failures.queries.ts'
import { checkAllLimits } from '#server/modules/elastic/limits/check-limits.ts'
import { deleteToldBefore } from '#server/modules/elastic/limits/limits-told.queries.ts'
import { deleteDenialsBefore } from '#server/modules/elastic/sessions/denials.queries.ts'
import { closeSilentSessions } from '#server/modules/elastic/sessions/keep-session.ts'
import { deleteUnknownServerFailuresBefore } from '#server/modules/elastic/sessions/unknown-servers.queries.ts'
import { mailDueStatements } from '#server/modules/elastic/statements/mail-due-statements.ts'
import { usageExportTask, usageReportTask } from '#server/modules/elastic/usage/usage-export.task.ts'
import { analyzeUsage, ensureMonths } from '#server/modules/elastic/usage/usage-partitions.queries.ts'
import { defineJob, type Job } from '#server/tasks/job.ts'
import type { AnyTaskKind } from '#server/tasks/task-kind.ts'

const MONTHS_AHEAD = 3

/** From last month, into which late usage still arrives, to some months ahead, in case a clock runs fast. */
export function partitionsAround(now: Date): { from: Date; to: Date } {
  const month = (offset: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1))
  return { from: month(-1), to: month(MONTHS_AHEAD) }
}

/** Usage of a month without a partition would be refused, so partitions are created long before. */
const usagePartitionsJob = defineJob({
  queue: 'usage-partitions',
  cron: '41 2 * * *',
  async atStart({ clock, db }) {
    await ensureMonths(db, partitionsAround(clock.now()))
  },
  async run(_data, { clock, db }) {
    await ensureMonths(db, partitionsAround(clock.now()))
    await analyzeUsage(db)
  },
})

/** A session ends at the same instant whenever this job runs; only the time when its end appears differs. */
const silentSessionsJob = defineJob({
  queue: 'elastic-silent-sessions',
  cron: '* * * * *',
  async run(_data, services) {
    await closeSilentSessions(services)
  },
})

/** Mails and events about limits; starts are refused without it. */
const limitsJob = defineJob({
  queue: 'elastic-limits',
  cron: '* * * * *',
  async run(_data, services) {
    await checkAllLimits(services)
  },
})

/** Runs all day, because 6 in the morning comes at another time in each time zone. */
const dueStatementsJob = defineJob({
  queue: 'elastic-due-statements',
  cron: '*/5 * * * *',
  async run(_data, services) {
    await mailDueStatements(services)
  },
})

const DAY = 24 * 60 * 60 * 1000
const DENIALS_KEPT = 365 * DAY
/** An address that sent the right PIN longer ago may belong to somebody else by now. */
const RIGHT_ADDRESSES_KEPT = 365 * DAY

/** A limit "in all" is told once for as long as anybody remembers it. */
const TOLD_KEPT = 10 * 365 * DAY

const oldDenialsJob = defineJob({
  queue: 'elastic-old-denials',
  cron: '27 3 * * *',
  async run(_data, { clock, db }) {
    const before = (age: number) => new Date(clock.now().getTime() - age)
    await deleteDenialsBefore(db, before(DENIALS_KEPT))
    await deleteRightAddressesBefore(db, before(RIGHT_ADDRESSES_KEPT))
    await deleteUnknownServerFailuresBefore(db, before(DAY))
    await deleteToldBefore(db, before(TOLD_KEPT))
  },
})

export const elasticJobs: readonly Job<never>[] = [
  usagePartitionsJob,
  silentSessionsJob,
  limitsJob,
  dueStatementsJob,
  oldDenialsJob,
]
export const elasticTasks: readonly AnyTaskKind[] = [usageExportTask, usageReportTask]
