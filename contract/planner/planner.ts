import { type Static, Type } from 'typebox'
import { Amount } from '#contract/fsa/contracts.ts'
import { LIST_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { PlainLine } from '#contract/kit/plain-text.ts'
import { CustomerNumber, exactly, Revision, requestFields } from '#contract/kit/schema.ts'
import { act, download, named } from '#domain/audit/words.ts'
import { MAX_PLAN_LINES, MAX_PLAN_NAME, MAX_SEATS } from '#domain/planner/proposals.ts'

const read = { kind: 'account', action: 'ssl.read', customerNumberIn: 'body' } as const
const write = { kind: 'account', action: 'planner.write', customerNumberIn: 'body' } as const
const Day = Type.String({ format: 'date', description: 'yyyy-mm-dd' })
const Count = Type.Integer({ minimum: 0 })
const Seats = Type.Integer({ minimum: 0, maximum: MAX_SEATS })
const orNull = <const T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

/** The days whose measured use counts, on the clocks of the license servers. */
const measuredDays = { from: Day, to: Day }

const Staying = Type.Integer({
  description:
    'Those of the bought seats that end outside the chosen period: they need no renewal. 0 if everything is planned',
})

const PlannerProduct = Type.Object({
  product: Type.String(),
  partNumber: Type.String(),
  features: Type.Array(Type.String(), { description: 'Features of the license file by which use is measured' }),
  bought: Type.Integer({ description: 'Seats that can be used today, or that ended in the chosen period' }),
  ending: Type.Integer({ description: 'Those of them that end in the chosen period' }),
  staying: Staying,
  activated: Count,
  firstEnd: orNull(Day, 'When the first of them ends; null if none does'),
  endingLeases: Type.Integer({ minimum: 0, description: 'Leases of it that end in the chosen period' }),
  endingWithSeats: Type.Integer({ minimum: 0, description: 'Those of them that have activated seats' }),
  measured: orNull(
    Type.Object({
      peak: Count,
      percentile95: Count,
      realDenials: Count,
      deniedAtPeak: { ...Count, description: 'The most real denials of an hour with the peak' },
    }),
    'What license servers reported in the days; null if they reported nothing about it',
  ),
  elasticUnits: Type.String({ description: 'Elastic units of the same product in the days', examples: ['12.50 AEU'] }),
  unitsPerHour: orNull(Type.String(), 'What an hour of a seat costs in elastic units; null if it is not offered'),
  webSeats: Type.Integer({ description: 'Web licenses of the same product' }),
  webPeak: Type.Integer({ description: 'The most of them in use at the same time' }),
  unitCost: orNull(Amount, 'What a seat costs by the price list; null if there is none'),
  currency: orNull(Type.String(), 'Of the cost'),
  duration: orNull(Type.String({ examples: ['1 Year'] }), 'How long such a seat lasts'),
})
export type PlannerProduct = Static<typeof PlannerProduct>

export const getPlanner = operation({
  name: 'planner',
  summary: 'What is bought, activated and measured of each product, to plan what to renew',
  access: read,
  token: 'entitlements',
  writes: false,
  body: requestFields({
    customerNumber: CustomerNumber,
    ...measuredDays,
    endsFrom: Type.Optional({
      ...Day,
      description: 'Only products of which something ends then or later; today if only endsBy is given',
    }),
    endsBy: Type.Optional({ ...Day, description: 'Only products of which something ends until then; all if absent' }),
  }),
  data: Type.Object({ products: Type.Array(PlannerProduct) }),
})

export const getWhatIf = operation({
  name: 'planner/what-if',
  summary: 'How many of the measured requests would have been denied with other numbers of seats',
  access: read,
  token: 'entitlements',
  writes: false,
  body: requestFields({
    customerNumber: CustomerNumber,
    ...measuredDays,
    product: Type.String({ minLength: 1, maxLength: 300 }),
    seats: Type.Array(Seats, { minItems: 1, maxItems: 20 }),
  }),
  data: Type.Object({
    eventsFrom: orNull(
      Day,
      'The first day that was computed: single checkouts of earlier days were removed or never reported. Null if nothing can be computed',
    ),
    realDenials: orNull(Count, 'Measured real denials since then; null if nothing can be computed'),
    deniedWhileFree: orNull(
      Count,
      'Those of them that happened while another license server had free seats; null if nothing can be computed',
    ),
    results: Type.Array(
      Type.Object({
        seats: Seats,
        denials: orNull(
          Count,
          'Of all features of the product, with all license servers as one pool; null if nothing can be computed',
        ),
        unitsAbove: orNull(
          Amount,
          'What the use above these seats would have cost in elastic units; null if nothing can be computed or there is no rate',
        ),
      }),
    ),
  }),
})

const PlanLine = exactly({
  product: Type.String({ minLength: 1, maxLength: 300 }),
  seats: Seats,
})

/** A product of a saved plan, with the seats and the price of the day on which it was saved. */
const SavedLine = Type.Object({
  ...PlanLine.properties,
  partNumber: Type.String(),
  bought: Type.Integer(),
  staying: Staying,
  unitCost: orNull(Amount, 'By the price list of that day'),
  currency: orNull(Type.String(), 'Of the cost'),
  duration: orNull(Type.String({ examples: ['1 Year'] }), 'How long such a seat lasts; null: not known'),
})

const PlanId = Type.String({ format: 'uuid' })

const SavedPlan = Type.Object({
  id: PlanId,
  name: Type.String(),
  ...measuredDays,
  endsFrom: orNull(Day, 'The plan is about what ends from this day on; null: no first day'),
  endsBy: orNull(Day, 'The plan is about what ends until this day; null: no last day'),
  lines: Type.Array(SavedLine),
  savedBy: Type.String(),
  savedAt: Type.String({ format: 'date-time' }),
  revision: Revision,
})
export type SavedPlan = Static<typeof SavedPlan>

export const listRenewalPlans = operation({
  name: 'planner/plans',
  summary: 'Saved plans of an account, the last saved first',
  access: read,
  token: 'entitlements',
  writes: false,
  body: requestFields({ customerNumber: CustomerNumber }),
  data: Type.Array(SavedPlan),
})

export const saveRenewalPlan = operation({
  name: 'planner/plans/save',
  summary: 'Saves a new plan, or changes one with id and revision (409 if somebody else has saved it since)',
  access: write,
  token: 'entitlements',
  writes: true,
  audit: named('Saved the renewal plan', 'save a renewal plan', 'after'),
  refusals: ['TOO_MANY_PLANS', 'UNKNOWN_PRODUCT'],
  bodyLimit: LIST_BODY_LIMIT,
  body: requestFields({
    customerNumber: CustomerNumber,
    name: PlainLine(MAX_PLAN_NAME, { isRequired: true }),
    ...measuredDays,
    endsFrom: Type.Optional(Day),
    endsBy: Type.Optional(Day),
    lines: Type.Array(PlanLine, { minItems: 1, maxItems: MAX_PLAN_LINES }),
    id: Type.Optional(PlanId),
    revision: Type.Optional(Revision),
  }),
  data: SavedPlan,
})

export const removeRenewalPlan = operation({
  name: 'planner/plans/remove',
  summary: 'Removes a saved plan',
  access: write,
  token: 'entitlements',
  writes: true,
  audit: named('Removed the renewal plan', 'remove a renewal plan', 'before'),
  body: requestFields({ customerNumber: CustomerNumber, id: PlanId }),
  data: Type.Null(),
})

export const exportRenewalPlan = operation({
  name: 'planner/plans/export',
  summary: 'A saved plan as CSV',
  access: read,
  token: 'entitlements',
  writes: false,
  audit: download('a renewal plan'),
  body: requestFields({ customerNumber: CustomerNumber, id: PlanId }),
  data: Type.Unknown(),
  media: 'text/csv',
})

export const getRenewalPlanPdf = operation({
  name: 'planner/plans/pdf',
  summary: 'A saved plan as a PDF file, for a purchaser',
  access: read,
  token: 'entitlements',
  writes: false,
  audit: download('a renewal plan'),
  body: requestFields({ customerNumber: CustomerNumber, id: PlanId }),
  data: Type.Unknown(),
  media: 'application/pdf',
})

export const draftRenewalPlan = operation({
  name: 'planner/plans/draft',
  summary: 'Makes a draft order of the seats to renew of a plan that a spending account offers',
  access: { kind: 'account', action: 'fsa.read', customerNumberIn: 'body' },
  token: 'spending-account',
  writes: true,
  audit: act('Made a draft order of a renewal plan', 'make a draft order of a plan', 'with the id'),
  refusals: ['CONTRACT_EXPIRED', 'PRODUCT_NOT_OFFERED', 'TOO_MANY_DRAFTS'],
  body: requestFields({
    customerNumber: CustomerNumber,
    id: PlanId,
    fsaID: Type.String({ minLength: 1, maxLength: 200, description: 'The contract to order from' }),
  }),
  data: Type.Object({
    draftId: Type.String(),
    fsaID: Type.String(),
    otherCosts: Type.Array(
      Type.Object({
        product: Type.String(),
        planned: Type.String({ examples: ['12,960.00 USD for 180 Days'] }),
        drafted: Type.String({ examples: ['21,600.00 USD for 1 Year'] }),
      }),
      {
        description:
          'Products that cost something else in the draft than in the plan, because the contract has another price, currency or time',
      },
    ),
    left: Type.Array(Type.String(), {
      description:
        'Products with seats to renew that are not in the draft, because the contract does not offer them or the order is full',
    }),
  }),
})
