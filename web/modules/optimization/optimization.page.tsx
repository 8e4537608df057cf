import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { optimizationFileName, type WireProductBalance } from '#contract/optimization/optimization.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { type Preset, USAGE_PRESETS } from '#domain/calendar/presets.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import {
  fetchOptimizationCsv,
  fetchOptimizationPdf,
  optimizationQuery,
} from '#web/modules/optimization/optimization.api.ts'
import {
  PRODUCT_COLUMNS,
  PRODUCT_FIELDS,
  type ProductRow,
  toProductRow,
} from '#web/modules/optimization/optimization-columns.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { loadedSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'
import { useTableView } from '#web/table/view/use-table-view.ts'
import { ChartCard } from '#web/ui/chart/chart-card.tsx'
import { CsvExport } from '#web/ui/csv-export.tsx'
import { DateRangeMenu } from '#web/ui/date-range/date-range-menu.tsx'
import { daysOf, type Period, type PeriodChoice, readPeriod, savePeriod } from '#web/ui/date-range/period.ts'
import { RangeText } from '#web/ui/date-range/range-text.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { PdfExport } from '#web/ui/pdf-export.tsx'
import classes from './optimization.module.css'

/** Those that a report can cover. */
const PRESETS: readonly Preset[] = USAGE_PRESETS.filter((preset) => preset !== 'Max')
const PERIODS: PeriodChoice = { presets: PRESETS, fallback: '1 Month' }
const VIEW = { tableName: 'optimization', columns: PRODUCT_COLUMNS, sorting: [], urlPrefix: '' } as const

/** What an account owns against its peak use, and what could be done about it. */
export function Page() {
  const { number, info } = useKnownCustomer()
  const { extra, isReady } = useTableView({ ...VIEW, customerNumber: number })
  const period = readPeriod(extra, info.timeZone, PERIODS)
  const days = daysOf(period, info.today)
  const query = useQuery({ ...optimizationQuery(number, days), enabled: isReady })
  const { data: report } = query
  const rows = useMemo(() => report?.products.map(toProductRow), [report])
  const table = useTable({
    ...VIEW,
    rowKey: productKey,
    source: loadedSource(['optimization', number, days.from, days.to], PRODUCT_FIELDS, {
      error: query.error,
      refetch: query.refetch,
      data: rows,
    }),
  })
  const choose = (next: Period) => table.state.change(({ view }) => ({ view, extra: savePeriod(next, PERIODS) }))
  const fileName = optimizationFileName(number, days.from, days.to)
  return (
    <>
      <PageHead
        context="Seats against their peak use. A named user who used a seat holds it for the whole range."
        actions={
          <PdfExport
            fetchPdf={() => fetchOptimizationPdf(number, days)}
            fileName={`${fileName}.pdf`}
            isDisabled={!report}
          />
        }
      />
      <div className={classes.period}>
        <DateRangeMenu
          presets={PRESETS}
          chosen={period.preset}
          today={info.today}
          range={days}
          onPreset={(preset) => choose({ preset })}
          onRange={(chosen) => choose({ range: chosen })}
        />
        <RangeText range={days} timeZone={info.timeZone} />
      </div>
      <div className={classes.sections}>
        {report && <SeatChart products={report.products} days={days} />}
        <DataTable
          table={table}
          title="Products"
          label="Products"
          what="products"
          noRows={`No seats and no use from ${days.from} to ${days.to}.`}
          actions={
            <CsvExport
              fetchCsv={() => fetchOptimizationCsv(number, days)}
              fileName={`${fileName}.csv`}
              total={report?.products.length}
            />
          }
        />
      </div>
    </>
  )
}

/** Seats and peak side by side, for every product that has seats or uses some. */
function SeatChart({ products, days }: { products: readonly WireProductBalance[]; days: DayRange }) {
  const { number } = useKnownCustomer()
  const points = products.flatMap(({ product, seats, peak }) =>
    seats === null || (seats === 0 && peak === 0) ? [] : [{ label: product, value: peak ?? 0, limit: seats }],
  )
  if (points.length === 0) return null
  return (
    <section className={classes.chart} aria-label="Web licenses">
      <Title order={2}>Web licenses</Title>
      <ChartCard
        title="Seats and peak use"
        subject={number}
        description="The seats of each web product beside the most that were in use"
        points={points}
        hasLimitBars
        columns={['Product', 'Peak', 'Seats']}
        valueText={countText}
        fileName={`seats-and-peaks-${number}-${days.from}-${days.to}`}
      />
    </section>
  )
}

const productKey = (row: ProductRow) => `${row.license} ${row.product}`
