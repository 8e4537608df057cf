import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { alertList } from '#contract/messages/alert-list.ts'
import type { AlertDraft } from '#domain/messages/alert-draft.ts'
import type { Alert } from '#domain/messages/alerts.ts'
import { call, type Data } from '#web/lib/api/api-client.ts'
import { sourceOf } from '#web/table/list/declared-list.ts'

const MINUTE = 60_000

/** The alerts of the banner, refreshed every few minutes, at most once a minute. */
export function activeAlertsQuery(refreshMinutes: number) {
  return queryOptions({
    queryKey: ACTIVE_ALERTS,
    queryFn: ({ signal }) => call('notifications/active', { signal }),
    refetchInterval: Math.max(1, refreshMinutes) * MINUTE,
  })
}

const ACTIVE_ALERTS = ['alerts', 'active'] as const
/** The query keys of lists, services and single alerts begin with this. */
const ALERT_RECORDS = ['alert-records'] as const

export function showActiveAlerts(queries: QueryClient, alerts: Alert[]): void {
  queries.setQueryData(ACTIVE_ALERTS, alerts)
}

/** Reloads lists, services and single alerts that are on screen. */
export function reloadAlerts(queries: QueryClient, options: { cancelRefetch?: boolean } = {}): void {
  void queries.invalidateQueries({ queryKey: ALERT_RECORDS }, options)
}

export type AlertRecord = Data<'notifications/one'>

export const alertSource = sourceOf(alertList, {}, { key: [...ALERT_RECORDS, 'list'] })

export const alertServicesQuery = queryOptions({
  queryKey: [...ALERT_RECORDS, 'services'],
  queryFn: async ({ signal }) =>
    (await call('notifications/distinct', { body: { key: 'service' }, signal })).map(String),
})

export function alertQuery(id: string) {
  return queryOptions({
    queryKey: [...ALERT_RECORDS, 'one', id],
    queryFn: ({ signal }) => call('notifications/one', { params: { id }, signal }),
  })
}

type Revision = Pick<AlertRecord, 'id' | 'revision'>

/** Creates an alert, or changes one. */
export function saveAlert(draft: AlertDraft, changed: Revision | undefined, idempotencyKey: string) {
  return changed
    ? call('alerts/edit', {
        params: { id: changed.id },
        body: { ...draft, revision: changed.revision },
        idempotencyKey,
      })
    : call('alerts/create', { body: draft, idempotencyKey })
}

export function endAlert({ id, revision }: Revision, idempotencyKey: string) {
  return call('alerts/resolve', { params: { id }, body: { revision }, idempotencyKey })
}
