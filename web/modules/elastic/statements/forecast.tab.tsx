import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  FORECAST_FIELDS,
  type ForecastRow,
  type RunOutForecast,
  toForecastRow,
} from '#contract/elastic/balances/run-out-forecast.ts'
import { FORECAST_METHOD, FORECAST_WINDOWS, runOutText, USUAL_WINDOW } from '#domain/elastic/balances/run-out.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { call, fetchFile } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { runOutQuery } from '#web/modules/elastic/balances/balances.api.ts'
import { EmailFiles } from '#web/modules/elastic/statements/email-files.tsx'
import { IN_CURRENCY } from '#web/parts/entitlement/balance-columns.tsx'
import type { Column } from '#web/table/columns/column.ts'
import { amountColumn, dayColumn, idColumn, textColumn, withoutFilters } from '#web/table/columns/column-kinds.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { loadedSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'
import { CsvExport, NOTHING_TO_EXPORT } from '#web/ui/csv-export.tsx'
import { PdfExport } from '#web/ui/pdf-export.tsx'

const COLUMNS = withoutFilters<ForecastRow>([
  textColumn('purchaseOrder', 'Purchase Order', 150, { flexible: { min: 140 }, phone: 'first line' }),
  idColumn('activationId', 'Activation ID', 144),
  dayColumn('endDate', 'End Date', 102),
  amountColumn('balance', 'Balance', 120, {
    ...IN_CURRENCY,
    phone: 'second line',
    text: ({ exact }) => formatDecimal(exact.left, 2),
  }),
  textColumn('currency', 'Currency', 96),
  ...FORECAST_WINDOWS.map(
    (window, at): Column<ForecastRow> => ({
      id: `in${window}`,
      header: `At ${window}-Day Average`,
      width: 104,
      kind: 'date',
      // Three dates have no room on a phone.
      ...(window === USUAL_WINDOW ? { phone: 'second line' as const } : {}),
      text: ({ exact: { windows } }) => (windows[at] ? runOutText(windows[at].runOut) : ''),
    }),
  ),
])

/** Sorted in the order in which the balances are drawn on. */
const FIRST_TO_END_FIRST = [{ column: 'endDate', direction: 'asc' }] as const

/** When the balances are used up, seen from today and not from the period of a statement. */
export function ForecastTab() {
  const { number: customerNumber, info } = useKnownCustomer()
  const query = useQuery({ ...runOutQuery(customerNumber), select: toRows })
  const table = useTable({
    tableName: 'runOutForecast',
    urlPrefix: 'forecast.',
    columns: COLUMNS,
    rowKey,
    naturalSorting: FIRST_TO_END_FIRST,
    source: loadedSource(['run-out-rows', customerNumber], FORECAST_FIELDS, { ...query, data: query.data?.rows }),
  })
  const fileName = `run-out-forecast_${customerNumber}_${query.data?.asOf ?? info.today}`
  const hasBalances = (query.data?.rows.length ?? 0) > 0
  const body = { customerNumber, sorting: [...table.request.sorting] }
  return (
    <>
      <Group gap={4} mb="xs" justify="flex-end">
        <PdfExport
          size="xs"
          fetchPdf={() => fetchFile('getEntitlements/forecast/pdf', { body })}
          fileName={`${fileName}.pdf`}
          isDisabled={!hasBalances}
        />
        <EmailFiles
          size="xs"
          what="The run-out forecast of today"
          send={(recipients, idempotencyKey) =>
            call('getEntitlements/forecast/email', { body: { ...body, recipients }, idempotencyKey })
          }
          reason={hasBalances ? undefined : NOTHING_TO_EXPORT}
        />
      </Group>
      <DataTable
        table={table}
        title="Run-out forecast"
        what="balances"
        rowName={rowKey}
        actions={
          <CsvExport
            fetchCsv={() => fetchFile('getEntitlements/forecast/export', { body })}
            fileName={`${fileName}.csv`}
            total={query.data?.rows.length}
          />
        }
        noRows="This account has no current elastic balance."
      />
      <Text size="sm" c="dimmed" mt="xs" mb="lg" maw="60rem">
        {query.data && `As of ${query.data.asOf}. `}
        {FORECAST_METHOD}
      </Text>
    </>
  )
}

const rowKey = (row: ForecastRow) => row.activationId

const toRows = ({ asOf, balances }: RunOutForecast) => ({ asOf, rows: balances.map(toForecastRow) })
