import { Anchor } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Email } from '#contract/messages/emails.ts'
import { NOT_DELIVERED_TO_ALL, NOT_DELIVERED_YET } from '#domain/messages/delivery-trouble.ts'
import { timeText } from '#web/lib/time-text.ts'
import { sizeText } from '#web/modules/messages/size-text.ts'
import { SignalStrip } from '#web/ui/signal/signal-strip.tsx'
import type { Signal } from '#web/ui/theme/palette.ts'
import classes from './emails.module.css'

/** What the envelope says. */
export function EmailFacts({ email }: { email: Email }) {
  return (
    <div className={classes.envelope}>
      <DeliveryNotice email={email} />
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

/** Says how the delivery stands, unless all is well. Only staff are sent the details. */
function DeliveryNotice({ email: { delivery, trouble } }: { email: Email }) {
  const notice = noticeOf(delivery, trouble !== '')
  if (!notice) return null
  const isPlain = trouble === NOT_DELIVERED_YET || trouble === NOT_DELIVERED_TO_ALL
  return (
    <SignalStrip signal={notice.signal} role="status">
      {notice.text}
      {trouble !== '' && !isPlain && <span className={classes.trouble}>{trouble}</span>}
    </SignalStrip>
  )
}

function noticeOf(delivery: Email['delivery'], hasTrouble: boolean): { signal: Signal; text: string } | undefined {
  if (delivery === 'failed') return { signal: 'red', text: NOT_DELIVERED_YET }
  if (delivery === 'queued')
    return { signal: 'blue', text: hasTrouble ? `${NOT_DELIVERED_YET} ${TRYING}` : 'This email is waiting to be sent.' }
  return hasTrouble ? { signal: 'orange', text: NOT_DELIVERED_TO_ALL } : undefined
}

const TRYING = 'The portal will try again automatically.'

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
