import { type Static, Type } from 'typebox'
import { BATCH_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { PlainLine } from '#contract/kit/plain-text.ts'
import { CustomerNumber, exactly, Revision, requestFields } from '#contract/kit/schema.ts'
import { difference, download, field, texts } from '#domain/audit/words.ts'
import { EXHAUSTION_WINDOW } from '#domain/elastic/limits/exhaustion.ts'
import { LIMIT_PERIODS, LIMIT_SUBJECTS } from '#domain/elastic/limits/limit.ts'
import {
  MAX_LIMIT_NAME,
  MAX_LIMITS,
  MAX_PRODUCT_RULES,
  MAX_PRODUCTS_OF_RULE,
} from '#domain/elastic/limits/limit-errors.ts'
import { PRODUCT_RULE_KINDS } from '#domain/elastic/limits/product-rules.ts'

const read = { kind: 'account', action: 'limits.read', customerNumberIn: 'body' } as const
const write = { kind: 'account', action: 'limits.write', customerNumberIn: 'body' } as const

const Day = Type.String({ format: 'date', examples: ['2026-12-31'] })
const Units = Type.String({
  pattern: '^[0-9]{1,12}([.][0-9]{1,2})?$',
  description: 'Exact, with at most two decimals',
  examples: ['500.00'],
})
const Sum = Type.String({ description: 'Exact, with two decimals', examples: ['412.50'] })
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })
const Name = (what: string, example: string) =>
  Type.Union([PlainLine(MAX_LIMIT_NAME, { examples: [example] }), Type.Null()], {
    description: `${what}; null for everybody else, or if the subject has no such part`,
    examples: [example],
  })

export const LimitId = Type.String({
  pattern: '^[A-Za-z0-9._-]{1,64}$',
  description: 'Unique on the account',
  examples: ['wing-42-monthly'],
})

/** The fields of a limit, except its id. */
export const limitFields = {
  subject: Type.Enum([...LIMIT_SUBJECTS], {
    description:
      'What is added up: the whole account, one user, project or product, two of them together, or the people of one department or cost center, as the identity provider names it',
    examples: ['project'],
  }),
  user: Name('The username, or the department or cost center if the subject is one', 'anna'),
  project: Name('The project', 'Wing 42'),
  product: Name('The product', 'Fluid Flow Pro'),
  period: Type.Enum([...LIMIT_PERIODS], {
    description: 'A day or month of the account’s calendar, or all use since `from`, or ever',
    examples: ['month'],
  }),
  currency: Type.String({
    pattern: '^[A-Z]{3}$',
    description: 'The currency of the units: use in others does not count',
    examples: ['AEU'],
  }),
  warnAt: orNull(Units, 'Administrators get an email when so much is used, once for each period'),
  refuseAt: orNull(Units, 'A start is refused if more than this would be used'),
  from: orNull(Day, 'The first day on which the limit holds'),
  to: orNull(Day, 'The last day on which the limit holds'),
}

const ProductRule = exactly({
  user: Type.Union([PlainLine(MAX_LIMIT_NAME, { isRequired: true }), Type.Null()], {
    description: 'The username; null for everybody else',
    examples: ['anna'],
  }),
  kind: Type.Enum([...PRODUCT_RULE_KINDS], {
    description:
      'With `allow` only the products of the list may be started, with `deny` all others; new products are on no list',
    examples: ['deny'],
  }),
  products: Type.Array(PlainLine(200, { isRequired: true }), {
    maxItems: MAX_PRODUCTS_OF_RULE,
    examples: [['Fluid Flow Pro']],
  }),
})
const ProductRules = Type.Array(ProductRule, { maxItems: MAX_PRODUCT_RULES })

const DraftLimit = exactly({
  id: Type.Optional({ ...LimitId, description: 'Of a limit that is there already; a new one gets its id' }),
  ...limitFields,
})
const DraftLimits = Type.Array(DraftLimit, { maxItems: MAX_LIMITS })
export type DraftLimit = Static<typeof DraftLimit>

