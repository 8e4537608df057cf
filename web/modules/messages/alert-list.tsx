import { useState } from 'react'
import type { AlertCategory } from '#domain/messages/alerts.ts'
import type { TableName } from '#domain/settings/table-names.ts'
import { useCustomer } from '#web/lib/customer.tsx'
import { type AlertChoice, alertDemands, filtersOfChoice, readAlertChoice } from '#web/modules/messages/alert-choice.ts'
import { ALERT_COLUMNS, FILTERED_ALERT_COLUMNS } from '#web/modules/messages/alert-columns.tsx'
import { AlertFilterBar } from '#web/modules/messages/alert-filter-bar.tsx'
import { type AlertRecord, alertSource } from '#web/modules/messages/alerts.api.ts'
import { DataTable } from '#web/ui/grid/data-table.tsx'
import { useRequest } from '#web/ui/grid/list/use-request.ts'
import { useServerList } from '#web/ui/grid/list/use-server-list.ts'
import type { TableView } from '#web/ui/grid/model/table-view.ts'
import { useSavedView } from '#web/ui/saved-views/use-saved-view.ts'
import { SpinnerOverlay } from '#web/ui/spinner/spinner.tsx'
import classes from './alerts.module.css'

const NEWEST_FIRST = [{ column: 'date', direction: 'desc' }] as const

type Props = {
  tableName: TableName
  /** Only alerts of this category. */
  category?: AlertCategory
}

export function AlertList({ tableName, category }: Props) {
  const customer = useCustomer()
  const customerNumber = customer.state === 'known' ? customer.number : ''
  // What counts as expired is decided when the list is opened: rows must not leave under the reader's hands.
  const [now] = useState(() => new Date())
  const saved = useSavedView({ customerNumber, tableName, columns: FILTERED_ALERT_COLUMNS, sorting: NEWEST_FIRST })
  const choice = readAlertChoice(saved.view.filters)
  const wanted = category ? { ...choice, least: category, most: category } : choice
  const asked = useRequest(ALERT_COLUMNS, onlyDescription(saved.view), alertDemands(wanted, now))
  const list = useServerList(alertSource, asked.request, saved.isReady)
  const choose = (part: Partial<AlertChoice>) =>
    saved.setView((view) => {
      const { description } = view.filters
      const chosen = filtersOfChoice({ ...readAlertChoice(view.filters), ...part })
      return { ...view, filters: { ...chosen, ...(description ? { description } : {}) } }
    })
  const isLoading = list.rows === undefined && !list.failure && !saved.failure
  return (
    <div className={classes.list}>
      <DataTable
        label="Alerts"
        what="alerts"
        columns={ALERT_COLUMNS}
        rowKey={alertKey}
        saved={saved}
        asked={asked}
        list={list}
        controls={<AlertFilterBar choice={choice} onChange={choose} hasCategories={!category} />}
        noRows={category ? 'There has been no alert of this category.' : 'There has been no alert yet.'}
      />
      {isLoading && <SpinnerOverlay text="Getting Alerts..." />}
    </div>
  )
}

const alertKey = (row: AlertRecord) => row.id

/** What the controls above the table filter by is asked for in their own words. */
function onlyDescription(view: TableView): TableView {
  const { description } = view.filters
  return { ...view, filters: description ? { description } : {} }
}
