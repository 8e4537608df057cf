import { useState } from 'react'
import type { TableName } from '#contract/settings/table-names.ts'
import type { AlertCategory } from '#domain/messages/alerts.ts'
import { serverTime } from '#web/lib/server-time.ts'
import { type AlertChoice, alertDemands, filtersOfChoice, readAlertChoice } from '#web/modules/messages/alert-choice.ts'
import { ALERT_COLUMNS } from '#web/modules/messages/alert-columns.tsx'
import { AlertFilterBar } from '#web/modules/messages/alert-filter-bar.tsx'
import { type AlertRecord, alertSource } from '#web/modules/messages/alerts.api.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { useTable } from '#web/table/use-table.ts'

const NEWEST_FIRST = [{ column: 'date', direction: 'desc' }] as const

type Props = {
  tableName: TableName
  /** Only alerts of this category. */
  category?: AlertCategory
}

export function AlertList({ tableName, category }: Props) {
  // Expiry is decided once, when the list opens, so that no row disappears while somebody reads it.
  const [now] = useState(serverTime)
  const table = useTable({
    tableName,
    columns: ALERT_COLUMNS,
    rowKey,
    source: alertSource,
    sorting: NEWEST_FIRST,
    demands({ view }) {
      const choice = readAlertChoice(view.filters)
      return alertDemands(category ? { ...choice, categories: [category] } : choice, now)
    },
  })
  const choose = (part: Partial<AlertChoice>) =>
    table.state.setView((view) => {
      const { description } = view.filters
      const chosen = filtersOfChoice({ ...readAlertChoice(view.filters), ...part })
      return { ...view, filters: { ...chosen, ...(description ? { description } : {}) } }
    })
  return (
    <DataTable
      table={table}
      label="Alerts"
      what="alerts"
      rowHref={alertHref}
      rowName={descriptionOf}
      waitingText="Getting Alerts..."
      controls={
        <AlertFilterBar
          choice={readAlertChoice(table.state.view.filters)}
          onChange={choose}
          hasCategories={!category}
        />
      }
      noRows={category ? 'No alerts in this category yet.' : 'No alerts yet.'}
    />
  )
}

const rowKey = (row: AlertRecord) => row.id
const descriptionOf = (row: AlertRecord) => row.description
const alertHref = (row: AlertRecord) => `/notification-details/${row.id}`
