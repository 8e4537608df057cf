import { Anchor, Button, Checkbox } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Sum } from '#contract/kit/list.ts'
import { type Preset, USAGE_PRESETS } from '#domain/calendar/presets.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { failureText, hasCode } from '#web/lib/api-failure.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { timeText, ZONE_NOTE } from '#web/lib/format.ts'
import {
  elasticDeviceQuery,
  hasUsageWithQuery,
  lastReceivedQuery,
  type Usage,
  usageSource,
} from '#web/modules/elastic/usage.api.ts'
import { usageColumns } from '#web/modules/elastic/usage-columns.ts'
import { UsageExport } from '#web/modules/elastic/usage-export.tsx'
import { readChoice, saveChoice, type UsageChoice, usageDemands } from '#web/modules/elastic/usage-period.ts'
import { DataTable } from '#web/table/data-table.tsx'
import type { ListState } from '#web/table/list/list-state.ts'
import { useSums } from '#web/table/list/use-sums.ts'
import { useTable } from '#web/table/use-table.ts'
import { hasFilters, usesColumn } from '#web/table/view/table-view.ts'
import { DateRangeMenu } from '#web/ui/date-range/date-range-menu.tsx'
import { daysOf } from '#web/ui/date-range/period.ts'
import { RangeText } from '#web/ui/date-range/range-text.tsx'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import classes from './usage.module.css'

const CLEARS_FILTERS = 'Action will clear all current filters. Do you wish to continue?'
const NEWEST_FIRST = { column: 'StartTime', direction: 'desc' } as const

export function Page() {
  const { number, info } = useKnownCustomer()
  const queries = useQueryClient()
  const source = useMemo(() => usageSource(number), [number])
  const server = useQuery(elasticDeviceQuery(number))
  const cloudJobs = useQuery({ ...hasUsageWithQuery(number, 'AnsysCloudJobId'), enabled: server.isSuccess })
  const corrections = useQuery({ ...hasUsageWithQuery(number, 'CorrectedNumber'), enabled: server.isSuccess })
  const noServer = refusalIn(server.error)
  const table = useTable({
    tableName: 'elasticTransaction',
    columns: usageColumns({ hasCloudJobs: cloudJobs.data ?? false, hasCorrections: corrections.data ?? false }),
    rowKey,
    source,
    demands({ extra }) {
      const { period, isActiveOnly } = readChoice(extra, info.timeZone)
      return usageDemands(daysOf(period, info.today), info.timeZone, isActiveOnly)
    },
    // Without a license server there is no usage.
    isReady: (view) =>
      server.isSuccess &&
      (cloudJobs.isFetched || !usesColumn(view, 'AnsysCloudJobId')) &&
      (corrections.isFetched || !usesColumn(view, 'CorrectionOf')),
    useRows: (usage) => (server.error ? nothing(usage, noServer ? undefined : server) : usage),
  })
  const sums = useSums(source, table)
  const totals = useMemo(() => sums.map(totalsOf), [sums])
  const { state } = table
  const { period, isActiveOnly } = readChoice(state.extra, info.timeZone)
  const days = daysOf(period, info.today)

  const choose = (next: Partial<UsageChoice>) =>
    state.change(({ view, extra }) => ({
      view,
      extra: saveChoice({ ...readChoice(extra, info.timeZone), ...next }),
    }))
  const choosePreset = async (preset: Preset) => {
    const isFiltered = hasFilters(state.view)
    if (isFiltered && !(await confirm(CLEARS_FILTERS, 'Clear filters and change range'))) return
    if (isFiltered) state.clearFilters()
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
        table={table}
        label="Usage transactions"
        what="transactions"
        naturalSort={NEWEST_FIRST}
        rowName={sessionOf}
        totals={totals}
        controls={
          <>
            <DateRangeMenu
              presets={USAGE_PRESETS}
              chosen={period.preset}
              today={info.today}
              range={days}
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
        actions={<UsageExport filter={table.request.filter} total={table.list.total} />}
        noRows={
          noServer ??
          (!isActiveOnly ? (
            `No sessions from ${days.from} to ${days.to}. Choose a longer date range.`
          ) : days.to < info.today ? (
            <>
              No session runs in this range.{' '}
              <Button size="compact-sm" variant="default" onClick={() => choose({ period: { preset: '1 Day' } })}>
                Show the last day
              </Button>
            </>
          ) : (
            'No session is running now. Clear "Active Sessions" to see finished sessions.'
          ))
        }
      />
    </>
  )
}

/** Costs in different currencies cannot be added, so each currency has its own row. */
const totalsOf = ({ by, sums }: Sum) => ({
  Hours: formatDecimal(sums.Hours ?? '0', 2),
  Charge: formatDecimal(sums.Charge ?? '0', 2),
  Currency: by,
})

const rowKey = (row: Usage) => String(row.TransactionNumber)
const sessionOf = (row: Usage) => `${row.Product} of ${row.User}`

/** The reason of a refusal by the server. */
function refusalIn(error: Error | null): string | undefined {
  return hasCode(error, 'NO_ELASTIC_SERVER', 'REFUSED') ? error.text : undefined
}

type Failed = { error: Error | null; refetch(): unknown }

function nothing(list: ListState<Usage>, failed: Failed | undefined): ListState<Usage> {
  const failure = failed?.error ?? undefined
  return { ...list, rows: [], total: 0, isStale: false, failure, retry: () => void failed?.refetch() }
}

/** When usage was last received, with Refresh. */
function LastReceived({ customerNumber, onRefresh }: { customerNumber: string; onRefresh(): void }) {
  const { data, error, isPending } = useQuery(lastReceivedQuery(customerNumber))
  const time = isPending ? '…' : error ? failureText(error) : data ? timeText(data) : 'none yet'
  return (
    <div className={classes.received}>
      <span role="status">
        Last received transaction: <span className="figures">{time}</span>
      </span>
      <Anchor component="button" type="button" onClick={onRefresh}>
        Refresh
      </Anchor>
      <span>Transactions may be delayed by up to 30 minutes</span>
      <span>{ZONE_NOTE}</span>
    </div>
  )
}
