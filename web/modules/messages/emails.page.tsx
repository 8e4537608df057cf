import { useCallback, useMemo } from 'react'
import { useNavigate } from 'react-router'
import { withCustomer } from '#web/lib/address/portal-address.ts'
import { hasCode } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { runtimeConfig } from '#web/lib/runtime-config.ts'
import { NoPermissions } from '#web/lib/sign-in/no-permissions.tsx'
import { emailColumns } from '#web/modules/messages/email-columns.tsx'
import { type EmailRow, emailSource } from '#web/modules/messages/emails.api.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { useTable } from '#web/table/use-table.ts'
import { PageHead } from '#web/ui/page-head.tsx'
import { SignalDot } from '#web/ui/signal-dot.tsx'

const NEWEST_FIRST = [{ column: 'date', direction: 'desc' }] as const

export function Page() {
  const { number } = useKnownCustomer()
  const navigate = useNavigate()
  const source = useMemo(() => emailSource(number), [number])
  const show = useCallback((row: EmailRow) => navigate(withCustomer(emailHref(row), number)), [navigate, number])
  const columns = useMemo(() => emailColumns(show), [show])
  const table = useTable({ tableName: 'emailList', columns, rowKey, source, sorting: NEWEST_FIRST })
  if (hasCode(table.list.failure, 'NOT_ALLOWED', 'REFUSED')) return <NoPermissions />
  return (
    <>
      <PageHead context={runtimeConfig().mailDelivery === 'mailbox' && MAILBOX_NOTE} />
      <DataTable
        table={table}
        label="Emails"
        what="emails"
        rowHref={emailHref}
        rowName={subjectOf}
        noRows="No emails have been sent to this account yet."
      />
    </>
  )
}

const rowKey = (row: EmailRow) => row.id
const subjectOf = (row: EmailRow) => row.subject
const emailHref = (row: EmailRow) => `/emails/${row.id}`

/** Without a mail server no email arrives, and nobody would notice. */
const MAILBOX_NOTE = (
  <SignalDot signal="blue">
    No mail server is configured: new emails are saved in the mailbox folder of this installation, not delivered.
  </SignalDot>
)