const Use = exactly({
  used: {
    ...Sum,
    description:
      'Booked in the period, and what running sessions have cost so far; each counts with 15 minutes at least',
  },
  running: { ...Sum, description: 'The part of it that running sessions have' },
  name: Type.String({
    description: 'Of a limit for everybody else: the one who has used most of it; empty for others',
    examples: ['User anna'],
  }),
  others: Type.Integer({
    minimum: 0,
    description: 'How many others have used something of a limit for everybody else',
  }),
  exhaustion: Type.Object(
    {
      kind: Type.Enum(['used up', 'on', 'not before it resets', 'unknown']),
      day: Type.Optional(Day),
    },
    { description: `When it is used up at the average of the last ${EXHAUSTION_WINDOW} days` },
  ),
  since: orNull(Day, 'The first day whose use counts; null: all use ever'),
  resets: orNull(Day, 'The day on which nothing counts any more; null: never'),
  refused: Type.Integer({ minimum: 0, description: `Starts that it refused in the last ${EXHAUSTION_WINDOW} days` }),
  refusedUsers: Type.Array(Type.String(), { description: 'Who was refused most, at most three' }),
})

const Limit = exactly({ id: LimitId, ...limitFields })
const SavedLimits = exactly({
  limits: Type.Array(Limit),
  productRules: ProductRules,
  revision: Revision,
})
export type SavedLimits = Static<typeof SavedLimits>
export type LimitUseRow = Static<typeof Use>

const LoadedLimits = exactly({
  saved: SavedLimits,
  use: Type.Record(Type.String(), Use, {
    description: 'By the id of the limit; limits that are over or to come have none',
  }),
  today: Day,
  timeZone: Type.String({ examples: ['Europe/Berlin'] }),
  currencies: Type.Array(Type.String(), { description: 'Of the elastic entitlements of the account' }),
  products: Type.Array(Type.String(), { description: 'Products that can be started' }),
  denials: Type.Integer({
    minimum: 0,
    description: `Starts of products that were not allowed in the last ${EXHAUSTION_WINDOW} days`,
  }),
})
export type LoadedLimits = Static<typeof LoadedLimits>

export const getLimits = operation({
  name: 'limits',
  summary: 'The limits of an account on elastic units with what is used of them, and who may start which products',
  access: read,
  token: 'limits',
  writes: false,
  body: requestFields({ customerNumber: CustomerNumber }),
  data: LoadedLimits,
})

export const saveLimits = operation({
  name: 'limits/save',
  freshSignIn: true,
  summary: 'Saves the limits and product rules of an account as a whole; running sessions go on',
  access: write,
  token: 'limits',
  writes: true,
  audit: {
    what: 'save limits',
    done: ({ before, after }) =>
      `Saved the limits${difference(texts(field(before, 'texts')), texts(field(after, 'texts')))}`,
  },
  bodyLimit: BATCH_BODY_LIMIT,
  body: requestFields({
    customerNumber: CustomerNumber,
    limits: DraftLimits,
    productRules: ProductRules,
    revision: Type.Optional(Revision),
  }),
  data: SavedLimits,
})

const Refused = exactly({
  refused: Type.Integer({ minimum: 0 }),
  units: { ...Sum, description: 'What the refused sessions were charged' },
  most: Type.Array(Type.String(), {
    description: 'Who would have been refused most, at most three',
    examples: [['User anna']],
  }),
  firstAt: orNull(Type.String({ format: 'date-time' }), 'When the first one would have been refused'),
})

const Replay = exactly({
  from: Day,
  to: Day,
  starts: Type.Integer({ minimum: 0, description: 'Sessions that began in the month' }),
  refused: Type.Integer({ minimum: 0 }),
  notAllowed: Type.Integer({
    minimum: 0,
    description: 'Of the refused ones, those that a product rule would have refused',
  }),
  denied: Type.Integer({
    minimum: 0,
    description: 'Starts that a limit or a product rule refused then; retries count once',
  }),
  admitted: Type.Integer({ minimum: 0, description: 'Of these, the ones that would have been admitted' }),
  limits: Type.Array(orNull(Refused, 'Null for a limit that is over'), { description: 'In the order of the request' }),
})
export type LimitsReplay = Static<typeof Replay>

export const replayLimits = operation({
  name: 'limits/replay',
  summary:
    'What these limits and product rules would have refused in the last calendar month, from its sessions and refused starts; nothing is saved',
  access: read,
  token: 'limits',
  writes: false,
  refusals: ['TOO_MANY_ROWS'],
  bodyLimit: BATCH_BODY_LIMIT,
  body: requestFields({ customerNumber: CustomerNumber, limits: DraftLimits, productRules: ProductRules }),
  data: Replay,
})

export const exportLimits = operation({
  name: 'limits/export',
  summary: 'The limits of an account with what is used of them, as a CSV file',
  access: read,
  token: 'limits',
  writes: false,
  audit: download('limits'),
  body: requestFields({ customerNumber: CustomerNumber }),
  data: Type.String(),
  media: 'text/csv',
})
