import { useCallback, useMemo } from 'react'
import { useNavigate } from 'react-router'
import { ApiFailure } from '#web/lib/api-failure.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { NoPermissions } from '#web/lib/no-permissions.tsx'
import { withCustomer } from '#web/lib/portal-address.ts'
import { emailColumns } from '#web/modules/messages/email-columns.tsx'
import { type EmailRow, emailSource } from '#web/modules/messages/emails.api.ts'
import { MailboxNote } from '#web/modules/messages/mailbox-note.tsx'
import { DataTable } from '#web/ui/grid/data-table.tsx'
import { useRequest } from '#web/ui/grid/list/use-request.ts'
import { useServerList } from '#web/ui/grid/list/use-server-list.ts'
import { PageHead } from '#web/ui/page-head/page-head.tsx'
import { useSavedView } from '#web/ui/saved-views/use-saved-view.ts'

const NEWEST_FIRST = [{ column: 'date', direction: 'desc' }] as const

export function Page() {
  const { number } = useKnownCustomer()
  const navigate = useNavigate()
  const source = useMemo(() => emailSource(number), [number])
  const show = useCallback((id: string) => navigate(withCustomer(`/emails/${id}`, number)), [navigate, number])
  const columns = useMemo(() => emailColumns(show), [show])
  const saved = useSavedView({ customerNumber: number, tableName: 'emailList', columns, sorting: NEWEST_FIRST })
  const asked = useRequest(columns, saved.view)
  const list = useServerList(source, asked.request, saved.isReady)
  if (isRefused(list.failure)) return <NoPermissions />
  return (
    <>
      <PageHead context="Messages that were sent to the account" />
      <MailboxNote />
      <DataTable
        label="Emails"
        what="e-mails"
        columns={columns}
        rowKey={emailKey}
        saved={saved}
        asked={asked}
        list={list}
        noRows="No e-mail has been sent to this account yet."
      />
    </>
  )
}

const emailKey = (row: EmailRow) => row.id

/** The server says FAILURE, with or without a status of its own. */
function isRefused(failure: Error | undefined): boolean {
  return failure instanceof ApiFailure && (failure.status === 403 || failure.status === 200)
}
