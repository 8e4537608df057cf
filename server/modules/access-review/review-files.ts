import { createHash, sign } from 'node:crypto'
import { Readable } from 'node:stream'
import type { getReviewCsv, getReviewPdf, getReviewSignature } from '#contract/access-review/access-review.ts'
import { KIND_TEXTS, SOURCE_TEXTS } from '#domain/access-review/access.ts'
import { DECISION_TEXTS } from '#domain/access-review/decision.ts'
import { reviewFileName } from '#domain/access-review/file-name.ts'
import { canonicalJson } from '#domain/audit/canonical-json.ts'
import { timeIn } from '#domain/calendar/calendar-day.ts'
import { loadCheckpointKey } from '#server/audit/checkpoints.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import {
  type EntryRow,
  findFile,
  findReview,
  hasFile,
  insertFile,
  listAllEntries,
  type ReviewKey,
  type ReviewRow,
} from '#server/modules/access-review/access-review.queries.ts'
import { noSuchReview } from '#server/modules/access-review/decide-access.ts'
import { describeReview } from '#server/modules/access-review/review-pdf.ts'
import { loadAccount } from '#server/modules/accounts/accounts.public.ts'
import { csvTableBytes } from '#server/operations/file-answer.ts'
import { type Call, SentFile } from '#server/operations/route.ts'
import { makeDocument } from '#server/pdf/make-document.ts'
import type { Services } from '#server/services.ts'
import { defineJob } from '#server/tasks/job.ts'

type Parts = Pick<Services, 'clock' | 'db' | 'loadLetterhead' | 'makePdf' | 'secrets'>

export const reviewFilesJob = defineJob<ReviewKey>({
  queue: 'access-review-files',
  run: (key, services) => makeFiles(services, key),
})

/** The report of a finished review, signed. It is made once: a second run leaves the first files as they are. */
async function makeFiles(services: Parts, key: ReviewKey): Promise<void> {
  const { db } = services
  const review = await findReview(db, key)
  if (!review?.finished_at || (await hasFile(db, key))) return
  const account = await loadAccount(db, key.customerNumber)
  const entries = await listAllEntries(db, key)
  const csv = csvOf(review, entries)
  const pdf = await makeDocument(
    services,
    review.finished_at,
    describeReview({ review, entries, account, csvHash: sha256Of(csv) }),
  )
  const signature = await signFiles(services, review, { csv, pdf })
  const row = { customer_number: key.customerNumber, review_id: key.reviewId }
  await db.transaction().execute((tx) => insertFile(tx, { ...row, csv, pdf, signature, made_at: services.clock.now() }))
}

const HEADER = [
  'Access',
  'Kind',
  'Role',
  'Person',
  'Source',
  'Given By',
  'Since (UTC)',
  'Last Used (UTC)',
  'Unused For 90 Days',
  'Decision',
  'Decided By',
  'Decided (UTC)',
  'Reason',
  'Id',
]

function csvOf(review: ReviewRow, entries: readonly EntryRow[]): Buffer {
  return csvTableBytes({
    fileName: fileName(review, 'csv'),
    header: HEADER,
    lines: entries.map((entry) => [
      entry.name,
      KIND_TEXTS[entry.kind],
      entry.role,
      entry.holder,
      SOURCE_TEXTS[entry.source],
      entry.given_by ?? '',
      utc(entry.since),
      utc(entry.last_used_at),
      entry.is_unused ? 'Yes' : 'No',
      DECISION_TEXTS[entry.decision],
      entry.decided_by ?? '',
      utc(entry.decided_at),
      entry.reason,
      entry.entry_id,
    ]),
  })
}

const utc = (at: Date | null) => (at === null ? '' : timeIn('UTC', at))
const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/**
 * Signed with the key of the audit log's checkpoints, whose public half every customer can load there. `form` keeps a signature of one kind from
 * passing for one of the other.
 */
async function signFiles(
  { db, secrets }: Parts,
  review: ReviewRow,
  { csv, pdf }: { readonly csv: Buffer; readonly pdf: Buffer },
): Promise<string> {
  const { keyId, privateKey, spki } = await loadCheckpointKey(db, secrets)
  const signed = {
    form: 'PORTAL-ACCESS-REVIEW-1',
    customerNumber: review.customer_number,
    reviewId: review.review_id,
    openedAt: review.opened_at.toISOString(),
    finishedAt: review.finished_at?.toISOString() ?? '',
    finishedBy: review.finished_by ?? '',
    files: {
      [fileName(review, 'csv')]: sha256Of(csv),
      [fileName(review, 'pdf')]: sha256Of(pdf),
    },
    keyId,
  }
  const signature = sign(null, Buffer.from(canonicalJson(signed)), privateKey).toString('base64')
  return `${JSON.stringify({ ...signed, publicKey: spki.toString('base64'), signature }, null, 2)}\n`
}

const fileName = (
  { customer_number: customerNumber, finished_on: finishedOn, review_id: reviewId }: ReviewRow,
  ending: Parameters<typeof reviewFileName>[1],
) => reviewFileName({ customerNumber, finishedOn: finishedOn ?? '', reviewId }, ending)

type FileCall = Call<typeof getReviewPdf | typeof getReviewCsv | typeof getReviewSignature>

const FILES = {
  pdf: { ending: 'pdf', mediaType: 'application/pdf' },
  csv: { ending: 'csv', mediaType: 'text/csv; charset=utf-8' },
  signature: { ending: 'signature.json', mediaType: 'text/plain; charset=utf-8' },
} as const

/** Sends a file of a review as it was signed. */
export async function sendReviewFile(
  { audit, body, db, standing }: FileCall,
  kind: keyof typeof FILES,
): Promise<SentFile> {
  const key = { customerNumber: standing.customerNumber, reviewId: body.reviewId }
  const review = await findReview(db, key)
  if (!review) throw noSuchReview()
  const bytes = await findFile(db, key, kind)
  if (bytes === undefined)
    throw new BusinessRefusal(
      'FILES_NOT_READY',
      review.finished_at === null
        ? 'The report is made when the review is finished.'
        : 'The report is being made. Try again in a moment.',
    )
  const { ending, mediaType } = FILES[kind]
  await audit({ target: fileName(review, ending), after: { reviewId: body.reviewId } })
  return new SentFile(fileName(review, ending), Readable.from([bytes]), bytes.length, mediaType)
}
