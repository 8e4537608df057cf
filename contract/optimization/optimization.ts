import { type Static, Type } from 'typebox'
import { Amount } from '#contract/fsa/contracts.ts'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'
import { MAX_REPORT_DAYS } from '#contract/web-licenses/web-report.ts'
import { download } from '#domain/audit/words.ts'
import { ADVICE_KINDS, adviceText } from '#domain/optimization/advice.ts'
import { OPTIMIZED_LICENSES, type ProductBalance } from '#domain/optimization/optimization-report.ts'
import { NO_COST, type NoCost, type SeatCost } from '#domain/optimization/seat-cost.ts'

const Day = Type.String({ maxLength: 40, description: 'A calendar day of the account', examples: ['2026-10-01'] })
const body = requestFields({ customerNumber: CustomerNumber, from: Day, to: Day })
const common = {
  access: { kind: 'account', action: 'account.read', customerNumberIn: 'body' },
  writes: false,
} as const
const Count = Type.Integer({ minimum: 0 })
const count = (description: string) => Type.Union([Count, Type.Null()], { description })

const Product = Type.Object({
  license: Type.Enum([...OPTIMIZED_LICENSES]),
  product: Type.String(),
  seats: count('The most seats on a day of the range; null for elastic products'),
  peak: count(
    'The most seats or sessions in use at the same time, for web licenses as in web/report; null if there are too many sessions to count',
  ),
  needed: count(
    'Shared seats in use at the same time, one seat for every named user who used one, and the missing seats; null for elastic products',
  ),
  daysAtLimit: count('Days on which all seats were in use at the same time; null for elastic products'),
  units: Type.String({ description: 'Elastic units that were used, with their currency', examples: ['12.50 AEU'] }),
  denials: Count,
  reasons: Type.Array(Type.Object({ reason: Type.String(), count: Count })),
  releasable: Type.Integer({
    minimum: 0,
    description: 'Seats of the last day that are not needed, if nobody was denied',
  }),
  missing: Type.Integer({
    minimum: 0,
    description: 'One seat for every user who was denied for lack of a seat, less those that are not needed',
  }),
  cost: Type.Union(
    [
      Type.Object({
        fsaId: Type.String({ description: 'The spending account to order from' }),
        partNumber: Type.String(),
        cost: Amount,
        currency: Type.String(),
        duration: Type.String({ examples: ['1 Year'] }),
      }),
      Type.Null(),
    ],
    {
      description:
        'What an order of the missing or releasable seats costs today by the price list of a spending account; null if it has no price, or if the caller does not see spending accounts',
    },
  ),
  noCost: Type.Union([Type.Enum(Object.keys(NO_COST) as NoCost[]), Type.Null()], {
    description:
      'Why missing seats have no cost: no spending account can be ordered from, or none offers the product; null otherwise, and if the caller does not see spending accounts',
  }),
  advice: Type.Enum([...ADVICE_KINDS]),
  adviceText: Type.String({ examples: ['3 seats could be released'] }),
})
export type WireProductBalance = Static<typeof Product>

export const getOptimization = operation({
  ...common,
  name: 'optimization',
  token: 'entitlements',
  summary: `Seats against their peak use over at most ${MAX_REPORT_DAYS} days, with what could be released or is denied`,
  body,
  data: Type.Object({ products: Type.Array(Product) }),
})

export const exportOptimization = operation({
  ...common,
  name: 'optimization/export',
  audit: download('the optimization report'),
  token: 'entitlements',
  summary: 'The optimization report as CSV',
  body,
  data: Type.Unknown(),
  media: 'text/csv',
})

export const getOptimizationPdf = operation({
  ...common,
  name: 'optimization/pdf',
  audit: download('the optimization report'),
  token: 'entitlements',
  summary: 'The optimization report as a PDF file',
  body,
  data: Type.Unknown(),
  media: 'application/pdf',
})

type Costs = {
  costOf(product: string, seats: number): SeatCost | null
  /** Null for callers who do not see spending accounts. */
  readonly noCost: NoCost | null
}

export function toWireProductBalance(
  { advice, reasons, ...one }: ProductBalance,
  { costOf, noCost }: Costs,
): WireProductBalance {
  const cost = advice.kind === 'RELEASE' || advice.kind === 'MORE_SEATS' ? costOf(one.product, advice.seats) : null
  return {
    ...one,
    reasons: [...reasons],
    releasable: advice.kind === 'RELEASE' ? advice.seats : 0,
    missing: advice.kind === 'MORE_SEATS' ? advice.seats : 0,
    cost,
    noCost: advice.kind === 'MORE_SEATS' && cost === null ? noCost : null,
    advice: advice.kind,
    adviceText: adviceText(advice),
  }
}

/** The name of a file of the report, without its ending. */
export const optimizationFileName = (customerNumber: string, from: string, to: string): string =>
  `optimization_${customerNumber}_${from}_${to}`
