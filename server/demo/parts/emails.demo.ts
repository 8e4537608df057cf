import { type DemoEmail, ordinaryEmail, type Recipient, showcaseEmails } from '#server/demo/demo-emails.ts'
import type { DemoPart } from '#server/demo/demo-part.ts'
import { insertRows } from '#server/demo/insert-rows.ts'
import { NAMED_ACCOUNTS } from '#server/demo/named-accounts.ts'
import { MAIL, type MailPayload } from '#server/modules/messages/mail.lane.ts'

/** How many each account has received; 100001 has enough to page through. */
const RECEIVED: Record<string, number> = {
  '100001': 300,
  '100002': 25,
  '100003': 25,
  '100004': 3,
  '100006': 3,
  '100007': 12,
  '100008': 8,
}
const SPAN_IN_HOURS = 2 * 365 * 24
const HOUR = 3_600_000

/** Fixed ids, so that addresses of the demo are the same on every installation; the first is the newest. */
export const demoEmailId = (customerNumber: string, n: number) =>
  `e0000000-0000-4000-8000-${customerNumber}${String(n).padStart(6, '0')}`

export const emails: DemoPart = {
  name: 'emails',
  async load(tx, world) {
    const random = world.random('emails')
    const rows = NAMED_ACCOUNTS.filter(({ customerNumber }) => RECEIVED[customerNumber]).flatMap((account) => {
      const count = RECEIVED[account.customerNumber] ?? 0
      const newest = showcaseEmails(account)
      const older = Array.from({ length: count }, () => ordinaryEmail(account, random))
      return [...newest, ...older].slice(0, count).map((email, index) => ({ account, email, index, count }))
    })
    const dated = rows.map((row) => ({
      ...row,
      at: new Date(
        world.midnight.getTime() - (row.index * SPAN_IN_HOURS * HOUR) / row.count - random.integer(0, 3) * HOUR,
      ),
    }))
    await insertRows(
      tx,
      'mail',
      dated.map(({ account, email, index, at }) => toRow(account, email, index + 1, at)),
    )
    await insertRows(
      tx,
      'outbox_message',
      dated
        .filter(({ email }) => email.trouble)
        .map(({ account, email, index, at }) => toFailedMessage(account, email, index + 1, at)),
    )
    await insertRows(
      tx,
      'mail_attachment',
      dated.flatMap(({ account, email: { attachment }, index }) =>
        attachment
          ? [
              {
                customer_number: account.customerNumber,
                mail_id: demoEmailId(account.customerNumber, index + 1),
                position: 1,
                name: attachment.name,
                media_type: attachment.mediaType,
                content: Buffer.from(attachment.content),
              },
            ]
          : [],
      ),
    )
  },
}

/** A failed message that staff can send again. */
function toFailedMessage({ customerNumber }: Recipient, email: DemoEmail, n: number, at: Date) {
  const id = demoEmailId(customerNumber, n)
  return {
    id,
    lane: MAIL,
    payload: JSON.stringify({ customerNumber, mailId: id } satisfies MailPayload),
    state: 'failed' as const,
    attempts: 1,
    next_attempt_at: null,
    queued_at: at,
    resent_at: null,
    trouble: email.trouble ?? '',
  }
}

function toRow({ customerNumber }: Recipient, email: DemoEmail, n: number, at: Date) {
  const id = demoEmailId(customerNumber, n)
  return {
    customer_number: customerNumber,
    id,
    queued_at: at,
    message_id: `<${id}@portal.vendor.example>`,
    recipients: [...email.to],
    copies: [...(email.cc ?? [])],
    subject: email.subject,
    body_html: email.html,
    body_text: email.text,
    state: email.trouble ? ('failed' as const) : ('sent' as const),
    attempts: 1,
    delivered_at: email.trouble ? null : at,
    trouble: email.trouble ?? '',
    deleted_at: null,
    deleted_by: null,
  }
}
