import { closeSilentCheckouts } from '#server/modules/web-licenses/keep-checkout.ts'
import { deleteWebDenialsBefore } from '#server/modules/web-licenses/web-denials.queries.ts'
import { defineJob, type Job } from '#server/tasks/job.ts'

/** A checkout ends at the same instant whenever this job runs; only the time when its end appears differs. */
const silentCheckoutsJob = defineJob({
  queue: 'web-silent-checkouts',
  cron: '* * * * *',
  async run(_data, services) {
    await closeSilentCheckouts(services)
  },
})

/** Longer than the longest report. */
const DENIALS_KEPT = 2 * 366 * 24 * 60 * 60 * 1000

const oldDenialsJob = defineJob({
  queue: 'web-old-denials',
  cron: '32 3 * * *',
  async run(_data, { clock, db }) {
    await deleteWebDenialsBefore(db, new Date(clock.now().getTime() - DENIALS_KEPT))
  },
})

export const webLicensesJobs: readonly Job<never>[] = [silentCheckoutsJob, oldDenialsJob]
