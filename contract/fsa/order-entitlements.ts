import { type Static, Type } from 'typebox'
import { Amount } from '#contract/fsa/contracts.ts'
import { lineResult } from '#contract/kit/answer.ts'
import { BATCH_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { PlainLine } from '#contract/kit/plain-text.ts'
import { CustomerNumber, exactly, Revision, requestFields, untrusted } from '#contract/kit/schema.ts'
import { counted, elements, field, some, texts } from '#domain/audit/words.ts'
import { isCalendarDay } from '#domain/calendar/calendar-day.ts'
import { type FsaContract, findProduct } from '#domain/fsa/contract.ts'
import { durationOptions } from '#domain/fsa/duration-options.ts'
import { countOf, MANUAL_PART_NUMBER, MAX_LINES, type OrderLine } from '#domain/fsa/order-line.ts'
import { parseDecimal } from '#domain/money/decimal.ts'

const text = (maxLength: number) => Type.String({ maxLength })
const IgnoredText = Type.Optional(Type.Union([text(500), Type.Null()]))
const IgnoredAmount = Type.Optional(Type.Union([text(40), Type.Number(), Type.Null()]))

/** Only the fields described here count. Others are accepted, and the server fills them in. */
const OrderedProduct = exactly({
  ansysbpn: Type.String({ maxLength: 64, description: 'Part number. Manual lines are booked under FSA0030216.' }),
  ansysquantity: Type.Optional(Type.Union([Type.Number(), Type.Null()], { description: 'How many; 1 if absent' })),
  startdate: Type.String({ maxLength: 40, description: 'yyyy-mm-dd' }),
  enddate: Type.String({
    maxLength: 40,
    description:
      'yyyy-mm-dd: the last day of a price period, or of the contract. Business operations may choose another.',
  }),
  ansysprice: Type.Union([text(40), Type.Number()], {
    description: 'What the whole line costs. It must be what the price list says, unless business operations order.',
  }),
  ansyscurrency: Type.String({ maxLength: 10, description: 'That of the contract' }),
  manualentry: Type.Optional(Type.Boolean({ description: 'A manual entry, for business operations only' })),
  manualProductName: Type.Optional(
    Type.Union([PlainLine(200), Type.Null()], { description: 'What a manual entry is for' }),
  ),
  customerNumber: Type.Optional(CustomerNumber),
  ansysproduct: IgnoredText,
  ansyscount: IgnoredAmount,
  ansysponum: IgnoredText,
  ansyspriceusd: IgnoredAmount,
  ansystype: IgnoredText,
  customerName: untrusted.customerName,
  daemon: IgnoredText,
  orderid: IgnoredText,
  productitemnumber: IgnoredText,
})
export type WireOrderLine = Static<typeof OrderedProduct>

export const OrderLines = Type.Array(OrderedProduct, { minItems: 1, maxItems: MAX_LINES })

export const orderEntitlements = operation({
  name: 'entitlements',
  summary:
    'Orders products from an FSA contract. Each line is ordered or refused by itself; if none can be ordered, the answer is a FAILURE. What is ordered can be activated at once. With a draft, the ordered lines leave it.',
  access: { kind: 'account', action: 'fsa.order', customerNumberIn: 'body' },
  token: 'spending-account',
  writes: true,
  audit: {
    what: 'order from a spending account',
    done: ({ target, after }) => {
      const lines = elements(field(after, 'lines'))
      const products = texts(lines.map((line) => field(line, 'product') || field(line, 'partNumber')))
      return `Ordered ${some(products) || counted(lines.length, 'product')} from the spending account ${target}`
    },
  },
  refusals: [
    'CONTRACT_EXPIRED',
    'CONTRACT_WITHOUT_PRODUCTS',
    'INVALID_ORDER_LINE',
    'PRODUCT_NOT_OFFERED',
    'PRICE_CHANGED',
    'DUPLICATE_LINE',
    'INSUFFICIENT_BALANCE',
  ],
  bodyLimit: BATCH_BODY_LIMIT,
  body: requestFields({
    ansyshasfsa: Type.Literal(true),
    customerNumber: CustomerNumber,
    accountid: Type.Optional(CustomerNumber),
    fsaID: Type.String({ minLength: 1, maxLength: 200, description: 'The contract to order from' }),
    products: OrderLines,
    draft: Type.Optional(exactly({ id: Type.String({ minLength: 1, maxLength: 64 }), revision: Revision })),
    orderid: IgnoredText,
    ansyscurrency: Type.Optional(
      Type.Union([text(10), Type.Null()], { description: 'That of the contract: any other is refused' }),
    ),
    ansysbusopsemails: IgnoredText,
  }),
  data: Type.Array(
    lineResult({
      ansysbpn: Type.String(),
      startdate: Type.String(),
      enddate: Type.String(),
      ansysquantity: Type.Number(),
      ansysprice: Type.String({ description: 'As ordered, or as requested if the line was refused' }),
      EntitlementID: Type.Optional(Type.String()),
      ActivationId: Type.Optional(Type.String({ description: 'What seats can be activated of' })),
    }),
    { description: 'What became of each line, in the order of the request' },
  ),
  extraFields: { available: Amount },
})

/** Converts a line of the editor into a line of the request. */
export function toWireOrderLine(line: OrderLine): WireOrderLine {
  return {
    ansysbpn: line.partNumber ?? '',
    ansysproduct: line.productName,
    ansysquantity: line.count,
    startdate: line.startDate,
    enddate: line.endDate,
    ansysprice: line.cost ?? '',
    ansyscurrency: line.currency,
    ansystype: 'Lease',
    ...(line.isManual ? { manualentry: true, manualProductName: line.productName } : {}),
  }
}

/** Converts a line of the request back. Its duration follows from its dates. */
export function readOrderLine(wire: WireOrderLine, contract: FsaContract): OrderLine {
  const isManual = wire.manualentry === true
  const product = findProduct(contract, wire.ansysbpn)
  const { startdate, enddate } = wire
  const options = product && isCalendarDay(startdate) ? durationOptions(product, startdate, contract.endDate) : []
  const line = {
    count: wire.ansysquantity ?? null,
    startDate: startdate,
    endDate: enddate,
    unitCost: null,
    cost: parseDecimal(String(wire.ansysprice)) ?? null,
    currency: wire.ansyscurrency,
    isManual,
  }
  if (isManual)
    return {
      ...line,
      partNumber: MANUAL_PART_NUMBER,
      productName: (wire.manualProductName ?? product?.name ?? wire.ansysproduct ?? '').trim(),
      duration: null,
    }
  return {
    ...line,
    partNumber: wire.ansysbpn,
    productName: product?.name ?? '',
    duration: options.find(({ endDate }) => endDate === enddate)?.duration ?? null,
  }
}

/** Identifies a line in the answer. */
export function lineNames(wire: WireOrderLine, line: OrderLine) {
  return {
    ansysbpn: wire.ansysbpn,
    startdate: wire.startdate,
    enddate: wire.enddate,
    ansysquantity: countOf(line),
    ansysprice: String(wire.ansysprice),
  }
}
