import { checkReminders } from '#server/modules/reminders/check-reminders.ts'
import { listRemindedAccounts } from '#server/modules/reminders/reminders.queries.ts'
import { REMINDED_EVENTS, tellWebhooks } from '#server/modules/reminders/tell-webhooks.ts'
import { listSubscribedAccounts } from '#server/modules/webhooks/webhooks.public.ts'
import { defineJob, type Job } from '#server/tasks/job.ts'

/** The next run notices a crossed threshold, within five minutes. */
const remindersJob = defineJob({
  queue: 'reminders',
  cron: '*/5 * * * *',
  async run(_data, services, { signal }) {
    for (const customerNumber of await listRemindedAccounts(services.db)) {
      if (signal.aborted) return
      await checkReminders(services, customerNumber)
    }
  },
})

const webhookRemindersJob = defineJob({
  queue: 'webhook-reminders',
  cron: '*/5 * * * *',
  async run(_data, services, { signal }) {
    for (const customerNumber of await listSubscribedAccounts(services.db, REMINDED_EVENTS)) {
      if (signal.aborted) return
      await tellWebhooks(services, customerNumber)
    }
  },
})

export const remindersJobs: readonly Job<never>[] = [remindersJob, webhookRemindersJob]
