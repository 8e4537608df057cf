import { isResolved } from '#domain/messages/alerts.ts'
import { alertTime } from '#web/lib/dates.ts'
import { PortalLink } from '#web/lib/portal-link.tsx'
import type { AlertRecord } from '#web/modules/messages/alerts.api.ts'
import { CategoryMark } from '#web/modules/messages/category-mark.tsx'
import { CONTAINS_OR_EQUALS, type Column } from '#web/ui/grid/model/column.ts'
import classes from './alerts.module.css'

/** What is resolved but still has time to run does not count as resolved yet, and so says why. */
export function statusText(alert: Pick<AlertRecord, 'status' | 'expires'>): string {
  if (alert.status === 'ACTIVE') return 'Active'
  return isResolved(alert, new Date()) ? 'Resolved' : 'Resolved, not expired'
}

/** The list's columns as they are drawn: all but the description are filtered above the table. */
export const ALERT_COLUMNS: readonly Column<AlertRecord>[] = [
  { id: 'date', header: 'Date', width: 160, text: (row) => alertTime(row.date) },
  {
    id: 'category',
    field: 'severity',
    header: 'Category',
    width: 192,
    text: (row) => row.category,
    cell: (row) => (
      <PortalLink to={`/notifications-category/${row.category}`} className={classes.categoryLink}>
        <CategoryMark category={row.category} />
      </PortalLink>
    ),
  },
  { id: 'service', header: 'Services', width: 130, isSortable: false, text: (row) => row.service.join(', ') },
  {
    id: 'description',
    header: 'Description',
    width: 170,
    filter: { kind: 'text', methods: CONTAINS_OR_EQUALS },
    text: (row) => row.description,
    cell: (row) => (
      <PortalLink to={`/notification-details/${row.id}`} className={classes.descriptionLink} title={row.description}>
        {row.description}
      </PortalLink>
    ),
  },
  { id: 'status', header: 'Status', width: 110, text: statusText },
  { id: 'expires', header: 'Expires', width: 164, text: (row) => (row.expires ? alertTime(row.expires) : '') },
]

const values = { kind: 'text', methods: CONTAINS_OR_EQUALS, hasValues: true } as const

/** The same columns with everything that they can be filtered by: this is what saved views are read against. */
export const FILTERED_ALERT_COLUMNS: readonly Column<AlertRecord>[] = ALERT_COLUMNS.map((column) => {
  if (column.id === 'date') return { ...column, filter: { kind: 'time' } }
  return ['category', 'status', 'service'].includes(column.id) ? { ...column, filter: values } : column
})
