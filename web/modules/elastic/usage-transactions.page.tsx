import { Checkbox } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Preset, USAGE_PRESETS } from '#domain/calendar/presets.ts'
import { ApiFailure } from '#web/lib/api-failure.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { LastReceived } from '#web/modules/elastic/last-received.tsx'
import {
  elasticDeviceQuery,
  hasCloudJobsQuery,
  lastReceivedQuery,
  type Usage,
  usageSource,
} from '#web/modules/elastic/usage.api.ts'
import { usageColumns } from '#web/modules/elastic/usage-columns.ts'
import { UsageExport } from '#web/modules/elastic/usage-export.tsx'
import { daysOf, readChoice, saveChoice, type UsageChoice, usageDemands } from '#web/modules/elastic/usage-period.ts'
import { DateRangeMenu } from '#web/ui/date-range/date-range-menu.tsx'
import { RangeText } from '#web/ui/date-range/range-text.tsx'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { DataTable } from '#web/ui/grid/data-table.tsx'
import type { ListState } from '#web/ui/grid/list/list-state.ts'
import { useRequest } from '#web/ui/grid/list/use-request.ts'
import { useServerList } from '#web/ui/grid/list/use-server-list.ts'
import { goesBy, hasFilters } from '#web/ui/grid/model/table-view.ts'
import { PageHead } from '#web/ui/page-head/page-head.tsx'
import { useSavedView } from '#web/ui/saved-views/use-saved-view.ts'

const CLEARS_FILTERS = 'Action will clear all current filters. Do you wish to continue?'

export function Page() {
  const { number, info } = useKnownCustomer()
  const queries = useQueryClient()
  const source = useMemo(() => usageSource(number), [number])
  const server = useQuery(elasticDeviceQuery(number))
  const cloudJobs = useQuery({ ...hasCloudJobsQuery(number), enabled: server.isSuccess })
  const columns = usageColumns(cloudJobs.data ?? false)
  // The view keeps what it says about a column that is not, or not yet, known to be there.
  const saved = useSavedView({ customerNumber: number, tableName: 'elasticTransaction', columns: usageColumns(true) })
  const isEveryColumnKnown = cloudJobs.isFetched || !goesBy(saved.view, 'AnsysCloudJobId')

  const { period, isActiveOnly } = readChoice(saved.beside, info.timeZone)
  const days = daysOf(period, info.today)
  const asked = useRequest(columns, saved.view, usageDemands(days, info.timeZone, isActiveOnly))
  // Without a license server there is no usage to ask for.
  const usage = useServerList(source, asked.request, saved.isReady && isEveryColumnKnown && server.isSuccess)
  const noServer = refusalIn(server.error)
  const list = server.error ? nothing(usage, noServer ? undefined : server) : usage

  const choose = (next: Partial<UsageChoice>) =>
    saved.change(({ view, beside }) => ({
      view,
      beside: saveChoice({ ...readChoice(beside, info.timeZone), ...next }),
    }))
  const choosePreset = async (preset: Preset) => {
    const isFiltered = hasFilters(saved.view)
    if (isFiltered && !(await confirm(CLEARS_FILTERS))) return
    if (isFiltered) saved.clearFilters()
    choose({ period: { preset } })
  }
  const refresh = () => {
    void queries.invalidateQueries({ queryKey: source.key })
    void queries.invalidateQueries({ queryKey: lastReceivedQuery(number).queryKey })
  }
  return (
    <>
      <PageHead context={<LastReceived customerNumber={number} onRefresh={refresh} />} />
      <DataTable
        label="Usage transactions"
        what="transactions"
        columns={columns}
        rowKey={transactionKey}
        saved={saved}
        asked={asked}
        list={list}
        controls={
          <>
            <DateRangeMenu
              presets={USAGE_PRESETS}
              chosen={period.preset}
              today={info.today}
              onPreset={choosePreset}
              onRange={(range) => choose({ period: { range } })}
            />
            <RangeText range={days} timeZone={info.timeZone} />
            <Checkbox
              label="Active Sessions"
              checked={isActiveOnly}
              onChange={(event) => choose({ isActiveOnly: event.currentTarget.checked })}
            />
          </>
        }
        actions={<UsageExport filter={asked.request.filter} total={list.total} />}
        noRows={
          noServer ??
          (isActiveOnly
            ? 'No session is running. Untick Active Sessions to see those that have ended.'
            : `No session took place from ${days.from} to ${days.to}. Choose a longer date range.`)
        }
      />
    </>
  )
}

function transactionKey(row: Usage): string {
  return String(row.TransactionNumber)
}

/** What the server said no to, where it did. */
function refusalIn(error: Error | null): string | undefined {
  return error instanceof ApiFailure && error.status === 200 ? error.text : undefined
}

type Failed = { error: Error | null; refetch(): unknown }

function nothing(list: ListState<Usage>, failed: Failed | undefined): ListState<Usage> {
  const failure = failed?.error ?? undefined
  return { ...list, rows: [], total: 0, isStale: false, failure, retry: () => void failed?.refetch() }
}
