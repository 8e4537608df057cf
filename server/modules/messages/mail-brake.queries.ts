import type { Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'

type BrakeKey = { readonly person: string; readonly kind: string; readonly recipient: string }

/** The times of the latest mails. The row is locked: others who send the same mail wait for this transaction. */
export async function lockSentMails(tx: Transaction<DB>, key: BrakeKey, now: Date): Promise<Date[]> {
  const { sent_at } = await tx
    .insertInto('mail_brake')
    .values({ ...key, sent_at: [], latest_at: now })
    .onConflict((conflict) =>
      conflict.columns(['person', 'kind', 'recipient']).doUpdateSet(({ ref }) => ({ person: ref('excluded.person') })),
    )
    .returning('sent_at')
    .executeTakeFirstOrThrow()
  return sent_at
}

export async function saveSentMails(tx: Transaction<DB>, key: BrakeKey, sentAt: Date[], latest: Date): Promise<void> {
  await tx
    .updateTable('mail_brake')
    .set({ sent_at: sentAt, latest_at: latest })
    .where('person', '=', key.person)
    .where('kind', '=', key.kind)
    .where('recipient', '=', key.recipient)
    .execute()
}

/** Deletes a hundred rows per call, more than one call adds. Locked rows are left for the next call. */
export async function dropOldMails(tx: Transaction<DB>, before: Date): Promise<void> {
  await tx
    .deleteFrom('mail_brake')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('person', 'kind', 'recipient'),
        'in',
        selectFrom('mail_brake')
          .select(['person', 'kind', 'recipient'])
          .where('latest_at', '<', before)
          .orderBy('latest_at')
          .limit(100)
          .forUpdate()
          .skipLocked()
          .$asTuple('person', 'kind', 'recipient'),
      ),
    )
    .execute()
}
