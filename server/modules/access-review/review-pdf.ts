import { KIND_TEXTS, SOURCE_TEXTS, UNUSED_DAYS } from '#domain/access-review/access.ts'
import { DECISION_TEXTS, type Decision } from '#domain/access-review/decision.ts'
import { timeIn } from '#domain/calendar/calendar-day.ts'
import type { EntryRow, ReviewRow } from '#server/modules/access-review/access-review.queries.ts'
import type { Described } from '#server/pdf/make-document.ts'
import type { PdfBlock, PdfColumn } from '#server/pdf/pdf-description.ts'

type Report = {
  readonly review: ReviewRow
  readonly entries: readonly EntryRow[]
  readonly account: { readonly name: string; readonly time_zone: string }
  readonly csvHash: string
}

const COLUMNS: readonly PdfColumn[] = [
  { title: 'Access', share: 4 },
  { title: 'Kind' },
  { title: 'Role', share: 3 },
  { title: 'Source' },
  { title: 'Last Used' },
  { title: 'Decided By', share: 3 },
  { title: 'Decided' },
  { title: 'Reason', share: 3 },
]
const TITLES: readonly (readonly [Decision, string])[] = [
  ['taken-away', 'Taken away'],
  ['open', 'Not decided: still in force'],
  ['gone', 'Gone already'],
  ['kept', 'Kept'],
]

const count = (value: number | null) => (value ?? 0).toLocaleString('en-US')

/** The report on paper: first what ended and what nobody decided, then what was kept. Times are those of the account. */
export function describeReview({ review, entries, account, csvHash }: Report): Described {
  const zone = account.time_zone
  const time = (at: Date | null) => (at === null ? '' : timeIn(zone, at).slice(0, 16))
  const byDecision = Map.groupBy(entries, ({ decision }) => decision)
  const customer = review.customer_number
  return {
    title: 'Access review',
    isLandscape: true,
    footnote: `Account ${customer} · finished on ${review.finished_on}`,
    blocks: [
      {
        kind: 'facts',
        facts: [
          ['Account ID (Account Name)', `${customer} (${account.name})`],
          ['Review', review.review_id],
          ['Opened', `${time(review.opened_at)} by ${review.opened_by ?? 'the schedule of the account'}`],
          ['Due', review.due_on],
          ['Finished', `${time(review.finished_at)} by ${review.finished_by}`],
          ['Time Zone', zone],
          ['Kept', count(review.kept)],
          ['Taken away', count(review.taken_away)],
          ['Gone already', count(review.gone)],
          ['Not decided', count(review.undecided)],
          ['Given since the opening', count(review.given_meanwhile)],
          ['SHA-256 of the CSV file', csvHash],
        ],
      },
      ...TITLES.flatMap(([decision, title]): PdfBlock[] => {
        const rows = byDecision.get(decision) ?? []
        if (rows.length === 0) return []
        return [
          {
            kind: 'table',
            title: `${title} (${count(rows.length)})`,
            columns: COLUMNS,
            rows: rows.map((entry) => ({
              cells: [
                entry.name === entry.holder ? entry.name : `${entry.name} (${entry.holder})`,
                KIND_TEXTS[entry.kind],
                entry.role,
                SOURCE_TEXTS[entry.source],
                entry.last_used_at === null ? 'Never' : time(entry.last_used_at),
                entry.decided_by ?? DECISION_TEXTS.open,
                time(entry.decided_at),
                entry.reason,
              ],
            })),
          },
        ]
      }),
      {
        kind: 'paragraph',
        text: `Within each part, accesses that nobody had used for ${UNUSED_DAYS} days when the review was opened come first. Accesses that were given since the opening belong to the next review. The signature file of this review has the SHA-256 of this document and of its CSV file.`,
      },
    ],
  }
}
