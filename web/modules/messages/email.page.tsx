import { Button, Paper } from '@mantine/core'
import { IconSend, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from 'react-router'
import type { Email } from '#contract/messages/emails.ts'
import { ApiFailure, failureText, hasCode } from '#web/lib/api-failure.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { NoPermissions } from '#web/lib/no-permissions.tsx'
import { withCustomer } from '#web/lib/portal-address.ts'
import { PortalRedirect } from '#web/lib/portal-link.tsx'
import { EmailFacts } from '#web/modules/messages/email-facts.tsx'
import { emailQuery, emailSource, removeEmail, sendEmailAgain } from '#web/modules/messages/emails.api.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { notice } from '#web/ui/dialogs/notice.tsx'
import { FailureNotice } from '#web/ui/failure/failure-notice.tsx'
import { PageHead } from '#web/ui/page-head/page-head.tsx'
import { showPanel } from '#web/ui/panels/panels.ts'
import { Spinner } from '#web/ui/spinner/spinner.tsx'
import classes from './emails.module.css'

export function Page() {
  const { number } = useKnownCustomer()
  const { id = '' } = useParams()
  const { data: email, error, refetch } = useQuery(emailQuery(number, id))
  if (email && email.customerNumber !== number) return <PortalRedirect to="/emails" />
  if (email) return <EmailPage email={email} />
  if (!error) return <Spinner />
  if (isElsewhere(error)) return <PortalRedirect to="/emails" />
  if (isRefused(error)) return <NoPermissions />
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
  const resend = useMutation({
    mutationFn: () => sendEmailAgain(number, email.id),
    onSuccess: (queued) => {
      queries.setQueryData(emailQuery(number, email.id).queryKey, queued)
      void queries.invalidateQueries({ queryKey: emailSource(number).key })
      showPanel('success', `The email “${email.subject}” will be sent again.`)
    },
    onError: (error) => {
      showPanel('error', failureText(error))
      // Somebody else was quicker: the page shows what has become of it.
      if (hasCode(error, 'EMAIL_NOT_FAILED'))
        void queries.invalidateQueries({ queryKey: emailQuery(number, email.id).queryKey })
    },
  })
  const ask = async () => {
    const question = `Do you want to send the email “${email.subject}” to ${email.to} again?`
    if (await confirm(question, 'Send email again')) resend.mutate()
  }
  return (
    <Button leftSection={<IconSend size={16} aria-hidden />} loading={resend.isPending} onClick={ask}>
      Send again
    </Button>
  )
}

function DeleteButton({ email }: { email: Email }) {
  const { number } = useKnownCustomer()
  const mayDelete = useCan('emails.delete')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => removeEmail(number, email.id),
    onSuccess: async () => {
      queries.removeQueries({ queryKey: emailSource(number).key })
      await navigate(withCustomer('/emails', number))
      queries.removeQueries({ queryKey: emailQuery(number, email.id).queryKey })
      showPanel('success', `The e-mail “${email.subject}” has been deleted.`)
    },
    onError: (error) => showPanel('error', failureText(error)),
  })
  const ask = async () => {
    if (!mayDelete) return notice()
    const isSure = await confirm(`Do you want to delete the e-mail “${email.subject}”?`, 'Delete e-mail')
    if (isSure) remove.mutate()
  }
  return (
    <Button
      variant="default"
      leftSection={<IconTrash size={16} aria-hidden />}
      loading={remove.isPending}
      onClick={ask}
    >
      Delete
    </Button>
  )
}

/** Of another customer, deleted, or never there: for a person that is all the same. */
function isElsewhere(error: Error): boolean {
  return error instanceof ApiFailure && (error.status === 404 || error.status === 400)
}

function isRefused(error: Error): boolean {
  return error instanceof ApiFailure && (error.status === 403 || error.status === 200)
}
