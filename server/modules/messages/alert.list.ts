import { sql } from 'kysely'
import { alertList } from '#contract/messages/alert-list.ts'
import { ALERT_CATEGORIES } from '#domain/messages/alerts.ts'
import { listSource } from '#server/lists/list-source.ts'

const CATEGORIES_IN_ORDER = ALERT_CATEGORIES.map((category) => `'${category}'`).join(', ')

/** All alerts: they are the same for everybody who is signed in. */
export const alertSource = listSource(alertList, {
  columns: {
    id: 'a.id::text',
    category: 'a.category',
    severity: `array_position(array[${CATEGORIES_IN_ORDER}], a.category) - 1`,
    status: 'a.status',
    date: 'a.starts_at',
    expires: 'a.expires_at',
    description: 'a.description',
    service: 'a.services',
    links: 'a.links',
    revision: 'a.revision',
  },
  from: sql`alert a`,
  scope: () => sql<boolean>`true`,
})
