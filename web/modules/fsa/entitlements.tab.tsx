import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { CONTRACT_ROW_FIELDS, type ContractRow, contractRows } from '#contract/fsa/contract-row.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { ContractDetail } from '#web/modules/fsa/contract-detail.tsx'
import { fsaEntitlementsQuery } from '#web/modules/fsa/fsa.api.ts'
import { LOADING } from '#web/modules/fsa/fsa-texts.ts'
import { orderedEntitlement } from '#web/modules/fsa/history-columns.tsx'
import {
  currencyColumn,
  IN_CURRENCY,
  REMAINING_DAYS,
  USED_PERCENTAGE,
} from '#web/parts/entitlement/balance-columns.tsx'
import { entitlementColumn } from '#web/parts/entitlement/entitlement-cell.tsx'
import { entitlementQuestion, LAST_TO_END_COLUMNS } from '#web/parts/entitlement/entitlement-question.ts'
import type { Column } from '#web/table/columns/column.ts'
import { amountColumn, dayColumn } from '#web/table/columns/column-kinds.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { rowsSource } from '#web/table/list/use-loaded-list.ts'
import { type Activity, useActivityTable } from '#web/table/use-activity-table.ts'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

/** The contracts of the account, with what is left of them. */
export function EntitlementsTab({ onOrder }: { onOrder(entitlementId: string): void }) {
  const { number, info } = useKnownCustomer()
  const { data, error, refetch } = useQuery(fsaEntitlementsQuery(number))
  const { active, inactive } = useMemo(() => {
    const rows = contractRows(data ?? [], info.today)
    return { active: rows.filter(({ isActive }) => isActive), inactive: rows.filter(({ isActive }) => !isActive) }
  }, [data, info.today])
  if (error) return <FailureNotice failure={error} onRetry={() => void refetch()} />
  if (!data) return <Spinner text={LOADING} />
  return (
    <>
      <ContractSection activity="active" rows={active} onOrder={onOrder} />
      <ContractSection activity="inactive" rows={inactive} />
    </>
  )
}

const TEXTS = {
  title: 'Entitlements',
  what: 'entitlements',
  active: { tableName: 'fsaActiveEntitlements', noRows: 'Account does not have any active entitlements.' },
  inactive: { tableName: 'fsaInActiveEntitlements', noRows: 'No contract has expired or is used up.' },
} as const

type Props = {
  activity: Activity
  rows: readonly ContractRow[]
  /** Only active contracts can be ordered from. */
  onOrder?: (entitlementId: string) => void
}

/** One of the two tables of contracts. */
function ContractSection({ activity, rows, onOrder }: Props) {
  const { number, info } = useKnownCustomer()
  const props = useActivityTable(activity, TEXTS, {
    columns: CONTRACT_COLUMNS,
    rowKey,
    source: rowsSource(['fsa-rows', number, activity], CONTRACT_ROW_FIELDS, rows),
    sorting: LAST_TO_END_COLUMNS,
    naturalSorting: LAST_TO_END_COLUMNS,
    pageSizes: PAGE_SIZES,
    toQuestion: (view) => entitlementQuestion(view, { fields: ['entitlementId', 'ansysproduct'], today: info.today }),
  })
  return (
    <DataTable
      {...props}
      rowName={rowName}
      detail={detailOf}
      // Both tables keep the room, so that their columns line up.
      actionsWidth={98}
      rowActions={(row) =>
        onOrder && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Order Now from ${row.entitlementId}`}
            onClick={() => onOrder(row.entitlementId)}
          >
            Order Now
          </Button>
        )
      }
    />
  )
}

const PAGE_SIZES = [25, 50, 100, 500] as const
const rowKey = (row: ContractRow) => row.entitlementId
const rowName = (row: ContractRow) => `${row.ansysproduct} ${row.entitlementId}`
const detailOf = (row: ContractRow) => <ContractDetail row={row} />

/** Fits a window of 1280 pixels with an open menu. */
const CONTRACT_COLUMNS: readonly Column<ContractRow>[] = [
  entitlementColumn({ id: 'ansysproduct', width: 160, flexible: { min: 160 } }, (row) => ({
    ...orderedEntitlement(row),
    name: row.entitlementId,
  })),
  dayColumn('startdate', 'Start Date', 98),
  dayColumn('enddate', 'Expiration Date', 100),
  REMAINING_DAYS,
  amountColumn('quantity', 'Total', 90, IN_CURRENCY),
  amountColumn('remaining', 'Remaining', 90, { ...IN_CURRENCY, phone: 'second line' }),
  currencyColumn(76),
  USED_PERCENTAGE,
]
