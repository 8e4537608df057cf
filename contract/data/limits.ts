import { currency, customerNumber, day, decimal, oneOf, optional, orNull, text } from '#contract/data/fields.ts'
import { recordKind } from '#contract/data/record-kind.ts'
import { LimitId } from '#contract/elastic/limits/limits.ts'
import { exactly } from '#contract/kit/schema.ts'
import { LIMIT_PERIODS, LIMIT_SUBJECTS } from '#domain/elastic/limits/limit.ts'
import { MAX_LIMIT_NAME } from '#domain/elastic/limits/limit-errors.ts'

/** The example of a record is of a project: its other names are empty. */
const name = (description: string, ...examples: [string | null, ...string[]]) =>
  optional({
    ...orNull(text({ description, examples: [examples.at(-1) ?? ''] }, { minLength: 1, maxLength: MAX_LIMIT_NAME })),
    examples,
  })

export const limitRecords = recordKind({
  name: 'limits',
  noun: 'the limit',
  scope: 'accounts',
  summary: 'A limit on what an account may use of elastic units',
  revoking: 'It is removed and refuses nothing any more.',
  canBeRemoved: true,
  key: ['customerNumber', 'limitId'],
  schema: exactly({
    customerNumber: customerNumber('The account'),
    limitId: LimitId,
    subject: oneOf(LIMIT_SUBJECTS, { description: 'What is added up', examples: ['project'] }),
    user: name('The username, if the subject has one; null for everybody else', null, 'anna'),
    project: name('The project, if the subject has one; null for every other project', 'Wing 42'),
    product: name('The product, if the subject has one; null for every other product', null, 'Fluid Flow Pro'),
    period: oneOf(LIMIT_PERIODS, {
      description: 'A day or month of the account’s calendar, or everything since `from`, or ever',
      examples: ['month'],
    }),
    currency,
    warnAt: optional(
      orNull(decimal(2, { description: 'Administrators get an email when so much is used', examples: ['400.00'] })),
    ),
    refuseAt: optional(
      orNull(decimal(2, { description: 'Starts are refused if more would be used', examples: ['500.00'] })),
    ),
    from: optional(orNull(day({ description: 'The first day on which it holds', examples: ['2026-01-01'] }))),
    to: optional(orNull(day({ description: 'The last day on which it holds', examples: ['2026-12-31'] }))),
  }),
})
