import { defineJob } from '#server/jobs/job.ts'
import { expireUsageExport, exportsPastTheirTime } from '#server/modules/elastic/usage-export.queries.ts'
import { removeExportFiles } from '#server/modules/elastic/usage-export-file.ts'

/** Files of background exports go when their time is over; that there was an export stays in the list. */
export const expireUsageExportsJob = defineJob({
  queue: 'usage-exports-expire',
  cron: '17 * * * *',
  async run(_data, { clock, config, db }) {
    for (const { customer_number: customerNumber, id } of await exportsPastTheirTime(db, clock.now())) {
      await removeExportFiles(config, id)
      await expireUsageExport(db, { customerNumber, id })
    }
  },
})
