import { Anchor } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Email } from '#contract/messages/emails.ts'
import { timeText } from '#web/lib/time-text.ts'
import { sizeText } from '#web/modules/messages/size-text.ts'
import { SignalStrip } from '#web/ui/signal/signal-strip.tsx'
import classes from './emails.module.css'

/** What the envelope says. */
export function EmailFacts({ email }: { email: Email }) {
  return (
    <div className={classes.envelope}>
      {email.delivery === 'failed' && (
        <SignalStrip signal="red" role="status">
          This e-mail could not be delivered. {email.trouble}
        </SignalStrip>
      )}
      {email.delivery === 'queued' && (
        <SignalStrip signal="blue" role="status">
          This e-mail is waiting to be sent. {email.trouble}
        </SignalStrip>
      )}
      <dl className={classes.facts}>
        <Fact label="To">{email.to}</Fact>
        {email.cc && <Fact label="Copy">{email.cc}</Fact>}
        <Fact label="Date">{timeText(email.date)}</Fact>
        <Fact label="Subject">{email.subject}</Fact>
        <Fact label="Customer Number">{email.customerNumber}</Fact>
        <Fact label="Customer Name">{email.customerName}</Fact>
        {email.attachments.length > 0 && (
          <Fact label="Attachments">
            <ul className={classes.attachments}>
              {email.attachments.map(({ name, size, url }) => (
                <li key={url}>
                  <IconPaperclip size={15} aria-hidden />
                  <Anchor href={url} download={name}>
                    {name}
                  </Anchor>
                  <span className={classes.size}>{sizeText(size)}</span>
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </dl>
    </div>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
