import { useMemo } from 'react'
import type { HistoryRow } from '#contract/fsa/history-list.ts'
import { fetchFile } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { historySource } from '#web/modules/fsa/fsa.api.ts'
import { EXPORTING } from '#web/modules/fsa/fsa-texts.ts'
import { HISTORY_COLUMNS } from '#web/modules/fsa/history-columns.tsx'
import { entitlementQuestion } from '#web/parts/entitlement/entitlement-question.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { useTable } from '#web/table/use-table.ts'
import { TableCsv } from '#web/ui/csv-export.tsx'

const NEWEST_FIRST = [{ column: 'orderdate', direction: 'desc' }] as const
const PAGE_SIZES = [10, 25, 50, 100, 500] as const

/** What was ordered from the contracts of the account. */
export function HistoryTab() {
  const { number, info } = useKnownCustomer()
  const source = useMemo(() => historySource(number), [number])
  const table = useTable({
    tableName: 'fsaHistory',
    urlPrefix: 'history.',
    columns: HISTORY_COLUMNS,
    rowKey,
    source,
    sorting: NEWEST_FIRST,
    toQuestion: (view) => entitlementQuestion(view, { fields: ['ansysproduct', 'entitlementId'], today: info.today }),
    pageSizes: PAGE_SIZES,
  })
  return (
    <DataTable
      table={table}
      label="Order history"
      what="orders"
      isTwoLine
      rowName={rowName}
      noRows="Nothing has been ordered yet."
      actions={
        <TableCsv
          table={table}
          fetchCsv={(question) => fetchFile('fsa/history/export', { body: { customerNumber: number, ...question } })}
          fileName={`ANSYSOrderHistory_${info.today}_${number}.csv`}
          waiting={EXPORTING}
        />
      }
    />
  )
}

const rowKey = (row: HistoryRow) => row.activationid
const rowName = (row: HistoryRow) => `${row.ansysproduct} ${row.entitlementId}`.trim()
