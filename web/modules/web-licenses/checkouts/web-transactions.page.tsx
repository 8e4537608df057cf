import { useMemo } from 'react'
import type { Sum } from '#contract/kit/list.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { fetchFile } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { CHECKOUT_COLUMNS } from '#web/modules/web-licenses/checkouts/checkout-columns.ts'
import { type Checkout, checkoutSource } from '#web/modules/web-licenses/checkouts/checkouts.api.ts'
import { noUsageText, UsageControls, usageScope } from '#web/parts/usage-period/usage-controls.tsx'
import { readChoice, usageDemands } from '#web/parts/usage-period/usage-period.ts'
import { useUsageChoice } from '#web/parts/usage-period/use-usage-choice.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { useSums } from '#web/table/list/use-sums.ts'
import { useTable } from '#web/table/use-table.ts'
import { CsvExport } from '#web/ui/csv-export.tsx'
import { PageHead } from '#web/ui/page-head.tsx'

const FIELDS = { start: 'startTime', end: 'endTime', active: 'isActive' }
const ACTIVE = 'Active Checkouts'

/** Checkouts of web licenses, those that run and those that are over. */
export function Page() {
  const { number, info } = useKnownCustomer()
  const source = useMemo(() => checkoutSource(number), [number])
  const table = useTable({
    tableName: 'webTransactions',
    columns: CHECKOUT_COLUMNS,
    rowKey,
    source,
    demands: ({ extra }) => usageDemands(FIELDS, readChoice(extra, info.timeZone), info),
  })
  const sums = useSums(source, table)
  const totals = useMemo(() => sums.map(totalsOf), [sums])
  const choice = useUsageChoice(table.state, info)
  return (
    <>
      <PageHead />
      <DataTable
        table={table}
        label="Web license checkouts"
        what="checkouts"
        rowName={checkoutName}
        totals={totals}
        scope={usageScope(choice, ACTIVE)}
        controls={<UsageControls choice={choice} today={info.today} timeZone={info.timeZone} activeLabel={ACTIVE} />}
        actions={
          <CsvExport
            fetchCsv={() =>
              fetchFile('web/checkouts/export', { body: { customerNumber: number, filter: table.request.filter } })
            }
            fileName={`web-transactions_${number}_${choice.days.from}_${choice.days.to}.csv`}
            total={table.list.total}
          />
        }
        noRows={noUsageText(choice, { today: info.today, noun: 'checkout', activeLabel: ACTIVE })}
      />
    </>
  )
}

const totalsOf = ({ by, sums }: Sum) => ({ licenseModel: by, hours: formatDecimal(sums.hours ?? '0', 2) })
const rowKey = (row: Checkout) => String(row.number)
const checkoutName = (row: Checkout) => `${row.product} of ${row.email}`
