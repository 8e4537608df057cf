import type { Insertable, Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import type { OutgoingMail } from '#server/doors/mailer.ts'

export type NewMail = Insertable<DB['mail']> & { id: string }
export type NewAttachment = Pick<Insertable<DB['mail_attachment']>, 'name' | 'media_type' | 'content'>
type MailKey = { readonly customerNumber: string; readonly mailId: string }

export async function insertMail(
  tx: Transaction<DB>,
  mail: NewMail,
  attachments: readonly NewAttachment[],
): Promise<void> {
  await tx.insertInto('mail').values(mail).execute()
  if (attachments.length === 0) return
  await tx
    .insertInto('mail_attachment')
    .values(
      attachments.map((attachment, index) => ({
        ...attachment,
        customer_number: mail.customer_number,
        mail_id: mail.id,
        position: index + 1,
      })),
    )
    .execute()
}

export async function loadMail(
  tx: Transaction<DB>,
  { customerNumber, mailId }: MailKey,
): Promise<Omit<OutgoingMail, 'date'> | undefined> {
  const mail = await tx
    .selectFrom('mail')
    .select(['message_id', 'recipients', 'copies', 'subject', 'body_html', 'body_text'])
    .where('customer_number', '=', customerNumber)
    .where('id', '=', mailId)
    .executeTakeFirst()
  if (!mail) return undefined
  const attachments = await tx
    .selectFrom('mail_attachment')
    .select(['name', 'media_type as mediaType', 'content'])
    .where('customer_number', '=', customerNumber)
    .where('mail_id', '=', mailId)
    .orderBy('position')
    .execute()
  return {
    messageId: mail.message_id,
    to: mail.recipients,
    cc: mail.copies,
    subject: mail.subject,
    html: mail.body_html,
    text: mail.body_text,
    attachments,
  }
}

type MailOutcome = { attempts: number; trouble: string } & (
  | { state: 'sent' | 'mailbox'; delivered_at: Date }
  | { state: 'queued' | 'failed'; delivered_at: null }
)

export async function saveMailOutcome(
  tx: Transaction<DB>,
  { customerNumber, mailId }: MailKey,
  outcome: MailOutcome,
): Promise<void> {
  await tx
    .updateTable('mail')
    .set(outcome)
    .where('customer_number', '=', customerNumber)
    .where('id', '=', mailId)
    .execute()
}

/** Sends a failed mail again. Its place in the history stays the same. */
export function saveMailQueued(tx: Transaction<DB>, key: MailKey): Promise<void> {
  return saveMailOutcome(tx, key, { state: 'queued', delivered_at: null, attempts: 0, trouble: '' })
}
