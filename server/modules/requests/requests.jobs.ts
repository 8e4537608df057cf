import { expireRequests } from '#server/modules/requests/expire-requests.ts'
import { defineJob, type Job } from '#server/tasks/job.ts'

const expireRequestsJob = defineJob({
  queue: 'requests-expire',
  cron: '*/5 * * * *',
  run: (_data, services, { signal }) => expireRequests(services, signal),
})

export const requestsJobs: readonly Job<never>[] = [expireRequestsJob]
