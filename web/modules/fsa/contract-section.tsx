import { Button } from '@mantine/core'
import { LAST_TO_END_FIRST } from '#contract/entitlements/balance-row.ts'
import { CONTRACT_ROW_FIELDS, type ContractRow } from '#contract/fsa/contract-row.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { CONTRACT_COLUMNS } from '#web/modules/fsa/contract-columns.tsx'
import { ContractDetail } from '#web/modules/fsa/contract-detail.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { rowsSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'
import { entitlementQuestion } from '#web/ui/entitlement/entitlement-question.ts'

const SORTING = LAST_TO_END_FIRST.map(({ name, direction }) => ({ column: name, direction }))

const TEXTS = {
  active: {
    title: 'Active Entitlements',
    tableName: 'fsaActiveEntitlements',
    what: 'active entitlements',
    noRows: 'Account does not have any active entitlements.',
  },
  inactive: {
    title: 'Inactive Entitlements',
    tableName: 'fsaInActiveEntitlements',
    what: 'inactive entitlements',
    noRows: 'No contract has expired or is used up.',
  },
} as const

type Props = {
  activity: 'active' | 'inactive'
  rows: readonly ContractRow[]
  /** Only active contracts can be ordered from. */
  onOrder?: (entitlementId: string) => void
}

/** One of the two tables of contracts. */
export function ContractSection({ activity, rows, onOrder }: Props) {
  const { number, info } = useKnownCustomer()
  const { tableName, ...texts } = TEXTS[activity]
  const table = useTable({
    tableName,
    urlPrefix: `${activity}.`,
    columns: CONTRACT_COLUMNS,
    rowKey,
    source: rowsSource(['fsa-rows', number, activity], CONTRACT_ROW_FIELDS, rows),
    sorting: SORTING,
    naturalSorting: SORTING,
    pageSizes: PAGE_SIZES,
    toQuestion: (view) => entitlementQuestion(view, { idField: 'entitlementId', today: info.today }),
  })
  return (
    <DataTable
      table={table}
      {...texts}
      isTwoLine
      isDense
      rowName={rowName}
      detail={detailOf}
      {...(onOrder && {
        actionsWidth: 98,
        rowActions: (row: ContractRow) => (
          <Button
            size="compact-xs"
            variant="light"
            aria-label={`Order Now from ${row.entitlementId}`}
            onClick={() => onOrder(row.entitlementId)}
          >
            Order Now
          </Button>
        ),
      })}
    />
  )
}

const PAGE_SIZES = [25, 50, 100, 500] as const
const rowKey = (row: ContractRow) => row.entitlementId
const rowName = (row: ContractRow) => `${row.ansysproduct} ${row.entitlementId}`
const detailOf = (row: ContractRow) => <ContractDetail row={row} />
