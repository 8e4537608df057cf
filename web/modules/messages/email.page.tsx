import { Button, Paper } from '@mantine/core'
import { IconSend, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from 'react-router'
import type { Email } from '#contract/messages/emails.ts'
import { useSave } from '#web/form/use-save.ts'
import { hasCode } from '#web/lib/api-failure.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { NoPermissions } from '#web/lib/no-permissions.tsx'
import { withCustomer } from '#web/lib/portal-address.ts'
import { PortalRedirect } from '#web/lib/portal-link.tsx'
import { EmailFacts } from '#web/modules/messages/email-facts.tsx'
import { emailQuery, emailSource, removeEmail, sendEmailAgain } from '#web/modules/messages/emails.api.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { notice } from '#web/ui/dialogs/notice.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './emails.module.css'

export function Page() {
  const { number } = useKnownCustomer()
  const { id = '' } = useParams()
  const { data: email, error, refetch } = useQuery(emailQuery(number, id))
  if (email && email.customerNumber !== number) return <PortalRedirect to="/emails" />
  if (email) return <EmailPage email={email} />
  if (!error) return <Spinner />
  if (isElsewhere(error)) return <PortalRedirect to="/emails" />
  if (hasCode(error, 'NOT_ALLOWED', 'REFUSED')) return <NoPermissions />
  return <FailureNotice failure={error} onRetry={refetch} />
}

function EmailPage({ email }: { email: Email }) {
  return (
    <>
      <PageHead title={email.subject} actions={<EmailActions email={email} />} />
      <Paper className={classes.email}>
        <EmailFacts email={email} />
        {/* No script, no form; only a link that is followed opens a page of its own. The body's address says the same. */}
        <iframe
          className={classes.body}
          title="Body of the e-mail"
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          src={email.bodyUrl}
        />
      </Paper>
    </>
  )
}

function EmailActions({ email }: { email: Email }) {
  const mayResend = useCan('emails.resend')
  return (
    <>
      {mayResend && email.delivery === 'failed' && <ResendButton email={email} />}
      <DeleteButton email={email} />
    </>
  )
}

function ResendButton({ email }: { email: Email }) {
  const { number } = useKnownCustomer()
  const queries = useQueryClient()
  const resend = useSave({
    send: (id: string, key) => sendEmailAgain(number, id, key),
    success: `The email “${email.subject}” will be sent again.`,
    notDone: 'The email was not sent again.',
    onSaved: (queued) => {
      queries.setQueryData(emailQuery(number, email.id).queryKey, queued)
      void queries.invalidateQueries({ queryKey: emailSource(number).key })
    },
    onFailed: (error) => {
      // Somebody else was quicker: the page shows what has become of it.
      if (hasCode(error, 'EMAIL_NOT_FAILED'))
        void queries.invalidateQueries({ queryKey: emailQuery(number, email.id).queryKey })
      return false
    },
  })
  const ask = async () => {
    const question = `Do you want to send the email “${email.subject}” to ${email.to} again?`
    if (await confirm(question, 'Send email again')) resend.save(email.id)
  }
  return (
    <Button leftSection={<IconSend size={16} aria-hidden />} loading={resend.isSaving} onClick={ask}>
      Send again
    </Button>
  )
}

function DeleteButton({ email }: { email: Email }) {
  const { number } = useKnownCustomer()
  const mayDelete = useCan('emails.delete')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const remove = useSave({
    send: (id: string, key) => removeEmail(number, id, key),
    success: `The email “${email.subject}” has been deleted.`,
    notDone: 'Nothing was deleted.',
    onSaved: async () => {
      queries.removeQueries({ queryKey: emailSource(number).key })
      await navigate(withCustomer('/emails', number))
      queries.removeQueries({ queryKey: emailQuery(number, email.id).queryKey })
    },
  })
  const ask = async () => {
    if (!mayDelete) return notice()
    const isSure = await confirm(`Do you want to delete the email “${email.subject}”?`, 'Delete e-mail')
    if (isSure) remove.save(email.id)
  }
  return (
    <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} loading={remove.isSaving} onClick={ask}>
      Delete
    </Button>
  )
}

/** Of another customer, deleted, or never there: for a person that is all the same. */
function isElsewhere(error: Error): boolean {
  return hasCode(error, 'NOT_FOUND', 'INVALID_REQUEST')
}
