import { Badge } from '@mantine/core'
import { ALERT_LABELS, isExpired } from '#domain/messages/alerts.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { minuteText } from '#web/lib/format.ts'
import { serverTime } from '#web/lib/server-time.ts'
import type { AlertRecord } from '#web/modules/messages/alerts.api.ts'
import { CategoryMark } from '#web/modules/messages/category-mark.tsx'
import { type Column, VALUES } from '#web/table/columns/column.ts'
import { textColumn, timeColumn } from '#web/table/columns/column-kinds.ts'
import { FirstOf } from '#web/ui/first-of.tsx'
import classes from './alerts.module.css'

function statusText(alert: Pick<AlertRecord, 'status' | 'expires'>): string {
  if (alert.status !== 'ACTIVE') return 'Resolved'
  return isExpired(alert, serverTime()) ? 'Active, expired' : 'Active'
}

/** The status in words; a resolved alert has a badge. */
export function AlertStatusMark({ alert }: { alert: Pick<AlertRecord, 'status' | 'expires'> }) {
  if (alert.status === 'ACTIVE') return statusText(alert)
  return (
    <Badge variant="default" className={classes.resolved}>
      {statusText(alert)}
    </Badge>
  )
}

/** Columns that are filtered by the controls above the table. */
const ABOVE = { filter: VALUES, isFilteredAbove: true } as const

export const ALERT_COLUMNS: readonly Column<AlertRecord>[] = [
  timeColumn('date', 'Date', 132, {
    isFilteredAbove: true,
    phone: 'second line',
    text: (row) => minuteText(row.date),
  }),
  {
    id: 'category',
    field: 'severity',
    header: 'Category',
    width: 180,
    ...ABOVE,
    filter: { ...ABOVE.filter, valueText: (value) => ALERT_LABELS[value as AlertRecord['category']] },
    phone: 'second line',
    text: (row) => ALERT_LABELS[row.category],
    cell: (row) => (
      <PortalLink to={`/notifications-category/${row.category}`} className={classes.categoryLink}>
        <CategoryMark category={row.category} isOver={row.status === 'RESOLVED'} />
      </PortalLink>
    ),
  },
  {
    id: 'service',
    header: 'Services',
    width: 184,
    ...ABOVE,
    isSortable: false,
    text: (row) => row.service.join(', '),
    cell: (row) => <FirstOf items={row.service} />,
  },
  textColumn('description', 'Description', 320, {
    flexible: { min: 170 },
    phone: 'first line',
    cell: (row) => (
      <PortalLink to={`/notification-details/${row.id}`} className={classes.descriptionLink}>
        {row.description}
      </PortalLink>
    ),
  }),
  {
    id: 'status',
    header: 'Status',
    width: 120,
    ...ABOVE,
    text: statusText,
    cell: (row) => <AlertStatusMark alert={row} />,
  },
  {
    id: 'expires',
    header: 'Expires',
    width: 132,
    kind: 'time',
    text: (row) => (row.expires ? minuteText(row.expires) : ''),
  },
]
