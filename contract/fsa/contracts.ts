import { type Static, Type } from 'typebox'
import { declareList } from '#contract/kit/list.ts'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'
import type { FsaContract, FsaProduct } from '#domain/fsa/contract.ts'
import { PRICE_PERIODS, type PricePeriod } from '#domain/fsa/duration.ts'

export const Amount = Type.String({ description: 'Exact, with two decimals', examples: ['1234.50'] })
const Price = Type.Union([Amount, Type.Null()], { description: 'For one count; null if this period is not offered' })

const PRICE_FIELDS = {
  7: 'price7Days',
  30: 'price30Days',
  60: 'price60Days',
  90: 'price90Days',
  180: 'price180Days',
  365: 'price1Year',
} as const satisfies Record<PricePeriod, string>

const FsaProductSchema = Type.Object({
  ansysbpn: Type.String({ description: 'Part number' }),
  ansysproduct: Type.String(),
  price7Days: Price,
  price30Days: Price,
  price60Days: Price,
  price90Days: Price,
  price180Days: Price,
  price1Year: Price,
})
type WireProduct = Static<typeof FsaProductSchema>

const FsaContractSchema = Type.Object({
  EntitlementID: Type.String(),
  ActivationId: Type.String(),
  ProductName: Type.String(),
  OrderId: Type.String(),
  StartDate: Type.String(),
  EndDate: Type.String(),
  'CA[ENT|ansysponum]': Type.String({ description: 'Purchase order' }),
  'CA[ENT|ansysbusopsemails]': Type.String({
    description: 'Who gets an email about orders; several addresses are joined by commas',
  }),
  'CA[ENT|ansyscurrency]': Type.String(),
  'CA[ENT|ansysprice]': Amount,
  available: Type.String({ description: 'What can still be ordered, exact, with two decimals' }),
  fsaID: Type.String({ description: 'The same as EntitlementID: what an order names' }),
  timestamp: Type.String({ format: 'date-time', description: 'When the contract was created' }),
  fsaproducts: Type.Array(FsaProductSchema),
})
export type WireContract = Static<typeof FsaContractSchema>

const scope = { customerNumber: CustomerNumber }
const access = { kind: 'account', action: 'fsa.read', customerNumberIn: 'body' } as const

export const listContracts = operation({
  name: 'fsa/contracts',
  summary: 'FSA contracts of an account with their price lists and balances, the last to end first',
  access,
  token: 'spending-account',
  writes: false,
  body: requestFields(scope),
  data: Type.Array(FsaContractSchema),
})

/** Counts and distinct values. */
export const contractList = declareList({
  name: 'fsa/contracts',
  rows: 'FSA contracts of an account',
  access,
  token: 'spending-account',
  scope,
  page: false,
  fields: {
    fsaID: { type: 'text' },
    ActivationId: { type: 'text' },
    ProductName: { type: 'text' },
    OrderId: { type: 'text' },
    StartDate: { type: 'day' },
    EndDate: { type: 'day' },
    'CA[ENT|ansysponum]': { type: 'text' },
    'CA[ENT|ansyscurrency]': { type: 'text' },
    'CA[ENT|ansysprice]': { type: 'number' },
    available: { type: 'number' },
    timestamp: { type: 'instant' },
  },
  key: ['fsaID'],
  defaultSort: [{ name: 'EndDate', direction: 'desc' }],
  distinct: 'fsaID',
})

export function toWireProduct({ partNumber, name, prices }: FsaProduct): WireProduct {
  const fields = PRICE_PERIODS.map((period) => [PRICE_FIELDS[period], prices[period] ?? null])
  return { ansysbpn: partNumber, ansysproduct: name, ...Object.fromEntries(fields) } as WireProduct
}

/** A contract in the words of the rules. */
export function readContract(wire: WireContract): FsaContract {
  return {
    fsaId: wire.fsaID,
    startDate: wire.StartDate,
    endDate: wire.EndDate,
    currency: wire['CA[ENT|ansyscurrency]'],
    price: wire['CA[ENT|ansysprice]'],
    products: wire.fsaproducts.map(readProduct),
  }
}

function readProduct(wire: WireProduct): FsaProduct {
  const prices = PRICE_PERIODS.flatMap((period) => {
    const price = wire[PRICE_FIELDS[period]]
    return price === null ? [] : [[period, price]]
  })
  return { partNumber: wire.ansysbpn, name: wire.ansysproduct, prices: Object.fromEntries(prices) }
}
