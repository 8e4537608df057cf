import { queryOptions } from '@tanstack/react-query'
import { MAX_DISTINCT } from '#contract/kit/list.ts'
import type { DataOf } from '#contract/kit/operation.ts'
import { createAlert, editAlert, resolveAlert } from '#contract/messages/alert-authoring.ts'
import {
  activeNotifications,
  countNotifications,
  distinctNotifications,
  getNotification,
  listNotifications,
} from '#contract/messages/notifications.ts'
import type { Fields } from '#domain/filter/fields.ts'
import type { AlertDraft } from '#domain/messages/alert-draft.ts'
import { ask, call } from '#web/lib/api-client.ts'
import type { ListSource } from '#web/ui/grid/list/list-source.ts'

const MINUTE = 60_000

/** The alerts of the banner, asked for again every few minutes; never more often than once a minute. */
export function activeAlertsQuery(refreshMinutes: number) {
  return queryOptions({
    queryKey: ACTIVE_ALERTS,
    queryFn: ({ signal }) => call(activeNotifications, { signal }),
    refetchInterval: Math.max(1, refreshMinutes) * MINUTE,
  })
}

export const ACTIVE_ALERTS = ['alerts', 'active'] as const
/** Everything else that is known of alerts stands under this key: one word makes all of it load again. */
export const ALERT_RECORDS = ['alert-records'] as const

export type AlertRecord = DataOf<typeof getNotification>

const FIELDS = {
  id: { type: 'text' },
  category: { type: 'text' },
  severity: { type: 'number' },
  status: { type: 'text' },
  date: { type: 'instant' },
  expires: { type: 'instant' },
  description: { type: 'text' },
  service: { type: 'text-list' },
} as const satisfies Fields

export const alertSource: ListSource<AlertRecord> = {
  key: [...ALERT_RECORDS, 'list'],
  fields: FIELDS,
  async fetchPage({ filter, sorting, from, limit, signal }) {
    const { data, token } = await ask(listNotifications, {
      body: { filter, sorting: [...sorting], limit, ...from },
      signal,
    })
    return { rows: data as AlertRecord[], token }
  },
  count: ({ filter, signal }) => call(countNotifications, { body: { filter }, signal }),
  distinct: ({ field, filter, signal }) => distinctValues(field, signal, filter),
}

export const alertServicesQuery = queryOptions({
  queryKey: [...ALERT_RECORDS, 'services'],
  queryFn: ({ signal }) => distinctValues('service', signal),
})

async function distinctValues(
  key: string,
  signal: AbortSignal,
  filter?: Parameters<typeof alertSource.distinct>[0]['filter'],
) {
  const body = { key, limit: MAX_DISTINCT, ...(filter ? { filter } : {}) }
  return (await call(distinctNotifications, { body, signal })).map(String)
}

export function alertQuery(id: string) {
  return queryOptions({
    queryKey: [...ALERT_RECORDS, 'one', id],
    queryFn: ({ signal }) => call(getNotification, { params: { id }, signal }),
  })
}

/** A new alert, or a change to one that the author has before them. */
export function saveAlert(draft: AlertDraft, changed: Pick<AlertRecord, 'id' | 'revision'> | undefined) {
  return changed
    ? call(editAlert, { params: { id: changed.id }, body: { ...draft, revision: changed.revision } })
    : call(createAlert, { body: draft })
}

export function endAlert({ id, revision }: Pick<AlertRecord, 'id' | 'revision'>) {
  return call(resolveAlert, { params: { id }, body: { revision } })
}
