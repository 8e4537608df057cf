import { addDays, type CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DemoPart } from '#server/demo/demo-part.ts'
import { type EntitlementRow, entitlementRow, lease } from '#server/demo/entitlement-row.ts'
import { midnightOf } from '#server/demo/midnight.ts'
import {
  FORMER_MANUAL_DRAWDOWN,
  type FsaCurrency,
  type FsaPeriod,
  fsaPriceInCents,
  inUnits,
  MANUAL_DRAWDOWN,
  type Product,
  SIMULATION_PRODUCTS,
  SPENDING_ACCOUNT,
} from '#server/demo/products.ts'
import { type Random, seededRandom } from '#server/demo/random.ts'

type Contract = {
  readonly purpose: string
  readonly from: number
  readonly to: number
  /** In whole units of the currency. */
  readonly amount: number
  /** Products are priced in dollars and euros only: a contract in another currency has none to offer. */
  readonly currency: FsaCurrency | 'CHF'
  /** Percent of the amount up to which products are ordered. */
  readonly ordered: number
  /** Business operations booked the rest manually. */
  readonly isClosedByHand?: boolean
  readonly manual?: { readonly product: Product; readonly amount: number }
}

/** A spending account in every state. */
const CONTRACTS: readonly Contract[] = [
  {
    purpose: 'FSA, active',
    from: -150,
    to: 214,
    amount: 250_000,
    currency: 'USD',
    ordered: 55,
    manual: { product: MANUAL_DRAWDOWN, amount: 1_234.56 },
  },
  { purpose: 'FSA, active in euros', from: -200, to: 164, amount: 120_000, currency: 'EUR', ordered: 88 },
  { purpose: 'FSA, not started', from: 20, to: 384, amount: 80_000, currency: 'USD', ordered: 0 },
  { purpose: 'FSA, used up', from: -250, to: 114, amount: 60_000, currency: 'USD', ordered: 90, isClosedByHand: true },
  {
    purpose: 'FSA, expired',
    from: -500,
    to: -136,
    amount: 90_000,
    currency: 'EUR',
    ordered: 70,
    manual: { product: FORMER_MANUAL_DRAWDOWN, amount: 500 },
  },
  { purpose: 'FSA, without products', from: -30, to: 334, amount: 40_000, currency: 'CHF', ordered: 0 },
]

/** Contracts that only journeys order from. */
const UNTOUCHED: readonly Contract[] = [
  { purpose: 'FSA, untouched', from: -10, to: 354, amount: 50_000, currency: 'USD', ordered: 0 },
  { purpose: 'FSA, untouched as well', from: -10, to: 340, amount: 50_000, currency: 'USD', ordered: 0 },
]

const REQUESTERS = ['ada.admin@aerodyne.example', 'cora.coordinator@aerodyne.example']
const BUSINESS_OPERATIONS = 'olivia.ops@vendor.example'

export function fsaContracts(
  customerNumber: string,
  today: CalendarDay,
  which: 'every state' | 'untouched',
): EntitlementRow[] {
  const contracts = which === 'untouched' ? UNTOUCHED : CONTRACTS
  return contracts.flatMap((contract) => {
    const row = entitlementRow(
      { customerNumber, purpose: contract.purpose },
      {
        product: SPENDING_ACCOUNT,
        licenseModel: 'FSA',
        term: lease(today, contract.from, contract.to),
        quantity: 1,
      },
      { subtype: 'FSA', price: contract.amount.toFixed(2), currency: contract.currency },
    )
    return [row, ...ordersOf(contract, row, today)]
  })
}

type Order = {
  readonly product: Product
  readonly from: number
  readonly to: number
  readonly quantity: number
  readonly cents: number
  readonly isManual: boolean
}

function ordersOf(contract: Contract, row: EntitlementRow, today: CalendarDay): EntitlementRow[] {
  const random = seededRandom(`orders ${row.customer_number} ${contract.purpose}`)
  const orders = drawOrders(contract, random)
  const byHand = (product: Product, cents: number) =>
    orders.push({ product, from: contract.from + 60, to: contract.to, quantity: 1, cents, isManual: true })
  if (contract.manual) byHand(contract.manual.product, Math.round(contract.manual.amount * 100))
  if (contract.isClosedByHand) byHand(MANUAL_DRAWDOWN, contract.amount * 100 - sumOf(orders))
  return orders.map((order, index) => {
    // On the day before it starts, in working hours: always in the past, since no order starts later than today.
    const morning = midnightOf(addDays(today, order.from - 1)).getTime()
    const orderedAt = new Date(morning + random.integer(7 * 3600, 17 * 3600) * 1000)
    return entitlementRow(
      { customerNumber: row.customer_number, purpose: `${contract.purpose}, order ${index + 1}` },
      {
        product: order.product,
        licenseModel: 'FSA',
        term: lease(today, order.from, order.to),
        quantity: order.quantity,
      },
      {
        subtype: 'FSA',
        fsa_id: row.entitlement_id,
        price: inUnits(order.cents),
        currency: contract.currency,
        po_number: row.po_number,
        order_id: row.order_id,
        is_manual: order.isManual,
        requester_email: order.isManual ? BUSINESS_OPERATIONS : random.pick(REQUESTERS),
        ordered_at: orderedAt,
        created_at: orderedAt,
      },
    )
  })
}

const sumOf = (orders: readonly Order[]) => orders.reduce((sum, { cents }) => sum + cents, 0)

/** Orders for products at their list price until the next one would pass the limit. */
function drawOrders(contract: Contract, random: Random): Order[] {
  const { currency } = contract
  const orders: Order[] = []
  if (currency === 'CHF' || contract.ordered === 0) return orders
  const limit = contract.amount * contract.ordered
  const lastStart = Math.min(0, contract.to - 7)
  for (let tries = 0; tries < 60; tries++) {
    const product = random.pick(SIMULATION_PRODUCTS)
    const from = random.integer(contract.from, lastStart)
    const period = random.pick<FsaPeriod>([7, 30, 30, 60, 90, 180])
    const quantity = random.integer(1, 4)
    const price = fsaPriceInCents(product, currency, period)
    const to = from + period - 1
    if (price === undefined || to > contract.to || sumOf(orders) + price * quantity > limit) continue
    orders.push({ product, from, to, quantity, cents: price * quantity, isManual: false })
  }
  return orders
}

/** The recipients of emails about orders. The contracts are made with the entitlements. */
export const fsa: DemoPart = {
  name: 'fsa',
  async load(tx) {
    await tx
      .updateTable('fsa_contract')
      .set({ business_operations_emails: ['olivia.ops@vendor.example'] })
      .execute()
  },
}
