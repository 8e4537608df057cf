import { Group as Row, Title } from '@mantine/core'
import { IconUserMinus, IconUserPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { WebGroup, WebMember } from '#contract/web-licenses/web-lists.ts'
import { useSave } from '#web/form/use-save.ts'
import { ask } from '#web/lib/api/api-client.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { userKey, userName } from '#web/modules/web-licenses/assignments/assign.dialogs.tsx'
import { GroupAssignmentTable } from '#web/modules/web-licenses/assignments/group-assignment-table.tsx'
import { changedText } from '#web/modules/web-licenses/changed-text.ts'
import { ChooseRowsDialog } from '#web/modules/web-licenses/choose-rows.dialog.tsx'
import { hasManaged, hasRefused, showRefusedLines } from '#web/modules/web-licenses/line-results.tsx'
import { useRowSelection } from '#web/modules/web-licenses/selected-keys.ts'
import { TableButton } from '#web/modules/web-licenses/table-button.tsx'
import { namesText } from '#web/modules/web-licenses/users/names-text.ts'
import { MEMBER_COLUMNS, USER_COLUMNS } from '#web/modules/web-licenses/web-columns.tsx'
import { memberSource, useReload, userSource } from '#web/modules/web-licenses/web-licenses.api.ts'
import classes from '#web/modules/web-licenses/web-licenses.module.css'
import { DataTable } from '#web/table/data-table.tsx'
import { useTable } from '#web/table/use-table.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'

const PAGE_SIZES = [10, 25, 50, 100] as const

/** The members and the entitlements of a group. */
export function GroupPanel({ group }: { group: WebGroup }) {
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
    send: (remove: string[], key) =>
      ask('web/groups/members', { body: { customerNumber: number, groupId, remove }, idempotencyKey: key }),
    success: ({ data }) =>
      hasManaged(data) ? undefined : changedText(data, 'The members have been removed.', 'removed'),
    notDone: 'Nothing was changed.',
    async onSaved({ data }) {
      selection.clear()
      if (hasManaged(data)) showRefusedLines(data, ({ email }) => email)
      await reload()
    },
  })
  const remove = async (emails: string[]) => {
    const question = `Remove ${namesText(emails)} from ${name}? ${emails.length === 1 ? 'This user loses' : 'They lose'} what is assigned through the group.`
    if (await confirm(question, 'Remove members')) removal.save(emails)
  }
  return (
    <>
      <Row gap="xs">
        <TableButton icon={IconUserPlus} onClick={() => setIsAdding(true)}>
          Add members
        </TableButton>
        <TableButton
          icon={IconUserMinus}
          reason={selection.countOf(table) === 0 ? 'Select members first.' : undefined}
          loading={removal.isSaving}
          onClick={() => selection.withKeys({ table, source }, remove)}
        >
          Remove members
        </TableButton>
      </Row>
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
          noRows="The account has no web users yet. Add or import them on the tab Users."
          act="Add members"
          send={(add, key) =>
            ask('web/groups/members', { body: { customerNumber: number, groupId, add }, idempotencyKey: key })
          }
          success={({ data }) => (hasRefused(data) ? undefined : 'The members have been added.')}
          onDone={({ data }) => {
            void reload()
            if (hasRefused(data)) showRefusedLines(data, ({ email }) => email)
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
