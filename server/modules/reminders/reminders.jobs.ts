import { checkReminders } from '#server/modules/reminders/check-reminders.ts'
import { listRemindedAccounts } from '#server/modules/reminders/reminders.queries.ts'
import { REMINDED_EVENTS, tellWebhooks } from '#server/modules/reminders/tell-webhooks.ts'
import { listSubscribedAccounts } from '#server/modules/webhooks/webhooks.public.ts'
import { defineJob, type Job } from '#server/tasks/job.ts'
import { ofAccounts, tryEach } from '#server/tasks/try-each.ts'

/** The next run notices a crossed threshold, within five minutes. */
const remindersJob = defineJob({
  queue: 'reminders',
  cron: '*/5 * * * *',
  async run(_data, services, { signal }) {
    await tryEach(
      await listRemindedAccounts(services.db),
      { ...ofAccounts, complaint: 'reminders could not be mailed', signal },
      (customerNumber) => checkReminders(services, customerNumber),
    )
  },
})

const webhookRemindersJob = defineJob({
  queue: 'webhook-reminders',
  cron: '*/5 * * * *',
  async run(_data, services, { signal }) {
    await tryEach(
      await listSubscribedAccounts(services.db, REMINDED_EVENTS),
      { ...ofAccounts, complaint: 'webhooks could not be reminded', signal },
      (customerNumber) => tellWebhooks(services, customerNumber),
    )
  },
})

export const remindersJobs: readonly Job<never>[] = [remindersJob, webhookRemindersJob]
