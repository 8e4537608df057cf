import { useDisclosure } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { LEASE_DEFAULT_SORT } from '#contract/entitlements/lease-sorting.ts'
import type { LeaseRow } from '#domain/entitlements/lease-row.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/figures.ts'
import { CsvExport } from '#web/modules/entitlements/csv-export.tsx'
import { leaseColumns } from '#web/modules/entitlements/lease-columns.tsx'
import { useLeaseRequest } from '#web/modules/entitlements/lease-request.ts'
import { type Activity, fetchLeasesCsv } from '#web/modules/entitlements/leases.api.ts'
import { SeatsDialog } from '#web/modules/entitlements/seats.dialog.tsx'
import { useLeaseList } from '#web/modules/entitlements/use-lease-list.ts'
import { CollapsibleSection } from '#web/ui/collapsible/collapsible-section.tsx'
import { DataTable } from '#web/ui/grid/data-table.tsx'
import { useSavedView } from '#web/ui/saved-views/use-saved-view.ts'

const TEXTS = {
  active: {
    title: 'Active Entitlements',
    tableName: 'leaseAndPerpetualsActive',
    what: 'active entitlements',
    noRows: 'No lease or perpetual of this account can be used today.',
  },
  inactive: {
    title: 'Inactive Entitlements',
    tableName: 'leaseAndPerpetualsInactive',
    what: 'inactive entitlements',
    noRows: 'Nothing has expired, and nothing is waiting for its start.',
  },
} as const

/** One of the two tables of leases and perpetuals. */
export function LeaseSection({ activity }: { activity: Activity }) {
  const { number, info } = useKnownCustomer()
  const { title, tableName, what, noRows } = TEXTS[activity]
  const [seatsOf, setSeatsOf] = useState<LeaseRow>()
  const [isDialogOpen, dialog] = useDisclosure(false)
  const columns = useMemo(
    () =>
      leaseColumns((row) => {
        setSeatsOf(row)
        dialog.open()
      }),
    [dialog.open],
  )
  const saved = useSavedView({ customerNumber: number, tableName, columns, sorting: LEASE_DEFAULT_SORT })
  const asked = useLeaseRequest(columns, saved.view, info.today)
  const list = useLeaseList({ customerNumber: number, activity, today: info.today }, asked.request, saved.isReady)
  return (
    <CollapsibleSection title={title} aside={list.total === undefined ? undefined : countText(list.total)}>
      <DataTable
        label={title}
        what={what}
        columns={columns}
        rowKey={activationIdOf}
        isTall
        saved={saved}
        asked={asked}
        list={list}
        actions={
          <CsvExport
            fetchCsv={() => fetchLeasesCsv(number, activity, asked.request)}
            fileName={`${activity}-entitlements-${number}-${info.today}.csv`}
            total={list.total}
          />
        }
        noRows={noRows}
      />
      <SeatsDialog row={seatsOf} opened={isDialogOpen} onClose={dialog.close} />
    </CollapsibleSection>
  )
}

const activationIdOf = (row: LeaseRow) => row.activationid
