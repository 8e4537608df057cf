import { Group, Select, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { type WebDenial, webDenialList } from '#contract/web-licenses/web-checkout-lists.ts'
import { type ReportTable, reportFileName, type WireWebReport } from '#contract/web-licenses/web-report.ts'
import { type DayRange, instantsOf } from '#domain/calendar/day-range.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { CHECKOUT_DENIALS, CHECKOUT_REFUSAL_LABELS, type CheckoutRefusal } from '#domain/web-licenses/checkout.ts'
import { call, fetchFile } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import { CheckoutFix } from '#web/modules/web-licenses/checkouts/checkout-fix.tsx'
import {
  DENIAL_COLUMNS,
  PRODUCT_COLUMNS,
  PRODUCT_FIELDS,
  type ProductRow,
  USER_COLUMNS,
  USER_FIELDS,
  type UserRow,
} from '#web/modules/web-licenses/checkouts/report-columns.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { sourceOf } from '#web/table/list/declared-list.ts'
import { loadedSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'
import { useTableView } from '#web/table/view/use-table-view.ts'
import { ChartCard, ChartFrame } from '#web/ui/chart/chart-card.tsx'
import { PieChart } from '#web/ui/chart/pie-chart.tsx'
import { CsvExport } from '#web/ui/csv-export.tsx'
import { daysOf, type Period, REPORT_PERIODS, readPeriod, savePeriod } from '#web/ui/date-range/period.ts'
import { PeriodBar } from '#web/ui/date-range/period-bar.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { PdfExport } from '#web/ui/pdf-export.tsx'
import { PendingSections } from '#web/ui/skeleton.tsx'
import classes from './report.module.css'

const PRODUCT_VIEW = {
  tableName: 'webReportProducts',
  columns: PRODUCT_COLUMNS,
  sorting: [],
  urlPrefix: '',
} as const

const BY_PRODUCT = [{ column: 'product', direction: 'asc' }] as const
const BY_USER = [{ column: 'email', direction: 'asc' }] as const

/** How the web licenses of an account are used: peaks against seats, products, users and denials. */
export function Page() {
  const { number, info } = useKnownCustomer()
  // The period is saved with the view of the first table, so that its Reset View restores both.
  const { extra, isReady } = useTableView({ ...PRODUCT_VIEW, customerNumber: number })
  const period = readPeriod(extra, info.timeZone, REPORT_PERIODS)
  const days = daysOf(period, info.today)
  const query = useQuery({ ...reportQuery(number, days), enabled: isReady })
  const { data: report } = query
  const loading = { error: query.error, refetch: query.refetch }
  const key = ['web-report', number, days.from, days.to]
  const products = useTable({
    ...PRODUCT_VIEW,
    naturalSorting: BY_PRODUCT,
    rowKey: productKey,
    source: loadedSource([...key, 'products'], PRODUCT_FIELDS, { ...loading, data: report?.products }),
  })
  const users = useTable({
    tableName: 'webReportUsers',
    columns: USER_COLUMNS,
    naturalSorting: BY_USER,
    urlPrefix: 'user.',
    rowKey: userKey,
    source: loadedSource([...key, 'users'], USER_FIELDS, { ...loading, data: report?.users }),
  })
  const choose = (next: Period) =>
    products.state.change(({ view }) => ({ view, extra: savePeriod(next, REPORT_PERIODS) }))
  const exportOf = (table: ReportTable, total: number | undefined) => (
    <CsvExport
      fetchCsv={() => fetchReportCsv(number, days, table)}
      fileName={`${reportFileName(number, table, days.from, days.to)}.csv`}
      total={total}
    />
  )
  const range = `from ${days.from} to ${days.to}`
  return (
    <>
      <PageHead
        context={<PeriodBar periods={REPORT_PERIODS} period={period} days={days} onChoose={choose} />}
        actions={
          <PdfExport
            fetchPdf={() => fetchReportPdf(number, days)}
            fileName={`${reportFileName(number, undefined, days.from, days.to)}.pdf`}
            isDisabled={!report}
          />
        }
      />
      <div className={classes.sections}>
        {query.isPending && <PendingSections />}
        {report && report.products.length > 0 && (
          <div className={classes.charts}>
            <Peaks products={report.products} days={days} />
            <HoursChart products={report.products} days={days} />
          </div>
        )}
        <DataTable
          table={products}
          title="Use per product"
          what="products"
          noRows={`No web licenses ${range}.`}
          actions={exportOf('products', report?.products.length)}
        />
        <DataTable
          table={users}
          title="Use per user"
          what="users"
          noRows={`Nobody used web licenses ${range}.`}
          actions={exportOf('users', report?.users.length)}
        />
        <div className={classes.denials} data-beside>
          {report && <DenialChart reasons={report.reasons} days={days} />}
          <Denials days={days} />
        </div>
      </div>
    </>
  )
}

/** How the hours are shared by products. */
function HoursChart({ products, days: { from, to } }: { products: WireWebReport['products']; days: DayRange }) {
  const { number } = useKnownCustomer()
  return (
    <PieChart
      title="Hours per product"
      subject={number}
      order={2}
      parts={products.map(({ product, hours }) => ({ label: product, value: hours.toFixed(2) }))}
      unit="hours"
      fileName={`web-hours-${number}-${from}-${to}`}
    />
  )
}

/** How the denials are shared by reasons. */
function DenialChart({ reasons, days: { from, to } }: { reasons: WireWebReport['reasons']; days: DayRange }) {
  const { number } = useKnownCustomer()
  return (
    <PieChart
      title="Denials per reason"
      subject={number}
      order={2}
      parts={reasons.map(({ reason, count }) => ({
        label: CHECKOUT_REFUSAL_LABELS[reason as CheckoutRefusal] ?? reason,
        value: String(count),
      }))}
      unit=""
      places={0}
      fileName={`web-denials-${number}-${from}-${to}`}
    />
  )
}

/** The chart of one product; the one that came closest to its limit until another is chosen. */
function Peaks({ products, days }: { products: WireWebReport['products']; days: DayRange }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const busiest = useMemo(() => products.toSorted((one, other) => loadOf(other) - loadOf(one))[0], [products])
  const product = products.find((one) => one.product === chosen) ?? busiest
  if (!product) return null
  const choice = (
    <Select
      aria-label="Product"
      size="xs"
      w={240}
      maw="100%"
      allowDeselect={false}
      data={products.map((one) => one.product)}
      value={product.product}
      onChange={setChosen}
      comboboxProps={{ withinPortal: true }}
    />
  )
  return (
    <section className={classes.peaks} aria-label={PEAKS}>
      {product.peak > 0 ? (
        <PeakChart product={product} days={days} choice={choice} />
      ) : (
        <ChartFrame title={PEAKS} subject={product.product} order={2} controls={choice}>
          <Text c="dimmed" mt="0.5rem">
            {product.product} was not checked out from {days.from} to {days.to}, so there is no peak to show.
          </Text>
        </ChartFrame>
      )}
    </section>
  )
}

const PEAKS = 'Peak concurrent use'
const loadOf = ({ peak, limit }: ProductRow) => (limit === 0 ? peak : peak / limit)

function Denials({ days }: { days: DayRange }) {
  const { number, info } = useKnownCustomer()
  const source = useMemo(() => denialSource(number), [number])
  const table = useTable({
    tableName: 'webDenials',
    columns: DENIAL_COLUMNS,
    urlPrefix: 'denial.',
    rowKey: denialKey,
    source,
    demands() {
      const { from, to } = instantsOf(days, info.timeZone)
      return [{ name: 'time', method: 'DATERANGE', value: [from.toISOString(), to.toISOString()] }]
    },
  })
  return (
    <DataTable
      table={table}
      title="Denials"
      what="denials"
      rowName={({ product, email }) => `${product}, ${email}`}
      detail={explanationOf}
      noRows={`No checkout was denied from ${days.from} to ${days.to}.`}
      actions={
        <CsvExport
          fetchCsv={() => fetchDenialsCsv(number, table.request.filter)}
          fileName={`web-denials_${number}_${info.today}.csv`}
          total={table.list.total}
        />
      }
    />
  )
}

const explanationOf = (row: WebDenial) => <Explanation denial={row} />

/** Why a checkout was denied, and what lets the next one pass. */
function Explanation({ denial: { reason, product, email, time } }: { denial: WebDenial }) {
  return (
    <Group gap="0.75rem" p="xs">
      <Text size="sm">{CHECKOUT_DENIALS[reason] ?? reason}</Text>
      <CheckoutFix reason={reason} product={product} user={email} denials={`${time}, ${email}`} />
    </Group>
  )
}

const productKey = (row: ProductRow) => row.product
const userKey = (row: UserRow) => row.email
const denialKey = (row: WebDenial) => String(row.id)

const PEAK_AND_SEATS = [
  { name: 'Peak', look: 'bars' },
  { name: 'Seats', look: 'limit' },
] as const

type PeakProps = { product: ProductRow; days: DayRange; choice: ReactNode }

/** The peaks of one product, day by day, against its seats. */
function PeakChart({ product: { product, days: peaks }, days, choice }: PeakProps) {
  const { number, info } = useKnownCustomer()
  return (
    <ChartCard
      title={PEAKS}
      subject={product}
      order={2}
      controls={choice}
      isLow
      description={`Peak concurrent use of ${product} for each day, with a line for the seats`}
      pointName="Day"
      series={PEAK_AND_SEATS}
      points={peaks.map(({ day, peak, limit }) => ({ label: day, values: [peak, limit], isSoFar: day === info.today }))}
      isByDay
      valueText={countText}
      places={0}
      fileColumn={['Product', product]}
      fileName={`web-peaks-${number}-${days.from}-${days.to}`}
    />
  )
}

function reportQuery(customerNumber: string, { from, to }: DayRange) {
  return queryOptions({
    queryKey: ['web-licenses', customerNumber, 'report', from, to],
    queryFn: ({ signal }) => call('web/report', { body: { customerNumber, from, to }, signal }),
  })
}

const fetchReportCsv = (customerNumber: string, { from, to }: DayRange, table: ReportTable): Promise<Blob> =>
  fetchFile('web/report/export', { body: { customerNumber, from, to, table } })

const fetchReportPdf = (customerNumber: string, { from, to }: DayRange): Promise<Blob> =>
  fetchFile('web/report/pdf', { body: { customerNumber, from, to } })

const fetchDenialsCsv = (customerNumber: string, filter: FilterInput): Promise<Blob> =>
  fetchFile('web/denials/export', { body: { customerNumber, filter } })

const denialSource = (customerNumber: string) =>
  sourceOf(webDenialList, { customerNumber }, { key: ['web-licenses', customerNumber, 'denials'] })
