import { create as contentDisposition } from 'content-disposition'
import type { FastifyInstance } from 'fastify'
import { createAlert, editAlert, resolveAlert } from '#contract/messages/alert-authoring.ts'
import { alertList } from '#contract/messages/alert-list.ts'
import { emailList } from '#contract/messages/email-list.ts'
import { deleteEmail, getEmail, getEmailAttachment, getEmailBody, resendEmail } from '#contract/messages/emails.ts'
import { activeNotifications, getNotification, streamNotifications } from '#contract/messages/notifications.ts'
import { HttpError } from '#server/http/http-error.ts'
import { hashOfId } from '#server/identity/principal.queries.ts'
import { signInSessionIdOf } from '#server/identity/sign-in-session.ts'
import { alertSource } from '#server/modules/messages/alert.list.ts'
import {
  createAlert as create,
  editAlert as edit,
  NO_SUCH_ALERT,
  resolveAlert as resolve,
} from '#server/modules/messages/alert-authoring.ts'
import { alertStreams, listBannerAlerts } from '#server/modules/messages/alert-streams.ts'
import { toAlertRecord } from '#server/modules/messages/alerts.mapping.ts'
import { findAlert } from '#server/modules/messages/alerts.queries.ts'
import { emailSource } from '#server/modules/messages/email.list.ts'
import { toBodyPage, toEmail } from '#server/modules/messages/emails.mapping.ts'
import { findAttachment, findEmail, listAttachments } from '#server/modules/messages/emails.queries.ts'
import { NO_SUCH_EMAIL, deleteEmail as remove, resendEmail as resend } from '#server/modules/messages/emails.ts'
import type { Module } from '#server/modules/module.ts'
import type { Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'
import type { Services } from '#server/services.ts'

export const messagesModule: Module = {
  name: 'messages',
  mayUse: ['accounts'],
  isShared: true,
  routes,
}

function routes(route: Route, app: FastifyInstance, services: Services): void {
  emailsRoutes(route)
  alertsRoutes(route, app, services)
}

/**
 * The content security policy of the frame that shows a body: content that the sanitizer missed can neither run nor
 * load anything. Links open in a new tab, outside of the sandbox. `allow-same-origin` lets the portal measure the body;
 * scripts stay forbidden.
 */
const BODY_POLICY =
  "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'"

function emailsRoutes(route: Route): void {
  routeList(route, emailList, {
    source: emailSource,
    scope: ({ standing }) => ({ customerNumber: standing.customerNumber }),
  })
  route(getEmail, async ({ actor, body: { customerNumber, id }, db }) => {
    const email = await findEmail(db, customerNumber, id)
    if (!email) throw new HttpError(404, NO_SUCH_EMAIL)
    return { data: toEmail(actor, email, await listAttachments(db, customerNumber, id)) }
  })
  route(getEmailBody, async ({ query, params, db, reply }) => {
    const email = await findEmail(db, query.customerNumber, params.id)
    if (!email) throw new HttpError(404, NO_SUCH_EMAIL)
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', BODY_POLICY)
      .header('cache-control', 'private, no-store')
      .send(toBodyPage(email))
  })
  route(getEmailAttachment, async ({ query, params, db, reply, audit }) => {
    const attachment = await findAttachment(db, query.customerNumber, params.id, params.position)
    if (!attachment) throw new HttpError(404, 'There is no such attachment')
    const after = { position: params.position, name: attachment.name }
    await audit({ target: params.id, after })
    return reply
      .type(attachment.media_type)
      .header('content-security-policy', "sandbox; default-src 'none'")
      .header('content-disposition', contentDisposition(attachment.name.toWellFormed()))
      .header('cache-control', 'private, no-store')
      .send(attachment.content)
  })
  route(resendEmail, resend)
  route(deleteEmail, remove)
}

function alertsRoutes(route: Route, app: FastifyInstance, services: Services): void {
  const streams = alertStreams(services)
  // Runs before the server waits for open answers: these streams would never end by themselves.
  app.addHook('preClose', () => streams.close())

  route(activeNotifications, async ({ db, now }) => ({ data: await listBannerAlerts(db, now) }))
  route(streamNotifications, async ({ actor, query, request, reply }) => {
    const session = hashOfId(signInSessionIdOf(request, services.config) ?? '')
    const stream = await streams.open(session, actor.email, query.wait)
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
