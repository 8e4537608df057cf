import { sql } from 'kysely'
import { ALERT_CATEGORIES } from '#domain/messages/alerts.ts'
import { defineList } from '#server/lists/list-source.ts'

const CATEGORIES_IN_ORDER = ALERT_CATEGORIES.map((category) => `'${category}'`).join(', ')

/** All alerts, the newest first. They are the same for everybody who is signed in. */
export const alertList = defineList({
  name: 'alerts',
  fields: {
    id: { type: 'text', column: 'a.id::text', nullable: false },
    category: { type: 'text', column: 'a.category', nullable: false },
    severity: {
      type: 'number',
      column: `array_position(array[${CATEGORIES_IN_ORDER}], a.category) - 1`,
      nullable: false,
    },
    status: { type: 'text', column: 'a.status', nullable: false },
    date: { type: 'instant', column: 'a.starts_at', nullable: false },
    expires: { type: 'instant', column: 'a.expires_at' },
    description: { type: 'text', column: 'a.description', nullable: false },
    service: { type: 'text-list', column: 'a.services', nullable: false },
    links: { type: 'json', column: 'a.links', nullable: false },
    revision: { type: 'number', column: 'a.revision', nullable: false },
  },
  key: ['id'],
  defaultSort: [{ name: 'date', direction: 'desc' }],
  from: sql`alert a`,
  scope: () => sql<boolean>`true`,
})
