import { type SqlBool, sql } from 'kysely'
import { accessList, reviewList } from '#contract/access-review/access-review.ts'
import { listSource } from '#server/lists/list-source.ts'
import { ENTRY_COLUMNS } from '#server/modules/access-review/access-review.queries.ts'

/**
 * The entries of a review; or, with an empty `reviewId`, what has access now: `now` has its rows as JSON. They come from several tables, some of
 * which are not on the customer's node, so no statement joins them.
 */
export type AccessScope = { readonly customerNumber: string; readonly reviewId: string; readonly now: string }

export const accessSource = listSource(accessList, {
  columns: {
    id: 'e.entry_id',
    kind: 'e.kind',
    name: 'e.name',
    holder: 'e.holder',
    role: 'e.role',
    source: 'e.source',
    lastUsed: 'e.last_used_at',
    since: 'e.since',
    givenBy: 'e.given_by',
    isUnused: 'e.is_unused',
    decision: 'e.decision',
    decidedBy: 'e.decided_by',
    decidedAt: 'e.decided_at',
    reason: 'e.reason',
    revision: 'e.revision',
  },
  from: ({ reviewId, now }: AccessScope) =>
    reviewId === ''
      ? sql`(select a.*, 'open' as decision, null::text as decided_by, null::timestamptz as decided_at, '' as reason,
                    0 as revision
               from jsonb_to_recordset(${now}::jsonb) as a(${ENTRY_COLUMNS})) e`
      : sql`access_review_entry e`,
  scope: ({ customerNumber, reviewId }: AccessScope) =>
    reviewId === ''
      ? sql<SqlBool>`true`
      : sql<SqlBool>`e.customer_number = ${customerNumber} and e.review_id = ${reviewId}`,
  // Tokens are bound to the scope, which has all rows.
  continuation: false,
})

export const reviewSource = listSource(reviewList, {
  columns: {
    id: 'r.review_id::text',
    openedAt: 'r.opened_at',
    openedBy: 'r.opened_by',
    dueOn: 'r.due_on',
    finishedAt: 'r.finished_at',
    finishedOn: 'r.finished_on',
    finishedBy: 'r.finished_by',
    kept: 'r.kept',
    takenAway: 'r.taken_away',
    gone: 'r.gone',
    undecided: 'r.undecided',
    hasFiles: 'f.review_id is not null',
  },
  from: ({ customerNumber }: { readonly customerNumber: string }) => sql`access_review r
    left join (select f.review_id from access_review_file f where f.customer_number = ${customerNumber}) f
      on f.review_id = r.review_id`,
  scope: ({ customerNumber }: { readonly customerNumber: string }) =>
    sql<SqlBool>`r.customer_number = ${customerNumber} and r.finished_at is not null`,
})
