import { Group, Paper, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import {
  CHARGEBACK_FIELDS,
  type ChargebackTableRow,
  chargebackTableRow,
} from '#contract/elastic/statements/chargeback.ts'
import type { TableName } from '#contract/settings/table-names.ts'
import { periodBefore } from '#domain/calendar/period-before.ts'
import { type ChartPart, foldedBefore, foldRest } from '#domain/chart/fold-rest.ts'
import {
  CHARGEBACK_DIMENSIONS,
  CHARGEBACK_LABELS,
  CHARGEBACK_NOUNS,
  type Chargeback,
  type ChargebackDimension,
  type ChargebackTotal,
} from '#domain/elastic/statements/chargeback.ts'
import { changeText } from '#domain/elastic/statements/usage-change.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { call, fetchFile } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { amountText, countText } from '#web/lib/format.ts'
import { CHARGEBACK_COLUMNS } from '#web/modules/elastic/statements/chargeback-columns.ts'
import { EmailFiles } from '#web/modules/elastic/statements/email-files.tsx'
import { chargebackQuery } from '#web/modules/elastic/statements/statement.api.ts'
import { type Compared, MOST_USED_FIRST, withBefore } from '#web/modules/elastic/statements/statement-columns.ts'
import { DIMENSION, ORDER_VIEW, PERIODS } from '#web/modules/elastic/statements/statement-period.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { loadedSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'
import { hasFilters } from '#web/table/view/table-view.ts'
import { useTableView } from '#web/table/view/use-table-view.ts'
import { ChartCard } from '#web/ui/chart/chart-card.tsx'
import type { ChartPoint } from '#web/ui/chart/chart-series.ts'
import { NOTHING_TO_EXPORT, TableCsv } from '#web/ui/csv-export.tsx'
import { useComparison } from '#web/ui/date-range/comparison.ts'
import { daysOf, type Period, readPeriod, savePeriod } from '#web/ui/date-range/period.ts'
import { PeriodBar } from '#web/ui/date-range/period-bar.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { PdfExport } from '#web/ui/pdf-export.tsx'
import classes from './statement.module.css'

/** The usage of a statement's period by project, user, host, product, department or cost center. */
export function ChargebackTab() {
  const { number, info } = useKnownCustomer()
  const view = useTableView({ ...ORDER_VIEW, customerNumber: number })
  const period = readPeriod(view.extra, info.timeZone, PERIODS)
  const choosePeriod = (next: Period) =>
    view.change(({ view: own }) => ({ view: own, extra: savePeriod(next, PERIODS) }))
  const [by, choose] = useDimension()
  // Each dimension is a separate table with its own saved view.
  return (
    <ChargebackTable
      key={by}
      customerNumber={number}
      period={period}
      onChoosePeriod={choosePeriod}
      isReady={view.isReady}
      by={by}
      onChoose={choose}
    />
  )
}

const TABLES: Record<ChargebackDimension, TableName> = {
  project: 'chargebackByProject',
  user: 'chargebackByUser',
  host: 'chargebackByHost',
  product: 'chargebackByProduct',
  department: 'chargebackByDepartment',
  costCenter: 'chargebackByCostCenter',
}

type Props = {
  customerNumber: string
  period: Period
  onChoosePeriod(period: Period): void
  isReady: boolean
  by: ChargebackDimension
  onChoose(by: ChargebackDimension): void
}

function ChargebackTable({ customerNumber, period, onChoosePeriod, isReady, by, onChoose }: Props) {
  const { info } = useKnownCustomer()
  const days = daysOf(period, info.today)
  const [noun, several] = CHARGEBACK_NOUNS[by]
  const { data, error, refetch } = useQuery({ ...chargebackQuery(customerNumber, days, by), enabled: isReady })
  const comparison = useComparison()
  const asked = useQuery({
    ...chargebackQuery(customerNumber, periodBefore(days), by),
    enabled: isReady && comparison.isOn,
  })
  const former = comparison.isOn ? asked.data : undefined
  const rows = useMemo(() => data && rowsOf(by, data, former), [data, former, by])
  const table = useTable({
    tableName: TABLES[by],
    columns: CHARGEBACK_COLUMNS[by](comparison.isOn),
    naturalSorting: MOST_USED_FIRST,
    urlPrefix: 'chargeback.',
    rowKey,
    source: loadedSource(['chargeback-rows', customerNumber, days.from, days.to, by], CHARGEBACK_FIELDS, {
      data: rows,
      error,
      refetch,
    }),
  })
  const fileName = `chargeback-by-${by}_${customerNumber}_${days.from}_${days.to}`
  const { filter, sorting } = table.request
  const body = { customerNumber, ...days, by, filter, sorting: [...sorting] }
  return (
    <>
      <Group className="one-row" gap="xs" mb={2} justify="space-between">
        <PeriodBar periods={PERIODS} period={period} days={days} onChoose={onChoosePeriod} comparison={comparison} />
        <Group gap={4}>
          <PdfExport
            size="xs"
            fetchPdf={() => fetchFile('statements/chargeback/pdf', { body })}
            fileName={`${fileName}.pdf`}
            isDisabled={!table.list.total}
          />
          <EmailFiles
            size="xs"
            what={`The chargeback by ${noun} from ${days.from} to ${days.to}`}
            send={(recipients, idempotencyKey) =>
              call('statements/chargeback/email', { body: { ...body, recipients }, idempotencyKey })
            }
            reason={table.list.total ? undefined : NOTHING_TO_EXPORT}
          />
        </Group>
      </Group>
      {comparison.isOn && asked.error && <FailureNotice failure={asked.error} onRetry={() => void asked.refetch()} />}
      <div className={classes.pair}>
        <DataTable
          table={table}
          title="Chargeback"
          label={`Chargeback by ${noun}`}
          what={several}
          rowName={rowKey}
          // A total of everything under a part of the rows would mislead.
          totals={hasFilters(table.state.view) ? [] : data?.totals.map((total) => toTotals(total, former))}
          controls={
            <SegmentedControl
              size="xs"
              data={CHARGEBACK_DIMENSIONS.map((value) => ({ value, label: CHARGEBACK_LABELS[value] }))}
              value={by}
              onChange={(value) => onChoose(value as ChargebackDimension)}
              aria-label="Charge usage back by"
            />
          }
          actions={
            <TableCsv
              table={table}
              fetchCsv={(question) =>
                fetchFile('statements/chargeback/export', { body: { customerNumber, ...days, by, ...question } })
              }
              fileName={`${fileName}.csv`}
            />
          }
          noRows={`No usage from ${days.from} to ${days.to}.`}
        />
        <div className={classes.charts}>
          {data?.totals.map(({ currency, used }) => (
            <Paper key={currency} p="md">
              <ChartCard
                title={`Chargeback by ${noun}, ${currency}`}
                subject={customerNumber}
                description={`Bars of what each ${noun} used from ${days.from} to ${days.to}, in ${currency}`}
                pointName={CHARGEBACK_LABELS[by]}
                series={[
                  { name: `Used (${currency})`, look: 'bars' },
                  ...(former ? [{ name: 'Period before', look: 'gray bars' } as const] : []),
                ]}
                points={chartPoints(
                  partsIn(rows ?? [], currency),
                  former && partsIn(rowsOf(by, former, undefined), currency),
                )}
                total={Number(used)}
                valueText={amountText}
                fileName={`${fileName}-${currency}`}
              />
            </Paper>
          ))}
        </div>
      </div>
    </>
  )
}

/** More bars than this are hard to tell apart. */
const MAX_BARS = 12

/** The largest ones, and the rest as one bar, so that the bars add up to the total. */
function chartPoints(parts: readonly ChartPart[], before: readonly ChartPart[] | undefined): ChartPoint[] {
  const folded = foldRest(parts, MAX_BARS)
  const earlier = before && foldedBefore(folded, parts, before)
  return folded.map(({ label, value }, at) => ({
    label,
    values: [Number(value), ...(earlier ? [Number(earlier[at])] : [])],
  }))
}

const partsIn = (rows: readonly ChargebackTableRow[], currency: string): ChartPart[] =>
  rows.filter((row) => row.currency === currency).map(({ name, exact }) => ({ label: name, value: exact.used }))

function rowsOf(
  by: ChargebackDimension,
  now: Chargeback,
  before: Chargeback | undefined,
): Compared<ChargebackTableRow>[] {
  const toRows = ({ rows }: Chargeback) => rows.map((row) => chargebackTableRow(by, row))
  return withBefore(toRows(now), before && toRows(before), rowKey, ({ exact }) => exact.used)
}

const toTotals = ({ used, hours, transactions, currency }: ChargebackTotal, before: Chargeback | undefined) => ({
  used: formatDecimal(used, 2),
  change: before && changeText(used, before.totals.find((total) => total.currency === currency)?.used ?? '0'),
  hours: formatDecimal(hours, 2),
  transactions: countText(transactions),
  currency,
})

const rowKey = (row: ChargebackTableRow) => `${row.name} ${row.currency}`

/** The dimension in the address; the default has none there. */
function useDimension(): [ChargebackDimension, (by: ChargebackDimension) => void] {
  const { search } = useLocation()
  const navigate = useNavigate()
  const named = new URLSearchParams(search).get(DIMENSION)
  const by = CHARGEBACK_DIMENSIONS.find((one) => one === named) ?? CHARGEBACK_DIMENSIONS[0]
  const choose = (next: ChargebackDimension) => {
    // Reads the window's address, because tables change the search part without the router.
    const address = new URLSearchParams(window.location.search)
    for (const name of [...address.keys()]) if (name.startsWith(`${DIMENSION}.`)) address.delete(name)
    address.set('tab', 'chargeback')
    if (next === CHARGEBACK_DIMENSIONS[0]) address.delete(DIMENSION)
    else address.set(DIMENSION, next)
    void navigate({ search: String(address) }, { replace: true, preventScrollReset: true })
  }
  return [by, choose]
}
