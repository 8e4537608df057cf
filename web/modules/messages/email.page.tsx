import { Paper } from '@mantine/core'
import { IconMailOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { useParams } from 'react-router'
import type { Email } from '#contract/messages/emails.ts'
import { PortalRedirect } from '#web/lib/address/portal-link.tsx'
import { hasCode } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { NoPermissions } from '#web/lib/sign-in/no-permissions.tsx'
import { EmailFacts } from '#web/modules/messages/email-facts.tsx'
import { DELETE, RESEND } from '#web/modules/messages/emails.actions.ts'
import { emailQuery } from '#web/modules/messages/emails.api.ts'
import { NoSuchMessage } from '#web/modules/messages/no-such-message.tsx'
import { ActionButton } from '#web/ui/actions/action-button.tsx'
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
      <PageHead
        title={email.subject}
        actions={
          <>
            <ActionButton action={RESEND} thing={email} hasIcon />
            <ActionButton action={DELETE} thing={email} variant="default" hasIcon />
          </>
        }
      />
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

/** The email was deleted, belongs to another account, or never existed. */
const NoSuchEmail = () => (
  <NoSuchMessage noun="email" icon={IconMailOff} all="/emails">
    It may have been deleted, or it belongs to another account.
  </NoSuchMessage>
)
