import type { FastifyInstance } from 'fastify'
import { alertsRoutes } from '#server/modules/messages/alerts.routes.ts'
import { emailsRoutes } from '#server/modules/messages/emails.routes.ts'
import type { Route } from '#server/operations/route.ts'
import type { Services } from '#server/services.ts'

export function messagesRoutes(route: Route, app: FastifyInstance, services: Services): void {
  emailsRoutes(route)
  alertsRoutes(route, app, services)
}
