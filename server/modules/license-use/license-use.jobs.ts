import { ensureMonths, listUnsummedHosts } from '#server/modules/license-use/log.queries.ts'
import { sumUnsummed } from '#server/modules/license-use/read-log-part.ts'
import { pseudonymsJob } from '#server/modules/license-use/save-settings.ts'
import {
  deleteEventsBefore,
  deletePartsBefore,
  listReportingAccounts,
} from '#server/modules/license-use/settings.queries.ts'
import { logUploadTask } from '#server/modules/license-use/upload-log.ts'
import { deleteUploadsBefore } from '#server/modules/license-use/uploads.queries.ts'
import { defineJob, type Job } from '#server/tasks/job.ts'
import type { AnyTaskKind } from '#server/tasks/task-kind.ts'

const DAY = 24 * 60 * 60_000
const PARTS_KEPT = 7 * DAY
const UPLOADS_KEPT = 2 * DAY

/** This month and the next, so that a report rarely has to make its own. */
function monthsAround(now: Date): string[] {
  return [0, 1].map((offset) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString().slice(0, 10),
  )
}

const partitionsJob = defineJob({
  queue: 'license-use-partitions',
  cron: '43 2 * * *',
  async atStart({ clock, db }) {
    await ensureMonths(db, monthsAround(clock.now()))
  },
  async run(_data, { clock, db }) {
    await ensureMonths(db, monthsAround(clock.now()))
  },
})

/** Sums stay: only single events are removed. Sums that an upload has left, which never went on, are made before. */
const oldEventsJob = defineJob({
  queue: 'license-use-old-events',
  cron: '19 3 * * *',
  async run(_data, { clock, db }, { signal }) {
    const before = (age: number) => new Date(clock.now().getTime() - age)
    for (const { customerNumber, keptDays } of await listReportingAccounts(db)) {
      if (signal.aborted) return
      for (const hostId of await listUnsummedHosts(db, customerNumber, before(UPLOADS_KEPT)))
        await sumUnsummed(db, { customerNumber, hostId }, clock.now())
      await deleteEventsBefore(db, customerNumber, before(keptDays * DAY))
      await deletePartsBefore(db, customerNumber, before(PARTS_KEPT))
      await deleteUploadsBefore(db, customerNumber, before(UPLOADS_KEPT))
    }
  },
})

export const licenseUseJobs: readonly Job<never>[] = [partitionsJob, oldEventsJob, pseudonymsJob]
export const licenseUseTasks: readonly AnyTaskKind[] = [logUploadTask]
