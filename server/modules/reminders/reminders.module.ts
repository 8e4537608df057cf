import type { FastifyInstance } from 'fastify'
import {
  createCalendarFeed,
  getReminders,
  listCalendarFeeds,
  revokeCalendarFeed,
  setReminders as setRemindersOperation,
} from '#contract/reminders/reminders.ts'
import { listContacts } from '#server/modules/accounts/accounts.public.ts'
import type { Module } from '#server/modules/module.ts'
import { listFeeds } from '#server/modules/reminders/calendar-feeds.queries.ts'
import { createFeed, revoke, serveCalendars } from '#server/modules/reminders/calendar-feeds.ts'
import { checkReminders } from '#server/modules/reminders/check-reminders.ts'
import { notifyWebhooks, REMINDED_EVENTS } from '#server/modules/reminders/notify-webhooks.ts'
import { listRemindedAccounts, listSent } from '#server/modules/reminders/reminders.queries.ts'
import { loadSavedReminders, setReminders } from '#server/modules/reminders/set-reminders.ts'
import { listSubscribedAccounts } from '#server/modules/webhooks/webhooks.public.ts'
import type { Route } from '#server/operations/route.ts'
import type { Services } from '#server/services.ts'
import { defineJob } from '#server/tasks/job.ts'
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
      (customerNumber) => notifyWebhooks(services, customerNumber),
    )
  },
})

export const remindersModule: Module = {
  name: 'reminders',
  mayUse: ['accounts', 'entitlements', 'elastic', 'fsa', 'license-use'],
  jobs: [remindersJob, webhookRemindersJob],
  routes,
}

function routes(route: Route, app: FastifyInstance, services: Services): void {
  route(getReminders, async ({ db, standing: { customerNumber } }) => ({
    data: {
      reminders: await loadSavedReminders(db, customerNumber),
      contacts: (await listContacts(db, customerNumber)).map(({ email }) => email),
      sent: await listSent(db, customerNumber),
    },
  }))
  route(setRemindersOperation, setReminders)
  route(listCalendarFeeds, async ({ db, standing }) => ({ data: await listFeeds(db, standing.customerNumber) }))
  route(createCalendarFeed, createFeed)
  route(revokeCalendarFeed, revoke)
  serveCalendars(app, services)
}
