import { ActionIcon } from '@mantine/core'
import { IconPencil, IconPlus, IconShieldPlus, IconTrash } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { WebGroup } from '#contract/web-licenses/web-lists.ts'
import { useSave } from '#web/form/use-save.ts'
import { ask } from '#web/lib/api/api-client.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { AssignEntitlementsDialog, groupKey, groupName } from '#web/modules/web-licenses/assignments/assign.dialogs.tsx'
import { GroupDialog } from '#web/modules/web-licenses/groups/group.dialog.tsx'
import { GroupPanel } from '#web/modules/web-licenses/groups/group-panel.tsx'
import { useRowSelection } from '#web/modules/web-licenses/selected-keys.ts'
import { TableButton } from '#web/modules/web-licenses/table-button.tsx'
import { GROUP_COLUMNS } from '#web/modules/web-licenses/web-columns.tsx'
import { groupSource, useReload } from '#web/modules/web-licenses/web-licenses.api.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { useTable } from '#web/table/use-table.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'

const SORTING = [{ column: 'name', direction: 'asc' }] as const

/** Groups of users with their members and entitlements. */
export function GroupsTab() {
  const { number } = useKnownCustomer()
  const mayWrite = useCan('web-licenses.write')
  const source = useMemo(() => groupSource(number), [number])
  const selection = useRowSelection<WebGroup>()
  const [named, setNamed] = useState<WebGroup | 'new'>()
  const [assigning, setAssigning] = useState<readonly string[]>()
  const remove = useDeletion()
  const table = useTable({
    tableName: 'webGroups',
    urlPrefix: 'group.',
    columns: GROUP_COLUMNS,
    rowKey: groupKey,
    source,
    sorting: SORTING,
  })
  return (
    <>
      <DataTable
        table={table}
        label="Groups"
        what="groups"
        rowName={groupName}
        detail={panelOf}
        noRows="No groups yet. Create one to assign licenses to several users at once."
        {...(mayWrite
          ? {
              selection: selection.state,
              rowActions: (row: WebGroup) => (
                <>
                  <ActionIcon variant="subtle" aria-label={`Rename ${row.name}`} onClick={() => setNamed(row)}>
                    <IconPencil size={16} aria-hidden />
                  </ActionIcon>
                  <ActionIcon variant="subtle" aria-label={`Delete ${row.name}`} onClick={() => remove(row)}>
                    <IconTrash size={16} aria-hidden />
                  </ActionIcon>
                </>
              ),
            }
          : {})}
        actions={
          <>
            <TableButton icon={IconPlus} isPrimary onClick={() => setNamed('new')}>
              Create group
            </TableButton>
            <TableButton
              icon={IconShieldPlus}
              selected={selection.countOf(table)}
              onClick={() => selection.withKeys({ table, source }, setAssigning)}
            >
              Assign entitlements
            </TableButton>
          </>
        }
      />
      {named && <GroupDialog group={named === 'new' ? undefined : named} onClose={() => setNamed(undefined)} />}
      {assigning && (
        <AssignEntitlementsDialog
          groupIds={assigning}
          onAssigned={selection.clear}
          onClose={() => setAssigning(undefined)}
        />
      )}
    </>
  )
}

function useDeletion(): (group: WebGroup) => Promise<void> {
  const { number } = useKnownCustomer()
  const reload = useReload(number)
  const { save } = useSave({
    send: (groupId: string, key) =>
      ask('web/groups/delete', { body: { customerNumber: number, groupId }, idempotencyKey: key }),
    success: 'The group has been deleted.',
    notDone: 'Nothing was deleted.',
    onSaved: reload,
  })
  return async ({ groupId, name, entitlements }) => {
    const loss =
      entitlements > 0
        ? ' Its members lose what is assigned through the group, and checkouts that run on it end at once.'
        : ''
    if (await confirm(`Delete the group “${name}”?${loss}`, 'Delete group')) save(groupId)
  }
}

const panelOf = (row: WebGroup) => <GroupPanel group={row} />
