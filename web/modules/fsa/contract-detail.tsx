import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { bookingsOf } from '#contract/fsa/bookings.ts'
import type { ContractRow } from '#contract/fsa/contract-row.ts'
import type { WireFsaEntitlement } from '#contract/fsa/entitlements.ts'
import { type HistoryRow, historyList } from '#contract/fsa/history-list.ts'
import { balanceOverTime } from '#domain/fsa/balance-over-time.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { amountText } from '#web/lib/format.ts'
import { fsaEntitlementsQuery } from '#web/modules/fsa/fsa.api.ts'
import { HISTORY_COLUMNS } from '#web/modules/fsa/history-columns.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { rowsSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'
import { ChartCard } from '#web/ui/chart/chart-card.tsx'
import classes from './fsa.module.css'

/** Below a contract: how its balance went down, and by which orders. */
export function ContractDetail({ row }: { row: ContractRow }) {
  const { number } = useKnownCustomer()
  // The rows of the table were made of the same answer.
  const { data = [] } = useQuery(fsaEntitlementsQuery(number))
  return (
    <div className={classes.detail}>
      <Balance row={row} entitlements={data} />
      <Orders row={row} entitlements={data} />
    </div>
  )
}

type Props = { row: ContractRow; entitlements: readonly WireFsaEntitlement[] }

function Balance({ row, entitlements }: Props) {
  const { info } = useKnownCustomer()
  const { entitlementId, startdate, enddate, currency } = row
  const contract = entitlements.find(({ EntitlementID }) => EntitlementID === entitlementId)
  const days = balanceOverTime(
    { startDate: startdate, price: contract?.ansysprice ?? row.quantity },
    bookingsOf(entitlements, entitlementId, info.timeZone),
  )
  return (
    <ChartCard
      title="Balance over time"
      subject={entitlementId}
      description={`Steps of what was left of the contract after each day with orders, in ${currency}`}
      pointName="Day"
      series={[{ name: `Balance (${currency})`, look: 'steps' }]}
      points={days.map(({ day, balance }) => ({ label: day, values: [Number(balance)] }))}
      isByDay
      until={row.remainingdays === 'EXPIRED' ? enddate : info.today}
      valueText={amountText}
      fileName={`balance-${entitlementId}`}
    />
  )
}

function Orders({ row: { entitlementId }, entitlements }: Props) {
  const rows = useMemo(() => ordersOf(entitlements, entitlementId), [entitlements, entitlementId])
  const source = useMemo(
    () => rowsSource(['contract-orders', entitlementId], historyList.fields, rows),
    [entitlementId, rows],
  )
  const table = useTable({ columns: COLUMNS, rowKey, source, sorting: NEWEST_FIRST, pageSizes: PAGE_SIZES })
  return (
    <section aria-label={`Orders from ${entitlementId}`}>
      <Title order={3} mb="xs">
        Orders
      </Title>
      <DataTable
        table={table}
        isPlain
        isTwoLine
        label={`Orders from ${entitlementId}`}
        what="orders"
        rowName={rowName}
        noRows="Nothing has been ordered from this contract yet."
      />
    </section>
  )
}

/** Contract and currency are those of the row above, and so few orders need no filters. */
const COLUMNS = HISTORY_COLUMNS.filter(({ id }) => id !== 'fsaId' && id !== 'currency').map(
  ({ filter: _, ...column }) => column,
)
const NEWEST_FIRST = [{ column: 'orderdate', direction: 'desc' }] as const
const PAGE_SIZES = [10, 25, 50, 100, 500] as const
const rowKey = (row: HistoryRow) => row.activationid
const rowName = (row: HistoryRow) => `${row.ansysproduct} ${row.entitlementId}`.trim()

/** What was ordered from a contract, as the history shows it. */
function ordersOf(entitlements: readonly WireFsaEntitlement[], fsaId: string): HistoryRow[] {
  return entitlements
    .filter(({ apimeta }) => apimeta.fsaID === fsaId)
    .map((one) => ({
      activationid: one.ActivationId,
      entitlementId: one.EntitlementID,
      ansysproduct: one.ProductName,
      fsaId,
      orderdate: one.apimeta.timestamp,
      count: one.LineItemQuantity,
      startdate: one.StartDate,
      enddate: one.EndDate,
      cost: Number(one.ansysprice),
      currency: one.ansyscurrency,
      requester: one.apimeta.requesterEmail,
      manualentry: one.manualentry,
    }))
}
