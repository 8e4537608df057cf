import type { Insertable, Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'

export type NewMail = Insertable<DB['mail']> & { id: string }
export type NewAttachment = Pick<Insertable<DB['mail_attachment']>, 'name' | 'media_type' | 'content'>

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
