import { type Kysely, sql, type Transaction } from 'kysely'
import type { Actor } from '#domain/access/standing.ts'
import type { DB } from '#server/db/schema.ts'
import { accountScope, visibleTo } from '#server/modules/accounts/accounts.public.ts'

/** One mail of one account. A deleted one is not found. */
export function findEmail(db: Kysely<DB>, customerNumber: string, id: string) {
  return db
    .selectFrom('mail as m')
    .innerJoin('account as a', 'a.customer_number', 'm.customer_number')
    .select(['m.id', 'm.queued_at', 'm.subject', 'm.recipients', 'm.copies', 'm.body_html', 'm.body_text'])
    .select(['m.state', 'm.trouble', 'm.customer_number', 'a.name as customer_name'])
    .where('m.customer_number', '=', customerNumber)
    .where('m.id', '=', id)
    .where('m.deleted_at', 'is', null)
    .executeTakeFirst()
}
export type EmailRow = NonNullable<Awaited<ReturnType<typeof findEmail>>>

/** The account that a mail belongs to, among those that somebody sees. A deleted mail is found, too. */
export async function findAccountOfEmail(db: Kysely<DB>, actor: Actor, id: string): Promise<string | undefined> {
  // One index lookup per account: no index finds a mail by its id alone.
  const { rows } = await sql<{ customer_number: string }>`
    select a.customer_number from account a
     cross join lateral (select 1 from mail m where m.customer_number = a.customer_number and m.id = ${id} limit 1) m
     where ${visibleTo(accountScope(actor))} limit 1`.execute(db)
  return rows[0]?.customer_number
}

export function listAttachments(db: Kysely<DB>, customerNumber: string, id: string) {
  return db
    .selectFrom('mail_attachment')
    .select(['position', 'name', 'media_type', sql<number>`octet_length(content)`.as('size')])
    .where('customer_number', '=', customerNumber)
    .where('mail_id', '=', id)
    .orderBy('position')
    .execute()
}
export type AttachmentRow = Awaited<ReturnType<typeof listAttachments>>[number]

export function findAttachment(db: Kysely<DB>, customerNumber: string, id: string, position: number) {
  return db
    .selectFrom('mail_attachment as t')
    .innerJoin('mail as m', (join) =>
      join.onRef('m.customer_number', '=', 't.customer_number').onRef('m.id', '=', 't.mail_id'),
    )
    .select(['t.name', 't.media_type', 't.content'])
    .where('t.customer_number', '=', customerNumber)
    .where('t.mail_id', '=', id)
    .where('t.position', '=', position)
    .where('m.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Emails of an account that could not be delivered. */
export async function countUndelivered(db: Kysely<DB>, customerNumber: string): Promise<number> {
  const { count } = await db
    .selectFrom('mail')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('customer_number', '=', customerNumber)
    .where('state', '=', 'failed')
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The state of a mail, deleted ones included; locked, so that concurrent changes are serialized. */
export function lockEmail(tx: Transaction<DB>, customerNumber: string, id: string) {
  return tx
    .selectFrom('mail')
    .select(['subject', 'recipients', 'deleted_at', 'state', 'attempts', 'trouble'])
    .where('customer_number', '=', customerNumber)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function hideEmail(
  tx: Transaction<DB>,
  customerNumber: string,
  id: string,
  by: { email: string; at: Date },
): Promise<void> {
  await tx
    .updateTable('mail')
    .set({ deleted_at: by.at, deleted_by: by.email })
    .where('customer_number', '=', customerNumber)
    .where('id', '=', id)
    .execute()
}
