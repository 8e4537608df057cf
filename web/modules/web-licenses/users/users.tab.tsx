import { ActionIcon } from '@mantine/core'
import { IconPencil, IconPlus, IconShieldPlus, IconTrash, IconUpload } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { WebUser } from '#contract/web-licenses/web-lists.ts'
import { MANAGED_PERSON } from '#domain/provisioning/managed.ts'
import { useSave } from '#web/form/use-save.ts'
import { ask } from '#web/lib/api/api-client.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { AssignEntitlementsDialog, userKey, userName } from '#web/modules/web-licenses/assignments/assign.dialogs.tsx'
import { changedText } from '#web/modules/web-licenses/changed-text.ts'
import { SeatTable } from '#web/modules/web-licenses/entitlements/seat-table.tsx'
import { hasManaged, showRefusedLines } from '#web/modules/web-licenses/line-results.tsx'
import { useRowSelection } from '#web/modules/web-licenses/selected-keys.ts'
import { TableButton } from '#web/modules/web-licenses/table-button.tsx'
import { namesText } from '#web/modules/web-licenses/users/names-text.ts'
import { USER_COLUMNS } from '#web/modules/web-licenses/web-columns.tsx'
import { useReload, userSource } from '#web/modules/web-licenses/web-licenses.api.ts'
import classes from '#web/modules/web-licenses/web-licenses.module.css'
import { DataTable } from '#web/table/data-table.tsx'
import { useTable } from '#web/table/use-table.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'

const ImportUsersDialog = lazy(async () => ({
  default: (await import('#web/modules/web-licenses/users/import-users.dialog.tsx')).ImportUsersDialog,
}))

const UserDialog = lazy(async () => ({
  default: (await import('#web/modules/web-licenses/users/user.dialog.tsx')).UserDialog,
}))

const SORTING = [{ column: 'email', direction: 'asc' }] as const
type Opened =
  | { dialog: 'user'; user?: WebUser }
  | { dialog: 'import' }
  | { dialog: 'assign'; emails: readonly string[] }

/** The people who use web licenses of the account. */
export function UsersTab() {
  const { number } = useKnownCustomer()
  const mayWrite = useCan('web-licenses.write')
  const source = useMemo(() => userSource(number), [number])
  const reload = useReload(number)
  const selection = useRowSelection<WebUser>()
  const [opened, setOpened] = useState<Opened>()
  const table = useTable({
    tableName: 'webUsers',
    urlPrefix: 'user.',
    columns: USER_COLUMNS,
    rowKey: userKey,
    source,
    sorting: SORTING,
  })
  const deletion = useSave({
    send: (emails: string[], key) =>
      ask('web/users/delete', { body: { customerNumber: number, emails }, idempotencyKey: key }),
    success: ({ data }) =>
      hasManaged(data) ? undefined : changedText(data, 'The users have been deleted.', 'deleted'),
    notDone: 'Nothing was deleted.',
    async onSaved({ data }) {
      selection.clear()
      if (hasManaged(data)) showRefusedLines(data, ({ email }) => email)
      await reload()
    },
  })
  const remove = async (emails: string[]) => {
    const question = `Delete ${namesText(emails)}? Their seats become free, and their running checkouts end at once. Past checkouts stay in the reports.`
    if (await confirm(question, emails.length === 1 ? 'Delete user' : 'Delete users')) deletion.save(emails)
  }
  const close = () => setOpened(undefined)
  const selected = selection.countOf(table)
  return (
    <>
      <DataTable
        table={table}
        label="Web users"
        what="users"
        rowName={userName}
        detail={panelOf}
        noRows="No web users yet. Add them one by one, or import a file."
        {...(mayWrite
          ? {
              selection: selection.state,
              actionsWidth: 64,
              rowActions: (row: WebUser) => (
                <ReasonTooltip reason={row.isManaged ? MANAGED_PERSON : undefined}>
                  <ActionIcon
                    variant="subtle"
                    aria-label={`Edit ${row.email}`}
                    onClick={() => setOpened({ dialog: 'user', user: row })}
                  >
                    <IconPencil size={16} aria-hidden />
                  </ActionIcon>
                </ReasonTooltip>
              ),
            }
          : {})}
        actions={
          <>
            <TableButton icon={IconUpload} onClick={() => setOpened({ dialog: 'import' })}>
              Import users
            </TableButton>
            <TableButton
              icon={IconShieldPlus}
              selected={selected}
              onClick={() => selection.withKeys({ table, source }, (emails) => setOpened({ dialog: 'assign', emails }))}
            >
              Assign entitlements
            </TableButton>
            <TableButton
              icon={IconTrash}
              selected={selected}
              loading={deletion.isSaving}
              onClick={() => selection.withKeys({ table, source }, remove)}
            >
              Delete
            </TableButton>
            <TableButton icon={IconPlus} isPrimary onClick={() => setOpened({ dialog: 'user' })}>
              Add user
            </TableButton>
          </>
        }
      />
      <Suspense>
        {opened?.dialog === 'user' && <UserDialog user={opened.user} onClose={close} />}
        {opened?.dialog === 'import' && <ImportUsersDialog onClose={close} />}
      </Suspense>
      {opened?.dialog === 'assign' && (
        <AssignEntitlementsDialog emails={opened.emails} onAssigned={selection.clear} onClose={close} />
      )}
    </>
  )
}

const panelOf = (row: WebUser) => (
  <div className={classes.panel}>
    <SeatTable email={row.email} />
  </div>
)
