import { ActionIcon, Button, Group as Row, Title } from '@mantine/core'
import { IconPencil, IconPlus, IconShieldPlus, IconTrash, IconUserMinus, IconUserPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { WebGroup, WebMember } from '#contract/web-licenses/web-lists.ts'
import { useSave } from '#web/form/use-save.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import {
  AssignEntitlementsDialog,
  groupKey,
  groupName,
  userKey,
  userName,
} from '#web/modules/web-licenses/assign.dialogs.tsx'
import { ChooseRowsDialog } from '#web/modules/web-licenses/choose-rows.dialog.tsx'
import { GroupDialog } from '#web/modules/web-licenses/group.dialog.tsx'
import { GroupAssignmentTable } from '#web/modules/web-licenses/group-assignment-table.tsx'
import { showLineResults } from '#web/modules/web-licenses/line-results.tsx'
import { useRowSelection } from '#web/modules/web-licenses/selected-keys.ts'
import { GROUP_COLUMNS, MEMBER_COLUMNS, USER_COLUMNS } from '#web/modules/web-licenses/web-columns.tsx'
import {
  groupSource,
  memberSource,
  sendGroupDeletion,
  sendMembers,
  useReload,
  userSource,
} from '#web/modules/web-licenses/web-licenses.api.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { useTable } from '#web/table/use-table.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import classes from './web-licenses.module.css'

const SORTING = [{ column: 'name', direction: 'asc' }] as const
const PAGE_SIZES = [10, 25, 50, 100] as const

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
        naturalSort={SORTING[0]}
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
          mayWrite && (
            <>
              <Button size="xs" leftSection={<IconPlus size={15} aria-hidden />} onClick={() => setNamed('new')}>
                Create group
              </Button>
              <Button
                size="xs"
                variant="default"
                leftSection={<IconShieldPlus size={15} aria-hidden />}
                disabled={selection.countOf(table) === 0}
                onClick={() => selection.withKeys({ table, source }, setAssigning)}
              >
                Assign entitlements
              </Button>
            </>
          )
        }
      />
      {named && <GroupDialog group={named === 'new' ? undefined : named} onClose={() => setNamed(undefined)} />}
      {assigning && (
        <AssignEntitlementsDialog
          groupIds={assigning}
          onClose={() => {
            setAssigning(undefined)
            selection.clear()
          }}
        />
      )}
    </>
  )
}

function useDeletion(): (group: WebGroup) => Promise<void> {
  const { number } = useKnownCustomer()
  const reload = useReload(number)
  const { save } = useSave({
    send: (groupId: string, key) => sendGroupDeletion({ customerNumber: number, groupId }, key),
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

function GroupPanel({ group }: { group: WebGroup }) {
  return (
    <div className={classes.panel}>
      <Members group={group} />
      <Title order={3} size="h5">
        Entitlements of {group.name}
      </Title>
      <GroupAssignmentTable groupId={group.groupId} />
    </div>
  )
}

function Members({ group: { groupId, name } }: { group: WebGroup }) {
  const { number } = useKnownCustomer()
  const mayWrite = useCan('web-licenses.write')
  const reload = useReload(number)
  const source = useMemo(() => memberSource(number), [number])
  const users = useMemo(() => userSource(number), [number])
  const selection = useRowSelection<WebMember>()
  const [isAdding, setIsAdding] = useState(false)
  const table = useTable({
    columns: MEMBER_COLUMNS,
    rowKey: memberKey,
    source,
    demands: () => [{ name: 'groupId', method: 'EQUALS', value: groupId }],
    pageSizes: PAGE_SIZES,
  })
  const removal = useSave({
    send: (remove: string[], key) => sendMembers({ customerNumber: number, groupId, remove }, key),
    success: 'The members have been removed.',
    notDone: 'Nothing was changed.',
    async onSaved() {
      selection.clear()
      await reload()
    },
  })
  const remove = async (emails: string[]) => {
    const question = `Remove ${countText(emails.length)} from ${name}? They lose what is assigned through the group.`
    if (await confirm(question, 'Remove members')) removal.save(emails)
  }
  return (
    <>
      {mayWrite && (
        <Row gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconUserPlus size={15} aria-hidden />}
            onClick={() => setIsAdding(true)}
          >
            Add members
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconUserMinus size={15} aria-hidden />}
            disabled={selection.countOf(table) === 0}
            loading={removal.isSaving}
            onClick={() => selection.withKeys({ table, source }, remove)}
          >
            Remove members
          </Button>
        </Row>
      )}
      <DataTable
        table={table}
        isPlain
        label={`Members of ${name}`}
        what="members"
        rowName={memberName}
        noRows="The group has no members."
        {...(mayWrite ? { selection: selection.state } : {})}
      />
      {isAdding && (
        <ChooseRowsDialog
          title={`Add members to ${name}`}
          about="New members get everything that is assigned to the group."
          source={users}
          columns={USER_CHOICE}
          rowKey={userKey}
          rowName={userName}
          what="users"
          noRows="The account has no web users yet. Import or add users first."
          act="Add members"
          success="The members have been added."
          send={(add, key) => sendMembers({ customerNumber: number, groupId, add }, key)}
          onDone={({ data }) => {
            void reload()
            if (data.some(({ status }) => status === 'FAILURE')) showLineResults(data, '', ({ email }) => email)
          }}
          onClose={() => setIsAdding(false)}
        />
      )}
    </>
  )
}

const USER_CHOICE = USER_COLUMNS.filter(({ id }) => ['name', 'email', 'groups'].includes(id))
const memberKey = (row: WebMember) => row.email
const memberName = (row: WebMember) => row.name || row.email
