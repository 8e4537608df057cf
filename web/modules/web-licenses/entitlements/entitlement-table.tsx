import { Title } from '@mantine/core'
import { IconUserPlus, IconUsersPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { WebEntitlement } from '#contract/web-licenses/web-lists.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import {
  AssignGroupsDialog,
  AssignUsersDialog,
  entitlementKey,
  entitlementName,
} from '#web/modules/web-licenses/assignments/assign.dialogs.tsx'
import { GroupAssignmentTable } from '#web/modules/web-licenses/assignments/group-assignment-table.tsx'
import { SeatTable } from '#web/modules/web-licenses/entitlements/seat-table.tsx'
import { useRowSelection } from '#web/modules/web-licenses/selected-keys.ts'
import { TableButton } from '#web/modules/web-licenses/table-button.tsx'
import { entitlementColumns, statusText } from '#web/modules/web-licenses/web-columns.tsx'
import { entitlementSource } from '#web/modules/web-licenses/web-licenses.api.ts'
import classes from '#web/modules/web-licenses/web-licenses.module.css'
import { AskRequest } from '#web/parts/requests/ask-request.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { useTable } from '#web/table/use-table.ts'

const SORTING = [{ column: 'endDate', direction: 'asc' }] as const

/** Web entitlements with those who may use them. Several can be assigned at once. */
export function EntitlementTable() {
  const { number, info } = useKnownCustomer()
  const mayWrite = useCan('web-licenses.write')
  const source = useMemo(() => entitlementSource(number), [number])
  const columns = useMemo(() => entitlementColumns(info.today), [info.today])
  const selection = useRowSelection<WebEntitlement>()
  const [assigning, setAssigning] = useState<{ to: 'users' | 'groups'; activationIds: readonly string[] }>()
  const table = useTable({ tableName: 'webEntitlements', columns, rowKey: entitlementKey, source, sorting: SORTING })
  const canSelect = useMemo(() => (row: WebEntitlement) => statusText(row, info.today) !== 'EXPIRED', [info.today])
  const open = (to: 'users' | 'groups') =>
    selection.withKeys({ table, source, canSelect }, (activationIds) => setAssigning({ to, activationIds }))
  const dialog = { onAssigned: selection.clear, onClose: () => setAssigning(undefined) }
  const selected = selection.countOf(table)
  return (
    <>
      <DataTable
        table={table}
        title="Entitlements"
        label="Web entitlements"
        what="entitlements"
        isTwoLine
        rowName={entitlementName}
        detail={panelOf}
        {...(mayWrite ? { selection: selection.state, canSelect } : {})}
        noRows={
          <>
            This account has no Named User or Shared Web entitlements. <AskRequest kind="web-license" size="xs" />
          </>
        }
        actions={
          <>
            <AskRequest kind="web-license" size="xs" />
            <TableButton icon={IconUserPlus} isPrimary selected={selected} onClick={() => open('users')}>
              Assign users
            </TableButton>
            <TableButton icon={IconUsersPlus} selected={selected} onClick={() => open('groups')}>
              Assign groups
            </TableButton>
          </>
        }
      />
      {assigning?.to === 'users' && <AssignUsersDialog {...dialog} activationIds={assigning.activationIds} />}
      {assigning?.to === 'groups' && <AssignGroupsDialog {...dialog} activationIds={assigning.activationIds} />}
    </>
  )
}

const panelOf = (row: WebEntitlement) => (
  <div className={classes.panel}>
    <Title order={3} size="h5">
      Groups
    </Title>
    <GroupAssignmentTable activationId={row.activationId} />
    <Title order={3} size="h5">
      Users
    </Title>
    <SeatTable activationId={row.activationId} />
  </div>
)
