import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import {
  CHARGEBACK_FIELDS,
  type ChargebackTableRow,
  chargebackTableRow,
  exportChargeback,
} from '#contract/elastic/statements/chargeback.ts'
import type { TableName } from '#contract/settings/table-names.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { foldRest } from '#domain/chart/fold-rest.ts'
import {
  CHARGEBACK_DIMENSIONS,
  CHARGEBACK_LABELS,
  type ChargebackDimension,
  type ChargebackTotal,
} from '#domain/elastic/statements/chargeback.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { fetchFile } from '#web/lib/api-client.ts'
import { amountText, countText } from '#web/lib/format.ts'
import { CHARGEBACK_COLUMNS } from '#web/modules/elastic/statements/chargeback-columns.ts'
import { chargebackQuery } from '#web/modules/elastic/statements/statement.api.ts'
import { MOST_USED_FIRST } from '#web/modules/elastic/statements/statement-columns.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { loadedSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'
import { hasFilters } from '#web/table/view/table-view.ts'
import { ChartCard } from '#web/ui/chart/chart-card.tsx'
import { TableCsv } from '#web/ui/csv-export.tsx'
import classes from './statement.module.css'

type Props = { customerNumber: string; days: DayRange; isReady: boolean }

/** The usage of a statement's period by project, user, host or product. */
export function Chargeback(props: Props) {
  const [by, choose] = useDimension()
  // Each dimension is a separate table with its own saved view.
  return <ChargebackTable key={by} {...props} by={by} onChoose={choose} />
}

const TABLES: Record<ChargebackDimension, TableName> = {
  project: 'chargebackByProject',
  user: 'chargebackByUser',
  host: 'chargebackByHost',
  product: 'chargebackByProduct',
}

/** The page has another table of products. */
const WHAT: Record<ChargebackDimension, string> = {
  project: 'projects',
  user: 'users',
  host: 'hosts',
  product: 'charged products',
}

type TableProps = Props & { by: ChargebackDimension; onChoose(by: ChargebackDimension): void }

function ChargebackTable({ customerNumber, days, isReady, by, onChoose }: TableProps) {
  const { data, error, refetch } = useQuery({ ...chargebackQuery(customerNumber, days, by), enabled: isReady })
  const rows = useMemo(() => data?.rows.map((row) => chargebackTableRow(by, row)), [data, by])
  const table = useTable({
    tableName: TABLES[by],
    columns: CHARGEBACK_COLUMNS[by],
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
  return (
    <>
      <DataTable
        table={table}
        title="Chargeback"
        label={`Chargeback by ${by}`}
        what={WHAT[by]}
        rowName={rowKey}
        // A total of everything under a part of the rows would mislead.
        totals={hasFilters(table.state.view) ? [] : data?.totals.map(toTotals)}
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
            fetchCsv={(question) => fetchFile(exportChargeback, { body: { customerNumber, ...days, by, ...question } })}
            fileName={`${fileName}.csv`}
          />
        }
        noRows={`No usage from ${days.from} to ${days.to}.`}
      />
      <div className={classes.pies}>
        {data?.totals.map(({ currency, used }) => (
          <ChartCard
            key={currency}
            title={`Chargeback by ${by}, ${currency}`}
            subject={customerNumber}
            description={`Bars of what each ${by} used from ${days.from} to ${days.to}, in ${currency}`}
            points={chartPoints(rows ?? [], currency)}
            columns={[CHARGEBACK_LABELS[by], `Used (${currency})`]}
            total={Number(used)}
            valueText={amountText}
            fileName={`${fileName}-${currency}`}
          />
        ))}
      </div>
    </>
  )
}

/** More bars than this are hard to tell apart. */
const MOST_BARS = 12

/** The largest ones, and the rest as one bar, so that the bars add up to the total. */
const chartPoints = (rows: readonly ChargebackTableRow[], currency: string) =>
  foldRest(
    rows.filter((row) => row.currency === currency).map(({ name, exact }) => ({ label: name, value: exact.used })),
    MOST_BARS,
  ).map(({ label, value }) => ({ label, value: Number(value) }))

const toTotals = ({ used, hours, transactions, currency }: ChargebackTotal) => ({
  used: formatDecimal(used, 2),
  hours: formatDecimal(hours, 2),
  transactions: countText(transactions),
  currency,
})

const rowKey = (row: ChargebackTableRow) => `${row.name} ${row.currency}`

const BY = 'chargeback'

/** The dimension in the address; the default has none there. */
function useDimension(): [ChargebackDimension, (by: ChargebackDimension) => void] {
  const [search, setSearch] = useSearchParams()
  const by = CHARGEBACK_DIMENSIONS.find((one) => one === search.get(BY)) ?? CHARGEBACK_DIMENSIONS[0]
  const choose = (next: ChargebackDimension) =>
    setSearch(
      (now) => {
        const address = new URLSearchParams(now)
        for (const name of [...address.keys()]) if (name.startsWith(`${BY}.`)) address.delete(name)
        if (next === CHARGEBACK_DIMENSIONS[0]) address.delete(BY)
        else address.set(BY, next)
        return address
      },
      { replace: true, preventScrollReset: true },
    )
  return [by, choose]
}
