import { Type } from 'typebox'
import { currency, decimal, partNumber } from '#contract/data/fields.ts'
import { recordKind } from '#contract/data/record-kind.ts'
import { exactly } from '#contract/kit/schema.ts'
import { PRICE_PERIODS, type PricePeriod } from '#domain/fsa/duration.ts'

export const priceRecords = recordKind({
  name: 'price-lists',
  noun: 'the price',
  scope: 'catalog',
  summary: 'What one count of a product costs for a period, for orders from a spending account',
  revoking: 'It can be ordered for this period no more. What was ordered stays.',
  canBeRemoved: true,
  key: ['currency', 'partNumber', 'days'],
  schema: exactly({
    currency,
    partNumber,
    days: Type.Unsafe<PricePeriod>({
      type: 'integer',
      enum: [...PRICE_PERIODS],
      description: 'The period; 365 stands for one year',
      examples: [30],
    }),
    price: decimal(2, { description: 'Of one count, more than 0, as text', examples: ['1900.00'] }),
  }),
})
