import { type Kysely, sql, type Transaction } from 'kysely'
import type { CalendarFeed } from '#contract/reminders/reminders.ts'
import type { DB } from '#server/db/schema.ts'
import { isOpenToContacts } from '#server/modules/accounts/accounts.public.ts'

export async function listFeeds(db: Kysely<DB>, customerNumber: string): Promise<CalendarFeed[]> {
  const rows = await db
    .selectFrom('calendar_feed')
    .select(['id', 'name', 'created_by', 'created_at', 'used_at'])
    .where('customer_number', '=', customerNumber)
    .where('revoked_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ id, name, created_by, created_at, used_at }) => ({
    id,
    name,
    createdBy: created_by,
    createdAt: created_at.toISOString(),
    usedAt: used_at?.toISOString() ?? null,
  }))
}

export async function insertFeed(
  tx: Transaction<DB>,
  customerNumber: string,
  { id, name, createdBy, createdAt }: CalendarFeed,
  secretHash: Buffer,
): Promise<void> {
  await tx
    .insertInto('calendar_feed')
    .values({
      customer_number: customerNumber,
      id,
      name,
      secret_hash: secretHash,
      created_by: createdBy,
      created_at: new Date(createdAt),
    })
    .execute()
}

/** The name of the feed that was revoked; undefined if there is none. */
export async function revokeFeed(
  tx: Transaction<DB>,
  customerNumber: string,
  id: string,
  at: Date,
): Promise<string | undefined> {
  const row = await tx
    .updateTable('calendar_feed')
    .set({ revoked_at: at })
    .where('customer_number', '=', customerNumber)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('name')
    .executeTakeFirst()
  return row?.name
}

/** How many calendar addresses of a person were revoked. */
export async function revokeFeedsOf(
  tx: Transaction<DB>,
  customerNumber: string,
  email: string,
  at: Date,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('calendar_feed')
    .set({ revoked_at: at })
    .where('customer_number', '=', customerNumber)
    .where('created_by', '=', email)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** The account of a feed that can be read, with its zone. Saves when the feed was last read. */
export async function openFeed(
  db: Kysely<DB>,
  customerNumber: string,
  secretHash: Buffer,
  at: Date,
): Promise<{ name: string; time_zone: string } | undefined> {
  const { rows } = await sql<{ name: string; time_zone: string }>`
    update calendar_feed f set used_at = ${at}
      from account a
     where f.customer_number = ${customerNumber} and f.secret_hash = ${secretHash} and f.revoked_at is null
       and a.customer_number = f.customer_number and ${isOpenToContacts}
    returning a.name, a.time_zone`.execute(db)
  return rows[0]
}
