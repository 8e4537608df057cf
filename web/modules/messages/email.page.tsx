import { Button, Paper } from '@mantine/core'
import { IconMailOff, IconSend, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { Email } from '#contract/messages/emails.ts'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { useSave } from '#web/form/use-save.ts'
import { withCustomer } from '#web/lib/address/portal-address.ts'
import { PortalRedirect } from '#web/lib/address/portal-link.tsx'
import { call } from '#web/lib/api/api-client.ts'
import { hasCode } from '#web/lib/api/api-failure.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { NoPermissions } from '#web/lib/sign-in/no-permissions.tsx'
import { EmailFacts } from '#web/modules/messages/email-facts.tsx'
import { emailQuery, emailSource } from '#web/modules/messages/emails.api.ts'
import { NoSuchMessage } from '#web/modules/messages/no-such-message.tsx'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './emails.module.css'

export function Page() {
  const { number } = useKnownCustomer()
  const { id = '' } = useParams()
  const { data: email, error, refetch } = useQuery(emailQuery(number, id))
  if (email && email.customerNumber !== number) return <PortalRedirect to="/emails" />
  if (email) return <EmailPage email={email} />
  if (hasCode(error, 'NOT_FOUND', 'INVALID_REQUEST')) return <NoSuchEmail />
  if (hasCode(error, 'NOT_ALLOWED', 'REFUSED')) return <NoPermissions />
  return (
    <>
      <PageHead />
      {error ? <FailureNotice failure={error} onRetry={refetch} /> : <Spinner />}
    </>
  )
}

function EmailPage({ email }: { email: Email }) {
  return (
    <>
      <PageHead title={email.subject} actions={<EmailActions email={email} />} />
      <Paper className={classes.email}>
        <EmailFacts email={email} />
        <EmailBody url={email.bodyUrl} />
      </Paper>
    </>
  )
}

/**
 * No scripts and no forms; links open in a new tab. The server sends the same policy. `allow-same-origin` lets this page
 * measure the body, which without `allow-scripts` gives the body no power.
 */
function EmailBody({ url }: { url: string }) {
  const [height, setHeight] = useState<number>()
  const [hasFocus, setHasFocus] = useState(false)
  const stop = useRef<() => void>(undefined)
  const measure = ({ currentTarget: frame }: SyntheticEvent<HTMLIFrameElement>) => {
    stop.current?.()
    const body = frame.contentDocument?.body
    if (!body) return
    const fit = () => setHeight(body.ownerDocument.documentElement.offsetHeight + body.offsetTop)
    const observer = new ResizeObserver(fit)
    observer.observe(body)
    stop.current = () => observer.disconnect()
    // A frame with the focus in it matches no selector for focus.
    frame.contentWindow?.addEventListener('focus', () => setHasFocus(true))
    frame.contentWindow?.addEventListener('blur', () => setHasFocus(false))
  }
  useEffect(() => () => stop.current?.(), [])
  return (
    <iframe
      className={classes.body}
      data-focused={hasFocus || undefined}
      style={height === undefined ? undefined : { height }}
      title="Email body"
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      src={url}
      onLoad={measure}
    />
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
    send: (id: string, key) =>
      call('emails/resend', { params: { id }, body: { customerNumber: number }, idempotencyKey: key }),
    success: `The email “${email.subject}” will be sent again.`,
    notDone: 'The email was not sent again.',
    onSaved: (queued) => {
      queries.setQueryData(emailQuery(number, email.id).queryKey, queued)
      void queries.invalidateQueries({ queryKey: emailSource(number).key })
    },
    onFailed: (error) => {
      // Somebody else has sent it in the meantime. Reload to show its state.
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
    send: (id: string, key) =>
      call('emails/delete', { params: { id }, query: { customerNumber: number }, idempotencyKey: key }),
    success: `The email “${email.subject}” has been deleted.`,
    notDone: 'Nothing was deleted.',
    onSaved: async () => {
      queries.removeQueries({ queryKey: emailSource(number).key })
      await navigate(withCustomer('/emails', number))
      queries.removeQueries({ queryKey: emailQuery(number, email.id).queryKey })
    },
  })
  const ask = async () => {
    const isSure = await confirm(`Do you want to delete the email “${email.subject}”?`, 'Delete email')
    if (isSure) remove.save(email.id)
  }
  return (
    <ReasonTooltip reason={mayDelete ? undefined : NOT_ENOUGH_PERMISSIONS}>
      <Button
        variant="default"
        leftSection={<IconTrash size={16} aria-hidden />}
        loading={remove.isSaving}
        onClick={ask}
      >
        Delete
      </Button>
    </ReasonTooltip>
  )
}

/** The email was deleted, belongs to another account, or never existed. */
const NoSuchEmail = () => (
  <NoSuchMessage noun="email" icon={IconMailOff} all="/emails">
    It may have been deleted, or it belongs to another account.
  </NoSuchMessage>
)
