import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { optimizationFileName, type WireProductBalance } from '#contract/optimization/optimization.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { MAX_COUNTED_SESSIONS } from '#domain/optimization/optimization-report.ts'
import { NO_COST } from '#domain/optimization/seat-cost.ts'
import { SEAT_WORDS } from '#domain/optimization/seat-words.ts'
import { fetchFile } from '#web/lib/api/api-client.ts'
import { query } from '#web/lib/api/api-query.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import {
  AdviceOrder,
  ELASTIC_COLUMNS,
  PRODUCT_FIELDS,
  type ProductRow,
  SEAT_COLUMNS,
  toProductRow,
} from '#web/modules/optimization/optimization-columns.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { loadedSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'
import { useTableView } from '#web/table/view/use-table-view.ts'
import { ChartCard } from '#web/ui/chart/chart-card.tsx'
import { CsvExport } from '#web/ui/csv-export.tsx'
import { daysOf, type Period, REPORT_PERIODS, readPeriod, savePeriod } from '#web/ui/date-range/period.ts'
import { PeriodBar } from '#web/ui/date-range/period-bar.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { PdfExport } from '#web/ui/pdf-export.tsx'
import classes from './optimization.module.css'

const SEAT_VIEW = { tableName: 'optimization', columns: SEAT_COLUMNS, sorting: [], urlPrefix: '' } as const
const ELASTIC_VIEW = { tableName: 'optimizationElastic', columns: ELASTIC_COLUMNS, urlPrefix: 'elastic.' } as const
const BY_PRODUCT = [{ column: 'product', direction: 'asc' }] as const

/** What an account owns against its peak use, and what could be done about it. */
export function Page() {
  const { number, info, standing } = useKnownCustomer()
  // The period is saved with the view of the first table.
  const { extra, isReady } = useTableView({ ...SEAT_VIEW, customerNumber: number })
  const period = readPeriod(extra, info.timeZone, REPORT_PERIODS)
  const days = daysOf(period, info.today)
  const query = useQuery({ ...optimizationQuery(number, days), enabled: isReady })
  const { data: report } = query
  const [seatRows, elasticRows] = useMemo(() => rowsByLicense(report?.products), [report])
  const sourceOf = (license: WireProductBalance['license'], rows: readonly ProductRow[] | undefined) =>
    loadedSource(['optimization', number, days.from, days.to, license], PRODUCT_FIELDS, {
      error: query.error,
      refetch: query.refetch,
      data: rows,
    })
  const seats = useTable({ ...SEAT_VIEW, naturalSorting: BY_PRODUCT, rowKey, source: sourceOf('Web', seatRows) })
  const elastic = useTable({
    ...ELASTIC_VIEW,
    naturalSorting: BY_PRODUCT,
    rowKey,
    source: sourceOf('Elastic', elasticRows),
  })
  const choose = (next: Period) => seats.state.change(({ view }) => ({ view, extra: savePeriod(next, REPORT_PERIODS) }))
  const fileName = optimizationFileName(number, days.from, days.to)
  const { sharedWeb, namedUser, elastic: elasticCount } = standing.holdings
  const hasSeats = sharedWeb || namedUser || (seatRows?.length ?? 0) > 0
  const hasElastic = elasticCount > 0 || (elasticRows?.length ?? 0) > 0
  const range = `from ${days.from} to ${days.to}`
  const look = {
    isTwoLine: true,
    rowActions: (row: ProductRow) => <AdviceOrder row={row} />,
    actionsWidth: 116,
  }
  const hasCosts = seatRows?.some(({ cost }) => cost !== null)
  return (
    <>
      <PageHead
        context={<PeriodBar periods={REPORT_PERIODS} period={period} days={days} onChoose={choose} />}
        actions={
          <>
            <CsvExport
              fetchCsv={() => fetchOptimizationCsv(number, days)}
              fileName={`${fileName}.csv`}
              total={report?.products.length}
              size="sm"
            />
            <PdfExport
              fetchPdf={() => fetchOptimizationPdf(number, days)}
              fileName={`${fileName}.pdf`}
              isDisabled={!report}
            />
          </>
        }
      />
      <div className={classes.sections}>
        {(hasSeats || !hasElastic) && (
          <div className={classes.seats} data-beside>
            <div>
              <DataTable
                table={seats}
                {...look}
                what="web products"
                title="Web licenses"
                noRows={`No seats and no checkouts ${range}.`}
              />
              {hasSeats && (
                <details className={classes.words}>
                  <summary>What the columns mean</summary>
                  {Object.values(SEAT_WORDS).map(
                    (words) => (words !== SEAT_WORDS.cost || hasCosts) && <p key={words}>{words}</p>,
                  )}
                </details>
              )}
            </div>
            {report && <SeatChart products={report.products} days={days} />}
          </div>
        )}
        {seatRows && <WithoutCost rows={seatRows} />}
        {hasElastic && (
          <DataTable
            table={elastic}
            {...look}
            what="elastic products"
            title="Elastic products"
            noRows={`No elastic sessions ${range}. Choose a longer date range.`}
          />
        )}
        {elasticRows?.some(({ peak }) => peak === null) && (
          <Text c="dimmed">
            Peak sessions are not counted for more than {countText(MAX_COUNTED_SESSIONS)} sessions, nor for days whose
            usage is archived. Choose a shorter or later date range to see them.
          </Text>
        )}
      </div>
    </>
  )
}

