import type { Kysely, Selectable, Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'

export type DraftRow = Selectable<DB['fsa_draft']>
type DraftContent = { fsa_id: string; name: string; lines: string; saved_by: string; saved_at: Date }

/** The last saved first. */
export async function listDraftRows(db: Kysely<DB>, customerNumber: string): Promise<DraftRow[]> {
  return db
    .selectFrom('fsa_draft')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .orderBy('saved_at', 'desc')
    .orderBy('draft_id')
    .execute()
}

export async function findDraft(
  db: Kysely<DB>,
  customerNumber: string,
  draftId: string,
): Promise<DraftRow | undefined> {
  return db
    .selectFrom('fsa_draft')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .where('draft_id', '=', draftId)
    .executeTakeFirst()
}

/** Locks the draft until the end of the transaction: nobody else can change, order or delete it. */
export async function lockDraft(
  tx: Transaction<DB>,
  customerNumber: string,
  draftId: string,
): Promise<DraftRow | undefined> {
  return tx
    .selectFrom('fsa_draft')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .where('draft_id', '=', draftId)
    .forUpdate()
    .executeTakeFirst()
}

export async function insertDraft(
  tx: Transaction<DB>,
  customerNumber: string,
  content: DraftContent,
): Promise<DraftRow> {
  return tx
    .insertInto('fsa_draft')
    .values({ customer_number: customerNumber, ...content })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Saves the draft under the next revision. */
export async function updateDraft(
  tx: Transaction<DB>,
  { customer_number, draft_id, revision }: DraftRow,
  content: Partial<DraftContent>,
): Promise<DraftRow> {
  return tx
    .updateTable('fsa_draft')
    .set({ ...content, revision: revision + 1 })
    .where('customer_number', '=', customer_number)
    .where('draft_id', '=', draft_id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function removeDraft(tx: Transaction<DB>, { customer_number, draft_id }: DraftRow): Promise<void> {
  await tx
    .deleteFrom('fsa_draft')
    .where('customer_number', '=', customer_number)
    .where('draft_id', '=', draft_id)
    .execute()
}
