import { KEPT_DAYS } from '#domain/webhooks/endpoint.ts'
import { deleteDeliveriesBefore } from '#server/modules/webhooks/deliveries.queries.ts'
import { deleteFailedMessages } from '#server/outbox/outbox.queries.ts'
import { defineJob, type Job } from '#server/tasks/job.ts'

const DAY = 24 * 3_600_000

/** Deletes old deliveries with their attempts, once a day. */
const expireDeliveriesJob = defineJob({
  queue: 'webhook-deliveries',
  cron: '41 3 * * *',
  async run(_data, { db, clock }) {
    const oldest = new Date(clock.now().getTime() - KEPT_DAYS * DAY)
    await db.transaction().execute(async (tx) => deleteFailedMessages(tx, await deleteDeliveriesBefore(tx, oldest)))
  },
})

export const webhooksJobs: readonly Job<never>[] = [expireDeliveriesJob]
