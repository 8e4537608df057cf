import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { LeaseRow } from '#contract/entitlements/lease-row.ts'
import { needsFulfillmentCount } from '#contract/entitlements/lease-row.ts'
import { LEASE_DEFAULT_SORT } from '#contract/entitlements/lease-sorting.ts'
import type { LeaseEntitlement } from '#domain/entitlements/entitlement-row.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { fulfillmentCountQuery, useLeaseRows } from '#web/modules/entitlements/fulfillment-counts.ts'
import { isLeaseChip, LeaseChips } from '#web/modules/entitlements/lease-chips.tsx'
import { leaseColumns } from '#web/modules/entitlements/lease-columns.tsx'
import { leaseQuestion } from '#web/modules/entitlements/lease-request.ts'
import { fetchLeasesCsv, leaseSource } from '#web/modules/entitlements/leases.api.ts'
import { SeatsDialog } from '#web/modules/entitlements/seats.dialog.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { type Activity, useActivityTable } from '#web/table/use-activity-table.ts'
import { TableCsv } from '#web/ui/csv-export.tsx'

const TEXTS = {
  title: 'Entitlements',
  what: 'entitlements',
  active: {
    tableName: 'leaseAndPerpetualsActive',
    noRows: 'This account has no active leases or perpetual licenses.',
  },
  inactive: { tableName: 'leaseAndPerpetualsInactive', noRows: 'No expired or upcoming entitlements.' },
} as const

/** One of the two tables of leases and perpetuals. */
export function LeaseSection({ activity, onDrawn }: { activity: Activity; onDrawn?: () => void }) {
  const { number, info } = useKnownCustomer()
  const queries = useQueryClient()
  const [seatsOf, setSeatsOf] = useState<LeaseRow>()
  const [isDialogOpen, dialog] = useDisclosure(false)
  const { open } = dialog
  const mayActivate = useCan('activations.write')
  const columns = useMemo(
    () =>
      leaseColumns({
        today: info.today,
        mayActivate,
        onSeats(row) {
          setSeatsOf(row)
          open()
        },
      }),
    [open, info.today, mayActivate],
  )
  const source = useMemo(
    () =>
      leaseSource(number, activity, (rows) => {
        for (const { ActivationId } of rows.filter(needsFulfillmentCount))
          void queries.prefetchQuery(fulfillmentCountQuery(number, ActivationId))
      }),
    [queries, number, activity],
  )
  const { table, ...texts } = useActivityTable<LeaseRow, LeaseEntitlement>(activity, TEXTS, {
    columns,
    rowKey,
    source,
    sorting: LEASE_DEFAULT_SORT,
    naturalSorting: LEASE_DEFAULT_SORT,
    toQuestion: (view) => leaseQuestion(view, info.today),
    useRows: (list) => useLeaseRows(list, number, info.today),
  })
  // The table draws its first rows as a deferred value, too: both are drawn together.
  const { rows, failure = table.state.failure } = table.list
  const isDrawn = useDeferredValue(rows !== undefined || failure !== undefined)
  useEffect(() => {
    if (isDrawn) onDrawn?.()
  }, [isDrawn, onDrawn])
  return (
    <>
      <DataTable
        table={table}
        {...texts}
        rowName={rowName}
        {...(activity === 'active' && {
          controls: <LeaseChips state={table.state} source={source} today={info.today} />,
          isPreset: isLeaseChip,
        })}
        actions={
          <TableCsv
            table={table}
            fetchCsv={(question) => fetchLeasesCsv(number, activity, question)}
            fileName={`${activity}-entitlements-${number}-${info.today}.csv`}
          />
        }
      />
      <SeatsDialog row={seatsOf} opened={isDialogOpen} onClose={dialog.close} />
    </>
  )
}

const rowKey = (row: LeaseRow) => row.activationid
const rowName = (row: LeaseRow) => `${row.ansysproduct} ${row.activationid}`
