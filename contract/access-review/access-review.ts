import { type Static, Type } from 'typebox'
import { FailureCode } from '#contract/kit/failure-code.ts'
import { declareList } from '#contract/kit/list.ts'
import { BATCH_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { PlainLines } from '#contract/kit/plain-text.ts'
import { CustomerNumber, exactly, Revision, requestFields } from '#contract/kit/schema.ts'
import { ACCESS_KINDS, ACCESS_SOURCES, UNUSED_DAYS } from '#domain/access-review/access.ts'
import { decidedWords, finishedWords, openedWords } from '#domain/access-review/audit-words.ts'
import { ACTS, DECISIONS, MAX_DECIDED, MAX_REASON } from '#domain/access-review/decision.ts'
import { MAX_DUE_DAYS, MIN_DUE_DAYS, REVIEW_PERIODS } from '#domain/access-review/schedule.ts'
import { download, plain } from '#domain/audit/words.ts'

const access = { kind: 'account', action: 'access-review.manage', customerNumberIn: 'body' } as const

const Count = Type.Integer({ minimum: 0 })
const Day = Type.String({ format: 'date', description: 'A calendar day of the account, yyyy-mm-dd' })
const Instant = Type.String({ format: 'date-time' })
const orNull = <const T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const ReviewId = Type.String({ format: 'uuid' })
const EntryId = Type.String({
  minLength: 1,
  maxLength: 400,
  description: 'The id of a row of the review',
  examples: ['contact:ann@example.com'],
})
const Decision = Type.Enum([...DECISIONS], { description: 'gone: it had ended before it could be taken away' })

export const accessList = declareList({
  name: 'access-review',
  rows: 'accesses to an account: those of a review with its decisions, or without a review those of now',
  access,
  token: null,
  scope: { customerNumber: CustomerNumber, reviewId: Type.Optional(ReviewId) },
  fields: {
    id: { type: 'text' },
    kind: { type: 'text', schema: Type.Enum([...ACCESS_KINDS]) },
    name: {
      type: 'text',
      schema: Type.String({
        description: 'The address of a person, the name of a token or calendar address, the URL of a webhook',
      }),
    },
    holder: { type: 'text', schema: Type.String({ description: 'The person whose access it is, or who made it' }) },
    role: { type: 'text' },
    source: { type: 'text', schema: Type.Enum([...ACCESS_SOURCES]) },
    lastUsed: { type: 'instant', nullable: true },
    since: { type: 'instant' },
    givenBy: { type: 'text', nullable: true },
    isUnused: {
      type: 'boolean',
      schema: Type.Boolean({
        description: `Nobody has used it for ${UNUSED_DAYS} days. Of a review: when it was opened`,
      }),
    },
    decision: { type: 'text', schema: Decision },
    decidedBy: { type: 'text', nullable: true },
    decidedAt: { type: 'instant', nullable: true },
    reason: { type: 'text' },
    revision: { type: 'number', schema: Revision },
  },
  key: ['id'],
  defaultSort: [
    { name: 'isUnused', direction: 'desc' },
    { name: 'lastUsed', direction: 'asc' },
    { name: 'name', direction: 'asc' },
  ],
  distinct: 'kind',
  csv: { summary: 'Accesses to an account as CSV (UTC times)', noun: 'accesses to the account' },
})

export const reviewList = declareList({
  name: 'access-review/finished',
  rows: 'finished access reviews of an account',
  access,
  token: null,
  scope: { customerNumber: CustomerNumber },
  fields: {
    id: { type: 'text' },
    openedAt: { type: 'instant' },
    openedBy: { type: 'text', nullable: true, schema: Type.String({ description: 'Null: by the schedule' }) },
    dueOn: { type: 'day' },
    finishedAt: { type: 'instant' },
    finishedOn: { type: 'day' },
    finishedBy: { type: 'text' },
    kept: { type: 'number', schema: Count },
    takenAway: { type: 'number', schema: Count },
    gone: { type: 'number', schema: Count },
    undecided: { type: 'number', schema: Count },
    hasFiles: { type: 'boolean', schema: Type.Boolean({ description: 'PDF, CSV and signature can be downloaded' }) },
  },
  key: ['id'],
  defaultSort: [{ name: 'finishedAt', direction: 'desc' }],
  distinct: false,
})

const settings = {
  every: Type.Enum([...REVIEW_PERIODS], {
    description: 'Days after the end of a review until the next one is opened; 0: by hand only',
  }),
  dueDays: Type.Integer({
    minimum: MIN_DUE_DAYS,
    maximum: MAX_DUE_DAYS,
    description: 'Days from the opening of a review to its due day',
  }),
}
const SavedSettings = exactly({ ...settings, revision: Revision })
export type SavedReviewSettings = Static<typeof SavedSettings>

const OpenReview = Type.Object({
  id: ReviewId,
  openedAt: Instant,
  openedBy: orNull(Type.String(), 'Null: by the schedule'),
  dueOn: Day,
  open: { ...Count, description: 'Not decided yet' },
  kept: Count,
  takenAway: Count,
  gone: Count,
})
export type OpenReview = Static<typeof OpenReview>

const State = Type.Object({
  today: Day,
  review: orNull(OpenReview, 'The review that is not finished; null: none'),
  nextOpening: orNull(Day, 'When the schedule opens the next one; null: not by the schedule, or one is open'),
  settings: SavedSettings,
})
export type ReviewState = Static<typeof State>

export const getReviewState = operation({
  name: 'access-review/state',
  summary: 'The open access review of an account, and when the next one opens',
  access,
  token: null,
  writes: false,
  body: requestFields({ customerNumber: CustomerNumber }),
  data: State,
})

export const openReview = operation({
  name: 'access-review/open',
  summary: 'Opens an access review of everything that has access now, and mails the administrators',
  access,
  token: null,
  writes: true,
  audit: openedWords,
  refusals: ['REVIEW_OPEN'],
  body: requestFields({ customerNumber: CustomerNumber }),
  data: exactly({ id: ReviewId, dueOn: Day, entries: Count }),
})

const Outcome = exactly({
  id: EntryId,
  name: Type.String({ description: 'Of the row; its id if there is no such row' }),
  status: Type.Enum(['SUCCESS', 'FAILURE']),
  code: Type.Optional(FailureCode),
  err: Type.Optional(Type.String()),
  decision: Decision,
  revision: Revision,
})
export type DecidedEntry = Static<typeof Outcome>

export const decideAccess = operation({
  name: 'access-review/decide',
  summary:
    'Keeps or takes away accesses of a review. What is taken away ends at once. Each entry has its own outcome; a single one that somebody else has decided meanwhile is a 409.',
  access,
  token: null,
  writes: true,
  audit: decidedWords,
  refusals: ['REVIEW_CLOSED', 'OWN_ACCESS', 'NOT_ALLOWED', 'LAST_ADMINISTRATOR', 'ALREADY_ENDED', 'STALE', 'NOT_FOUND'],
  bodyLimit: BATCH_BODY_LIMIT,
  body: requestFields({
    customerNumber: CustomerNumber,
    reviewId: ReviewId,
    act: Type.Enum([...ACTS]),
    reason: PlainLines(MAX_REASON, { description: 'Required to take away' }),
    withEverything: Type.Optional(
      Type.Boolean({
        description:
          'Ends everything that the persons of these accesses have on the account: role, grants, web licenses, tokens, calendar addresses, requests, places in line. Their other entries of the review end with it.',
      }),
    ),
    entries: Type.Array(exactly({ id: EntryId, revision: Revision }), { minItems: 1, maxItems: MAX_DECIDED }),
  }),
  data: Type.Array(Outcome),
})

export const finishReview = operation({
  name: 'access-review/finish',
  summary: 'Finishes an access review. Access without a decision stays, and the signed report lists it as undecided.',
  access,
  token: null,
  writes: true,
  audit: finishedWords,
  refusals: ['REVIEW_CLOSED'],
  body: requestFields({ customerNumber: CustomerNumber, reviewId: ReviewId }),
  data: Type.Null(),
})

export const saveReviewSettings = operation({
  name: 'access-review/settings/save',
  summary: 'Saves how often access reviews are opened, and how long they take',
  access,
  token: null,
  writes: true,
  audit: plain('Changed the schedule of access reviews', 'change the schedule of access reviews'),
  body: requestFields({ customerNumber: CustomerNumber, settings: exactly(settings), revision: Revision }),
  data: SavedSettings,
})

const file = {
  access,
  token: null,
  writes: false,
  refusals: ['FILES_NOT_READY'],
  body: requestFields({ customerNumber: CustomerNumber, reviewId: ReviewId }),
  data: Type.Unknown(),
  audit: download('an access review'),
} as const

export const getReviewPdf = operation({
  ...file,
  name: 'access-review/pdf',
  summary: 'The report of a finished access review as PDF, which the signature covers',
  media: 'application/pdf',
})

export const getReviewCsv = operation({
  ...file,
  name: 'access-review/csv',
  summary: 'The decisions of a finished access review as CSV (UTC times), which the signature covers',
  media: 'text/csv',
})

export const getReviewSignature = operation({
  ...file,
  name: 'access-review/signature',
  summary:
    'The signature of a finished access review (Ed25519), with the SHA-256 of its PDF and CSV and the public key. examples/access-review-verifier checks it',
  media: 'text/plain',
})
