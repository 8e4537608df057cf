import { activeNotifications } from '#contract/messages/notifications.ts'
import { isInBanner } from '#domain/messages/alerts.ts'
import { toAlert } from '#server/modules/messages/alerts.mapping.ts'
import { activeAlerts } from '#server/modules/messages/alerts.queries.ts'
import type { Route } from '#server/plugins/route.ts'

export function messagesRoutes(route: Route): void {
  route(activeNotifications, async ({ db, now }) => {
    const alerts = (await activeAlerts(db)).map(toAlert)
    return { data: alerts.filter((alert) => isInBanner(alert, now)) }
  })
}
