import { type Static, Type } from 'typebox'
import { ProductCount, usageFields } from '#contract/elastic/sessions/elastic-sessions.ts'
import { lineResult } from '#contract/kit/answer.ts'
import { operation } from '#contract/kit/operation.ts'
import { exactly } from '#contract/kit/schema.ts'

const MAX_TRANSACTIONS = 5_000
/** Enough for the longest batch of usual transactions. */
const BODY_LIMIT = 8 * 1024 * 1024

const Instant = (description: string, example: string) =>
  Type.String({ format: 'date-time', maxLength: 40, description, examples: [example] })

const ID = '^[\\x21-\\x7e]{1,100}$'

/** A finished transaction or a correction. */
export const transactionFields = {
  ...usageFields,
  id: Type.String({
    pattern: ID,
    description: 'The sender’s own id. A transaction is booked once per id and account.',
    examples: ['tx-2026-10-10-000042'],
  }),
  productCount: ProductCount,
  startTime: Instant('When the session began', '2026-10-10T08:00:00.000Z'),
  endTime: Instant('When it ended: the time at which it is booked', '2026-10-10T09:30:00.000Z'),
  activationId: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9-]{1,64}$',
      description:
        'With a charge: the entitlement on which exactly that is booked, or from which it is taken back. Otherwise it is ignored.',
      examples: ['a1b2c3d4-5e6f-4a7b-8c9d-0e1f2a3b4c5d'],
    }),
  ),
  charge: Type.Optional(
    Type.String({
      pattern: '^-?[0-9]{1,12}([.][0-9]{1,2})?$',
      description:
        'Elastic units as text. Without an activation id it is ignored, and the transaction is rated. A correction has a negative one.',
      examples: ['11.25'],
    }),
  ),
  correctionOf: Type.Optional(
    Type.String({
      pattern: ID,
      description:
        'Makes this a correction: the id of the booked transaction, or of the session, of which the charge takes back all or a part. It is booked at endTime for the product, user, host and project of the original. A split charge is taken back from its last part on, unless activationId names the part.',
      examples: ['tx-2026-10-10-000041'],
    }),
  ),
}
const Transaction = exactly(transactionFields)
export type SentTransaction = Static<typeof Transaction>

export const sendUsage = operation({
  name: 'service/usage',
  path: '/service/v1/usage',
  summary:
    'Books finished transactions, at most 5,000 at a time, corrections among them, each exactly once by its id. Every line is booked or refused by itself; an id that was taken before is a SUCCESS and changes nothing.',
  access: { kind: 'service', scope: 'usage' },
  token: null,
  writes: true,
  audit: { none: 'Every transaction is a row of the usage ledger.' },
  takesTurns: true,
  bodyLimit: BODY_LIMIT,
  body: exactly({ transactions: Type.Array(Transaction, { minItems: 1, maxItems: MAX_TRANSACTIONS }) }),
  data: Type.Array(lineResult({ id: Type.String() })),
})
