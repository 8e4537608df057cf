import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { insertMail } from '#server/modules/messages/mail.queries.ts'
import type { MailContent } from '#server/modules/messages/mail-content.ts'
import { frameMail } from '#server/modules/messages/mail-frame.ts'
import type { Services } from '#server/services.ts'

export type Mail = {
  /** The account whose history keeps the mail. */
  readonly customerNumber: string
  readonly to: readonly string[]
  readonly cc?: readonly string[]
  readonly subject: string
  readonly content: MailContent
  readonly attachments?: readonly { readonly name: string; readonly mediaType: string; readonly content: Buffer }[]
}

/**
 * Puts a mail into the outbox as part of the change that causes it: both happen, or neither. From there it is sent by the
 * mail delivery, whatever becomes of this process. Answers the mail's id in the account's history.
 */
export async function queueMail(
  tx: Transaction<DB>,
  { config, clock }: Pick<Services, 'config' | 'clock'>,
  mail: Mail,
): Promise<string> {
  const id = randomUUID()
  const now = clock.now()
  const { html, text } = frameMail(mail.content, config)
  await insertMail(
    tx,
    {
      customer_number: mail.customerNumber,
      id,
      queued_at: now,
      next_attempt_at: now,
      message_id: `<${id}@${new URL(config.origin).hostname}>`,
      recipients: [...mail.to],
      copies: [...(mail.cc ?? [])],
      subject: inOneLine(mail.subject),
      body_html: html,
      body_text: text,
    },
    (mail.attachments ?? []).map(({ name, mediaType, content }) => ({
      name: name.replaceAll(/[\p{Cc}/\\]/gu, '_'),
      media_type: mediaType,
      content,
    })),
  )
  return id
}

/** Names of accounts and products come from outside, and a line break in a subject would begin another header. */
function inOneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').trim()
}
