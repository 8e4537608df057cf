import { Anchor, Text } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import type { Email } from '#contract/messages/emails.ts'
import { NOT_DELIVERED_TO_ALL, NOT_DELIVERED_YET } from '#domain/messages/delivery-trouble.ts'
import { READER_ZONE, sizeText, timeText } from '#web/lib/format.ts'
import { Facts } from '#web/ui/facts.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import type { Signal } from '#web/ui/theme/tokens.ts'
import classes from './emails.module.css'

/** Recipients, date, subject and attachments of an email. */
export function EmailFacts({ email }: { email: Email }) {
  return (
    <div className={classes.envelope}>
      <DeliveryNotice email={email} />
      <Facts
        facts={[
          ['To', email.to],
          ['Copy', email.cc],
          ['Date', `${timeText(email.date)} (${READER_ZONE})`],
          ['Subject', email.subject],
          ['Customer Number', email.customerNumber],
          ['Customer Name', email.customerName],
          ['Attachments', email.attachments.length > 0 && <Attachments of={email} />],
        ]}
      />
    </div>
  )
}

/** Reports delivery problems. Only staff receive the details. */
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

function Attachments({ of: { attachments } }: { of: Email }) {
  return (
    <ul className={classes.attachments}>
      {attachments.map(({ name, size, url }) => (
        <li key={url}>
          <IconPaperclip size={15} aria-hidden />
          <Anchor href={url} download={name}>
            {name}
          </Anchor>
          <Text span size="sm" c="dimmed" flex="none">
            {sizeText(size)}
          </Text>
        </li>
      ))}
    </ul>
  )
}