/** Why missing seats have no cost, by reason, and what to do instead. */
function WithoutCost({ rows }: { rows: readonly ProductRow[] }) {
  const byReason = Map.groupBy(
    rows.filter(({ noCost }) => noCost !== null),
    ({ noCost }) => noCost ?? 'NOT_OFFERED',
  )
  return [...byReason].map(([reason, ofReason]) => (
    <Text key={reason} size="sm">
      {ofReason.map(({ product }) => product).join(', ')}: {NO_COST[reason].text}
    </Text>
  ))
}

const SEATS_AND_PEAK = [
  { name: 'Seats', look: 'gray bars' },
  { name: 'Peak', look: 'bars' },
] as const

/** Seats and peak side by side, for every product that has seats or uses some. */
function SeatChart({ products, days }: { products: readonly WireProductBalance[]; days: DayRange }) {
  const { number } = useKnownCustomer()
  const points = products.flatMap(({ product, seats, peak }) =>
    seats === null || (seats === 0 && peak === 0) ? [] : [{ label: product, values: [seats, peak ?? 0] }],
  )
  if (points.length === 0) return null
  return (
    <section className={classes.chart} aria-label="Seats and peak use">
      <ChartCard
        title="Seats and peak use"
        caption={
          points.every(({ values: [, peak] }) => peak === 0)
            ? `Nothing was checked out from ${days.from} to ${days.to}, so there is no peak.`
            : 'The most seats in use at the same time'
        }
        subject={number}
        order={2}
        description="The seats of each web product beside the most that were in use"
        pointName="Product"
        series={SEATS_AND_PEAK}
        points={points}
        valueText={countText}
        places={0}
        fileName={`seats-and-peaks-${number}-${days.from}-${days.to}`}
      />
    </section>
  )
}

const rowKey = (row: ProductRow) => row.product

function rowsByLicense(products: readonly WireProductBalance[] | undefined) {
  const rowsOf = (license: WireProductBalance['license']) =>
    products?.filter((one) => one.license === license).map(toProductRow)
  return [rowsOf('Web'), rowsOf('Elastic')] as const
}

function optimizationQuery(customerNumber: string, { from, to }: DayRange) {
  return query('optimization', { body: { customerNumber, from, to } })
}

const fetchOptimizationCsv = (customerNumber: string, { from, to }: DayRange): Promise<Blob> =>
  fetchFile('optimization/export', { body: { customerNumber, from, to } })

const fetchOptimizationPdf = (customerNumber: string, { from, to }: DayRange): Promise<Blob> =>
  fetchFile('optimization/pdf', { body: { customerNumber, from, to } })
