import type { FastifyInstance } from 'fastify'
import { createAlert, editAlert, resolveAlert } from '#contract/messages/alert-authoring.ts'
import { alertList } from '#contract/messages/alert-list.ts'
import { activeNotifications, getNotification, streamNotifications } from '#contract/messages/notifications.ts'
import { HttpError } from '#server/http/http-error.ts'
import { alertSource } from '#server/modules/messages/alert.list.ts'
import { alertStreams } from '#server/modules/messages/alert-streams.ts'
import { toAlertRecord } from '#server/modules/messages/alerts.mapping.ts'
import { findAlert } from '#server/modules/messages/alerts.queries.ts'
import { listBannerAlerts } from '#server/modules/messages/banner-alerts.ts'
import { createAlert as create } from '#server/modules/messages/create-alert.ts'
import { editAlert as edit, NO_SUCH_ALERT } from '#server/modules/messages/edit-alert.ts'
import { resolveAlert as resolve } from '#server/modules/messages/resolve-alert.ts'
import type { Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'
import type { Services } from '#server/services.ts'
import { hashOfId } from '#server/session/principal.queries.ts'
import { sessionIdOf } from '#server/session/session.ts'

export function alertsRoutes(route: Route, app: FastifyInstance, services: Services): void {
  const streams = alertStreams(services)
  // Before the server waits for open answers to finish: these never would.
  app.addHook('preClose', () => streams.close())

  route(activeNotifications, async ({ db, now }) => ({ data: await listBannerAlerts(db, now) }))
  route(streamNotifications, async ({ query, request, reply }) => {
    const session = hashOfId(sessionIdOf(request, services.config) ?? '')
    const stream = await streams.open(session, query.wait)
    return reply
      .type('text/event-stream; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .send(stream)
  })
  routeList(route, alertList, { source: alertSource, scope: () => ({}) })
  route(getNotification, async ({ params, db }) => {
    const alert = await findAlert(db, params.id)
    if (!alert) throw new HttpError(404, NO_SUCH_ALERT)
    return { data: toAlertRecord(alert) }
  })
  route(createAlert, create)
  route(editAlert, edit)
  route(resolveAlert, resolve)
}
