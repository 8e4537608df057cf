import type { FastifyInstance } from 'fastify'
import {
  createCalendarFeed,
  getReminders,
  listCalendarFeeds,
  revokeCalendarFeed,
  setReminders as setRemindersOperation,
} from '#contract/reminders/reminders.ts'
import { listContacts } from '#server/modules/accounts/accounts.public.ts'
import { listFeeds } from '#server/modules/reminders/calendar-feeds.queries.ts'
import { createFeed, revoke, serveCalendars } from '#server/modules/reminders/calendar-feeds.ts'
import { listSent } from '#server/modules/reminders/reminders.queries.ts'
import { loadSavedReminders, setReminders } from '#server/modules/reminders/set-reminders.ts'
import type { Route } from '#server/operations/route.ts'
import type { Services } from '#server/services.ts'

export function remindersRoutes(route: Route, app: FastifyInstance, services: Services): void {
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
