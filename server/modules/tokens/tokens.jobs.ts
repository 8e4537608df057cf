import { warnOfExpiry } from '#server/modules/tokens/warn-of-expiry.ts'
import { defineJob, type Job } from '#server/tasks/job.ts'

const tokenExpiryJob = defineJob({
  queue: 'token-expiry',
  cron: '7 * * * *',
  run: (_data, services, { signal }) => warnOfExpiry(services, signal),
})

export const tokensJobs: readonly Job<never>[] = [tokenExpiryJob]
