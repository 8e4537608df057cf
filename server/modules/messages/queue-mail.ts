import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { MAIL, type MailPayload } from '#server/modules/messages/mail.lane.ts'
import { insertMail } from '#server/modules/messages/mail.queries.ts'
import { countMail, type MailLimit, planNotice } from '#server/modules/messages/mail-brake.ts'
import { frameMail, type MailContent, paragraph } from '#server/modules/messages/mail-frame.ts'
import { insertMessage } from '#server/outbox/outbox.queries.ts'
import type { Services } from '#server/services.ts'

export type Mail = {
  /** The account whose history stores the mail. A mail without one is deleted after its delivery. */
  readonly customerNumber?: string
  readonly to: readonly string[]
  readonly cc?: readonly string[]
  readonly subject: string
  readonly content: MailContent
  readonly attachments?: readonly { readonly name: string; readonly mediaType: string; readonly content: Buffer }[]
}

type Parts = Pick<Services, 'config' | 'clock'>

/**
 * Puts a mail into the outbox in the transaction of the change that causes it. The outbox worker sends it from there,
 * even if this process dies. Answers the mail's id in the outbox and in the account's history. Beyond the limit the
 * whole call is refused. Mails of jobs have none; which others have none, and why, is in the README.
 */
export async function queueMail(
  tx: Transaction<DB>,
  services: Parts,
  mail: Mail,
  limit: MailLimit | 'no limit',
): Promise<string> {
  const now = services.clock.now()
  if (limit !== 'no limit') await countMail(tx, [...mail.to, ...(mail.cc ?? [])], limit, now)
  return insert(tx, services, mail, now)
}

const HELD_BACK =
  'This email was held back because several like it were sent within an hour. Further changes may have been made since: the portal shows the current settings.'

/**
 * Queues a notice of a change that must not fail because of its mail. Beyond the limit, one mail is delayed until the
 * next one may be sent, and covers all changes until then.
 */
export async function queueNotice(tx: Transaction<DB>, services: Parts, mail: Mail, limit: MailLimit): Promise<void> {
  const { now, later, at } = await planNotice(tx, mail.to, limit, services.clock.now())
  if (now.length > 0) await insert(tx, services, { ...mail, to: now }, services.clock.now())
  const { title, blocks } = mail.content
  const content = { title, blocks: [paragraph(HELD_BACK), ...blocks] }
  if (later.length > 0) await insert(tx, services, { ...mail, to: later, content }, at)
}

/** The mail is sent at `at`, and never before. */
async function insert(tx: Transaction<DB>, { config, clock }: Parts, mail: Mail, at: Date): Promise<string> {
  const id = randomUUID()
  const { html, text } = frameMail(mail.content, config)
  const messageId = `<${id}@${new URL(config.origin).hostname}>`
  const subject = inOneLine(mail.subject)
  const to = [...mail.to]
  const cc = [...(mail.cc ?? [])]
  const attachments = (mail.attachments ?? []).map(({ name, ...rest }) => ({
    ...rest,
    name: name.replaceAll(/[\p{Cc}/\\]/gu, '_'),
  }))
  const { customerNumber } = mail
  let payload: MailPayload
  if (customerNumber === undefined) {
    const encoded = attachments.map((one) => ({ ...one, content: one.content.toString('base64') }))
    payload = { mail: { messageId, to, cc, subject, html, text, attachments: encoded } }
  } else {
    payload = { customerNumber, mailId: id }
    await insertMail(
      tx,
      {
        customer_number: customerNumber,
        id,
        queued_at: clock.now(),
        message_id: messageId,
        recipients: to,
        copies: cc,
        subject,
        body_html: html,
        body_text: text,
      },
      attachments.map(({ name, mediaType, content }) => ({ name, media_type: mediaType, content })),
    )
  }
  await insertMessage(tx, { id, lane: MAIL, payload, at })
  return id
}

/** Names of accounts and products come from outside, and a line break in a subject would begin another header. */
function inOneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').trim()
}
