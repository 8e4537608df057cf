import { Group, Paper, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import {
  ORDER_FIELDS,
  type OrderRow,
  PRODUCT_FIELDS,
  type ProductRow,
  toOrderRow,
  toProductRow,
} from '#contract/elastic/statements/statement-rows.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { periodBefore } from '#domain/calendar/period-before.ts'
import { correctionsNote, type StatedCorrections } from '#domain/elastic/statements/stated-corrections.ts'
import {
  type CurrencyPart,
  NO_ENTITLEMENTS,
  PIE_PARTS,
  partsByCurrency,
  type Statement,
} from '#domain/elastic/statements/statement.ts'
import { changeText } from '#domain/elastic/statements/usage-change.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { hasCode } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { EmailActions } from '#web/modules/elastic/statements/email-actions.tsx'
import { EmailFiles } from '#web/modules/elastic/statements/email-files.tsx'
import {
  emailStatementFiles,
  fetchStatementCsv,
  fetchStatementPdf,
  type Shown,
  statementQuery,
} from '#web/modules/elastic/statements/statement.api.ts'
import {
  type Compared,
  DETAIL_COLUMNS,
  MOST_USED_FIRST,
  orderColumns,
  productColumns,
  withBefore,
} from '#web/modules/elastic/statements/statement-columns.ts'
import { ORDER_VIEW, PERIODS } from '#web/modules/elastic/statements/statement-period.ts'
import { DataTable } from '#web/table/data-table.tsx'
import type { ListRequest } from '#web/table/list/list-state.ts'
import { loadedSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'
import { hasFilters } from '#web/table/view/table-view.ts'
import { useTableView } from '#web/table/view/use-table-view.ts'
import { PieChart } from '#web/ui/chart/pie-chart.tsx'
import { NOTHING_TO_EXPORT, TableCsv } from '#web/ui/csv-export.tsx'
import { useComparison } from '#web/ui/date-range/comparison.ts'
import { daysOf, type Period, readPeriod, savePeriod } from '#web/ui/date-range/period.ts'
import { PeriodBar } from '#web/ui/date-range/period-bar.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { PdfExport } from '#web/ui/pdf-export.tsx'
import classes from './statement.module.css'

const BY_PURCHASE_ORDER = [{ column: 'ansysponum', direction: 'asc' }] as const
/** What was used of one entitlement is seen at once. */
const ALL_PRODUCTS = [1000]
const NOTHING: Statement = { records: [], products: [] }
const units = (value: string) => formatDecimal(value, 2)

/** What an account used in a period, by purchase order and by product, with the balances before and after it. */
export function SummaryTab() {
  const { number, info } = useKnownCustomer()
  // The period is saved with the view of the first table, so that its Reset View restores both.
  const { extra, isReady } = useTableView({ ...ORDER_VIEW, customerNumber: number })
  const period = readPeriod(extra, info.timeZone, PERIODS)
  const days = daysOf(period, info.today)
  const query = useQuery({ ...statementQuery(number, days), enabled: isReady })
  const isEmpty = hasCode(query.error, 'NO_ACTIVE_ENTITLEMENTS')
  const statement = isEmpty ? NOTHING : query.data
  const parts = useMemo(() => partsByCurrency(statement ?? NOTHING), [statement])
  const comparison = useComparison()
  const former = useStatementBefore(number, days, isReady && comparison.isOn)
  const orders = useMemo(() => statement && ordersOf(statement, former.statement), [statement, former.statement])
  const products = useMemo(() => statement && productsOf(statement, former.statement), [statement, former.statement])
  const loading = { error: isEmpty ? null : query.error, refetch: query.refetch }

  const key = ['statement-rows', number, days.from, days.to]
  const orderTable = useTable({
    ...ORDER_VIEW,
    columns: orderColumns(comparison.isOn),
    naturalSorting: BY_PURCHASE_ORDER,
    rowKey: orderKey,
    source: loadedSource([...key, 'orders'], ORDER_FIELDS, { ...loading, data: orders }),
  })
  const productTable = useTable({
    tableName: 'statementByProduct',
    columns: productColumns(comparison.isOn),
    naturalSorting: MOST_USED_FIRST,
    urlPrefix: 'product.',
    rowKey: productKey,
    source: loadedSource([...key, 'products'], PRODUCT_FIELDS, { ...loading, data: products }),
  })
  const choose = (next: Period) => orderTable.state.change(({ view }) => ({ view, extra: savePeriod(next, PERIODS) }))
  // A total of everything under a part of the rows would mislead.
  const totalsOf = <T,>(table: typeof orderTable | typeof productTable, totals: readonly T[]) =>
    hasFilters(table.state.view) ? [] : totals
  const hasStatement = query.data !== undefined && !query.isError
  const shown = { orders: shownIn(orderTable), products: shownIn(productTable) }
  const isNothingShown = orderTable.list.total === 0 && productTable.list.total === 0
  const noRows = `${NO_ENTITLEMENTS} from ${days.from} to ${days.to}. Choose another date range.`
  return (
    <>
      <Group className="one-row" gap="xs" mb={2} justify="space-between">
        <PeriodBar periods={PERIODS} period={period} days={days} onChoose={choose} comparison={comparison} />
        <Group gap={4}>
          <PdfExport
            size="xs"
            fetchPdf={() => fetchStatementPdf(number, days, shown)}
            fileName={`statement_${number}_${days.from}_${days.to}.pdf`}
            isDisabled={!hasStatement || isNothingShown}
          />
          <EmailFiles
            size="xs"
            what={`The statement from ${days.from} to ${days.to}`}
            send={(recipients, key) => emailStatementFiles(number, days, { ...shown, recipients }, key)}
            reason={hasStatement && !isNothingShown ? undefined : NOTHING_TO_EXPORT}
          />
        </Group>
      </Group>
      {/* On the screen the menu of the period says the same. */}
      <div className={classes.printed}>
        <Facts
          layout="line"
          facts={[
            ['Period Start Date', days.from],
            ['Period End Date', days.to],
          ]}
        />
      </div>
      {former.failure && <FailureNotice failure={former.failure} onRetry={former.retry} />}
      <div className={classes.pair}>
        <DataTable
          table={orderTable}
          title="Usage by purchase order"
          what="entitlements"
          rowName={orderName}
          detail={detailOf}
          actionsWidth={44}
          rowActions={emailActionsOf}
          actions={
            <TableCsv
              table={orderTable}
              fetchCsv={(question) => fetchStatementCsv(number, days, 'orders', question)}
              fileName={`statement-by-purchase-order_${number}_${days.from}_${days.to}.csv`}
            />
          }
          totals={totalsOf(
            orderTable,
            parts.map(({ currency, balanceBefore, used, balanceAfter }) => ({
              balancebeforestart: units(balanceBefore),
              used: units(used),
              change: former.changeOf(currency, used),
              balanceatend: units(balanceAfter),
              currency,
            })),
          )}
          noRows={noRows}
        />
        <Pies
          what={PIE_PARTS.purchaseOrders}
          parts={parts}
          before={former.parts}
          partsOf={(part) => part.purchaseOrders}
          days={days}
        />
      </div>
      <div className={classes.pair} data-even>
        <DataTable
          table={productTable}
          title="Usage by product"
          what="products"
          rowName={productKey}
          actions={
            <TableCsv
              table={productTable}
              fetchCsv={(question) => fetchStatementCsv(number, days, 'products', question)}
              fileName={`statement-by-product_${number}_${days.from}_${days.to}.csv`}
            />
          }
          totals={totalsOf(
            productTable,
            parts.map(({ currency, used }) => ({
              used: units(used),
              change: former.changeOf(currency, used),
              currency,
            })),
          )}
          noRows={isEmpty ? noRows : `No usage from ${days.from} to ${days.to}.`}
        />
        <Pies
          what={PIE_PARTS.products}
          parts={parts}
          before={former.parts}
          partsOf={(part) => part.products}
          days={days}
        />
      </div>
      <Corrections corrections={query.data?.corrections} />
    </>
  )
}

const shownIn = ({ request: { filter, sorting } }: { request: ListRequest }): Shown => ({
  filter,
  sorting: [...sorting],
})
const orderKey = (row: OrderRow) => row.activationid
const orderName = (row: OrderRow) => `${row.ansysponum} ${row.activationid}`
const productKey = (row: ProductRow) => `${row.product} ${row.currency}`
const emailActionsOf = (row: OrderRow) => <EmailActions activationId={row.activationid} />
const detailOf = (row: OrderRow) => <RecordProducts row={row} />

/** The statement of the period before, while it is compared with. */
function useStatementBefore(number: string, days: DayRange, isOn: boolean) {
  const { data, error, refetch } = useQuery({ ...statementQuery(number, periodBefore(days)), enabled: isOn })
  const isEmpty = hasCode(error, 'NO_ACTIVE_ENTITLEMENTS')
  const statement = !isOn ? undefined : isEmpty ? NOTHING : data
  const parts = useMemo(() => statement && partsByCurrency(statement), [statement])
  return {
    statement,
    parts,
    failure: isOn && !isEmpty ? error : null,
    retry: () => void refetch(),
    changeOf(currency: string, used: string): string {
      return parts ? changeText(used, parts.find((part) => part.currency === currency)?.used ?? '0') : ''
    },
  }
}

const ordersOf = ({ records }: Statement, before: Statement | undefined): Compared<OrderRow>[] =>
  withBefore(records.map(toOrderRow), before?.records.map(toOrderRow), orderKey, ({ record }) => record.used)
const productsOf = ({ products }: Statement, before: Statement | undefined): Compared<ProductRow>[] =>
  withBefore(products.map(toProductRow), before?.products.map(toProductRow), productKey, (row) => row.units)

type PiesProps = {
  what: readonly [one: string, several: string]
  parts: readonly CurrencyPart[]
  before: readonly CurrencyPart[] | undefined
  partsOf(part: CurrencyPart): CurrencyPart['products']
  days: DayRange
}

/** One pie for each currency that was used. */
function Pies({ what, parts, before, partsOf, days }: PiesProps) {
  const { number } = useKnownCustomer()
  const used = parts.filter((part) => partsOf(part).some(({ value }) => Number(value) > 0))
  if (used.length === 0) return null
  return (
    <div className={classes.charts}>
      {used.map((part) => (
        <Paper key={part.currency} p="md">
          <PieChart
            title={`Usage by ${what[0]}, ${part.currency}`}
            subject={number}
            parts={partsOf(part)}
            what={what}
            unit={part.currency}
            before={before?.filter(({ currency }) => currency === part.currency).flatMap(partsOf)}
            fileName={`usage-by-${what[0].replace(' ', '-')}-${number}-${days.from}-${days.to}-${part.currency}`}
          />
        </Paper>
      ))}
    </div>
  )
}

function RecordProducts({ row: { record, activationid } }: { row: OrderRow }) {
  const rows = useMemo(
    () => record.products.map((product) => toProductRow({ ...product, currency: record.currency })),
    [record],
  )
  const table = useTable({
    columns: DETAIL_COLUMNS,
    naturalSorting: MOST_USED_FIRST,
    pageSizes: ALL_PRODUCTS,
    rowKey: productKey,
    source: loadedSource(['statement-record', activationid, rows], PRODUCT_FIELDS, {
      data: rows,
      error: null,
      refetch: () => undefined,
    }),
  })
  return (
    <DataTable
      table={table}
      isPlain
      label={`Products of ${activationid}`}
      what="products"
      noRows="Nothing was used in this period."
    />
  )
}

/** What corrections took back in the period. The usage screen shows each with its original. */
function Corrections({ corrections }: { corrections: readonly StatedCorrections[] | undefined }) {
  const note = correctionsNote(corrections ?? [])
  return note ? (
    <Text size="sm" mb="md">
      {note}
    </Text>
  ) : null
}
