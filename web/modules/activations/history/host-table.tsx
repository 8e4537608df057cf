import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { HostDialogs, RENEW_ALL } from '#web/modules/activations/activations.actions.tsx'
import { HostActions } from '#web/modules/activations/history/host-actions.tsx'
import { HOST_COLUMNS, hostQuestion } from '#web/modules/activations/history/host-columns.tsx'
import type { HostDialog } from '#web/modules/activations/history/host-dialogs.tsx'
import {
  fetchServersCsv,
  type HostRow,
  hostSource,
  splitFilter,
} from '#web/modules/activations/history/host-history.api.ts'
import { HostPanel } from '#web/modules/activations/history/host-panel.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { type Activity, useActivityTable } from '#web/table/use-activity-table.ts'
import { ActionButton } from '#web/ui/actions/action-button.tsx'
import { TableCsv } from '#web/ui/csv-export.tsx'

const TEXTS = {
  title: 'Servers',
  what: 'license servers',
  active: {
    tableName: 'manageActivationsActive',
    noRows: 'This account has no license servers with activated products.',
  },
  inactive: { tableName: 'manageActivationsInActive', noRows: 'This account has no inactive license servers.' },
} as const

const BY_NAME = [{ column: 'serverName', direction: 'asc' }] as const

/** One of the two tables of license servers. */
export function HostTable({ activity }: { activity: Activity }) {
  const { number } = useKnownCustomer()
  const state = activity === 'active' ? 'Active' : 'Inactive'
  const [dialog, setDialog] = useState<HostDialog>()
  const source = useMemo(() => hostSource(number, state), [number, state])
  const { table, ...texts } = useActivityTable<HostRow>(activity, TEXTS, {
    columns: HOST_COLUMNS,
    rowKey,
    source,
    sorting: BY_NAME,
    toQuestion: hostQuestion,
  })
  const { history } = splitFilter(table.request.filter)
  const detail = useMemo(
    () =>
      (row: HostRow): ReactNode => (
        <HostPanel customerNumber={number} host={row} filter={history} onDialog={setDialog} />
      ),
    [number, history],
  )
  return (
    <>
      <DataTable
        table={table}
        {...texts}
        isTwoLine={false}
        rowName={rowName}
        detail={detail}
        // Both tables keep the room, so that their columns line up.
        actionsWidth={112}
        rowActions={(row) => <HostActions host={row} state={state} onDialog={setDialog} />}
        actions={
          <>
            {state === 'Active' && (
              <ActionButton action={RENEW_ALL} thing={undefined} size="xs" variant="default" hasIcon />
            )}
            <TableCsv
              table={table}
              fetchCsv={(question) => fetchServersCsv(number, state, question)}
              fileName={`${state}Servers_${number}.csv`}
            />
          </>
        }
      />
      <Suspense>{dialog && <HostDialogs dialog={dialog} onClose={() => setDialog(undefined)} />}</Suspense>
    </>
  )
}

const rowKey = (row: HostRow) => row.serverId
const rowName = (row: HostRow) => `${row.serverName} ${row.hostid}`
