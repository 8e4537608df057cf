import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { MAIL, type MailPayload } from '#server/modules/messages/mail.lane.ts'
import { insertMail } from '#server/modules/messages/mail.queries.ts'
import { frameMail, type MailContent } from '#server/modules/messages/mail-frame.ts'
import { insertMessage } from '#server/outbox/outbox.queries.ts'
import type { Services } from '#server/services.ts'

export type Mail = {
  /** The account whose history keeps the mail. A mail without one is kept until it is delivered, and no longer. */
  readonly customerNumber?: string
  readonly to: readonly string[]
  readonly cc?: readonly string[]
  readonly subject: string
  readonly content: MailContent
  readonly attachments?: readonly { readonly name: string; readonly mediaType: string; readonly content: Buffer }[]
}

/**
 * Puts a mail into the outbox as part of the change that causes it: both happen, or neither. From there it is sent by the
 * outbox worker, whatever becomes of this process. Answers the mail's id in the outbox and in the account's history.
 */
export async function queueMail(
  tx: Transaction<DB>,
  { config, clock }: Pick<Services, 'config' | 'clock'>,
  mail: Mail,
): Promise<string> {
  const id = randomUUID()
  const at = clock.now()
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
        queued_at: at,
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
