import { Button, Checkbox } from '@mantine/core'
import { useMemo } from 'react'
import type { Sum } from '#contract/kit/list.ts'
import { instantsOf } from '#domain/calendar/day-range.ts'
import { type Preset, USAGE_PRESETS } from '#domain/calendar/presets.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { ZONE_NOTE } from '#web/lib/format.ts'
import { CHECKOUT_COLUMNS } from '#web/modules/web-licenses/checkout-columns.ts'
import { type Checkout, checkoutSource, fetchCheckoutsCsv } from '#web/modules/web-licenses/checkouts.api.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { useSums } from '#web/table/list/use-sums.ts'
import { useTable } from '#web/table/use-table.ts'
import type { ExtraFields } from '#web/table/view/table-address.ts'
import { hasFilters } from '#web/table/view/table-view.ts'
import { CsvExport } from '#web/ui/csv-export.tsx'
import { DateRangeMenu } from '#web/ui/date-range/date-range-menu.tsx'
import { daysOf, type Period, type PeriodChoice, readPeriod, savePeriod } from '#web/ui/date-range/period.ts'
import { RangeText } from '#web/ui/date-range/range-text.tsx'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { PageHead } from '#web/ui/page-head.tsx'

const CLEARS_FILTERS = 'Action will clear all current filters. Do you wish to continue?'
const NEWEST_FIRST = { column: 'startTime', direction: 'desc' } as const
const PERIODS: PeriodChoice = { presets: USAGE_PRESETS, fallback: '1 Day' }

/** Checkouts of web licenses, those that run and those that are over. */
export function Page() {
  const { number, info } = useKnownCustomer()
  const source = useMemo(() => checkoutSource(number), [number])
  const periodOf = (extra: ExtraFields) => readPeriod(extra, info.timeZone, PERIODS)
  const table = useTable({
    tableName: 'webTransactions',
    columns: CHECKOUT_COLUMNS,
    rowKey,
    source,
    demands({ extra }) {
      const { from, to } = instantsOf(daysOf(periodOf(extra), info.today), info.timeZone)
      return [
        { name: 'endTime', method: 'AFTER', value: from.toISOString() },
        { name: 'startTime', method: 'BEFORE', value: to.toISOString() },
        ...(extra.activeOnly ? [{ name: 'isActive', method: 'EQUALS' as const, value: true }] : []),
      ]
    },
  })
  const sums = useSums(source, table)
  const totals = useMemo(() => sums.map(totalsOf), [sums])
  const { state } = table
  const period = periodOf(state.extra)
  const days = daysOf(period, info.today)
  const isActiveOnly = state.extra.activeOnly ?? false

  const choose = (next: { period?: Period; isActiveOnly?: boolean }) =>
    state.change(({ view, extra }) => ({
      view,
      extra: {
        ...savePeriod(next.period ?? periodOf(extra), PERIODS),
        ...((next.isActiveOnly ?? extra.activeOnly) ? { activeOnly: true } : {}),
      },
    }))
  const choosePreset = async (preset: Preset) => {
    const isFiltered = hasFilters(state.view)
    if (isFiltered && !(await confirm(CLEARS_FILTERS, 'Clear filters and change range'))) return
    if (isFiltered) state.clearFilters()
    choose({ period: { preset } })
  }
  return (
    <>
      <PageHead context={ZONE_NOTE} />
      <DataTable
        table={table}
        label="Web license checkouts"
        what="checkouts"
        naturalSort={NEWEST_FIRST}
        rowName={checkoutName}
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
              label="Active Checkouts"
              checked={isActiveOnly}
              onChange={(event) => choose({ isActiveOnly: event.currentTarget.checked })}
            />
          </>
        }
        actions={
          <CsvExport
            fetchCsv={() => fetchCheckoutsCsv(number, table.request.filter)}
            fileName={`web-transactions_${number}_${days.from}_${days.to}.csv`}
            total={table.list.total}
          />
        }
        noRows={
          isActiveOnly && days.to < info.today ? (
            <>
              No checkout runs in this range.{' '}
              <Button size="compact-sm" variant="default" onClick={() => choose({ period: { preset: '1 Day' } })}>
                Show the last day
              </Button>
            </>
          ) : isActiveOnly ? (
            'No checkout is running now. Clear "Active Checkouts" to see finished checkouts.'
          ) : (
            `No checkouts from ${days.from} to ${days.to}. Choose a longer date range.`
          )
        }
      />
    </>
  )
}

const totalsOf = ({ by, sums }: Sum) => ({ licenseModel: by, hours: formatDecimal(sums.hours ?? '0', 2) })
const rowKey = (row: Checkout) => String(row.number)
const checkoutName = (row: Checkout) => `${row.product} of ${row.email}`
