import type { ColumnType, Generated } from 'kysely'
import type { AccessKind, AccessSource } from '#domain/access-review/access.ts'
import type { Decision } from '#domain/access-review/decision.ts'
import type { ReviewPeriod } from '#domain/access-review/schedule.ts'
import type { Day } from '#server/db/column-types.ts'
import type { Tables } from '#server/db/tables.ts'

/** Empty until the review is finished, or the entry is decided. */
type Later<T> = ColumnType<T | null, T | null | undefined, T | null>

export type AccessReviewRows = {
  access_review_settings: {
    customer_number: string
    every: ReviewPeriod
    chosen_on: Day
    due_days: number
    saved_by: string
    saved_at: Date
  }
  access_review: {
    customer_number: string
    review_id: string
    opened_at: Date
    opened_on: Day
    opened_by: string | null
    due_on: Day
    told_days: Later<number>
    finished_at: Later<Date>
    finished_on: Later<Day>
    finished_by: Later<string>
    kept: Later<number>
    taken_away: Later<number>
    gone: Later<number>
    undecided: Later<number>
    given_meanwhile: Later<number>
  }
  access_review_entry: {
    customer_number: string
    review_id: string
    entry_id: string
    kind: AccessKind
    key: string
    name: string
    holder: string
    role: string
    source: AccessSource
    last_used_at: Date | null
    since: Date
    given_by: string | null
    is_unused: boolean
    decision: Generated<Decision>
    decided_by: Later<string>
    decided_at: Later<Date>
    reason: Generated<string>
    revision: Generated<number>
  }
  access_review_file: {
    customer_number: string
    review_id: string
    csv: Buffer
    pdf: Buffer
    signature: string
    made_at: Date
  }
}

declare module '#server/db/schema.ts' {
  interface DB extends AccessReviewRows {}
}

export const accessReviewTables: Tables<AccessReviewRows> = {
  owns: ['access_review_settings', 'access_review', 'access_review_entry', 'access_review_file'],
  reads: {
    account: 'Accounts that export compliance has closed, or whose access is disabled, get no reviews by schedule.',
  },
}
