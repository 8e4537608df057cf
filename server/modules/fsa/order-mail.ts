import type { OrderLine } from '#domain/fsa/order-line.ts'
import { countOf } from '#domain/fsa/order-line.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import type { Config } from '#server/config.ts'
import type { ContractRow } from '#server/modules/fsa/contracts.queries.ts'
import { action, facts, type Mail, paragraph } from '#server/modules/messages/messages.public.ts'

type Order = {
  readonly account: { readonly customer_number: string; readonly name: string }
  readonly contract: ContractRow
  readonly requestedBy: string
  readonly lines: readonly OrderLine[]
  readonly totalCost: string
  readonly balanceAfter: string
}

/** Tells business operations what was ordered. It stays out of the customer's own email history. */
export function orderMail(order: Order, { brand, origin }: Config): Mail {
  const { account, contract, lines } = order
  const title = `FSA order from ${account.name}`
  const money = (amount: string) => `${formatDecimal(amount, 2)} ${contract.currency}`
  return {
    to: contract.business_operations_emails,
    subject: `${brand.name}: ${title}`,
    content: {
      title,
      blocks: [
        paragraph('These products were ordered from a flexible spending account.'),
        facts(
          ['Account', `${account.customer_number} (${account.name})`],
          ['FSA contract', contract.fsa_id],
          ['Ordered by', order.requestedBy],
          ['Total cost', money(order.totalCost)],
          ['Balance after the order', money(order.balanceAfter)],
        ),
        ...lines.map((line) =>
          facts(
            ['Product', line.isManual ? `${line.productName} (manual entry)` : line.productName],
            ['Count', String(countOf(line))],
            ['Start Date', line.startDate],
            ['Expiration Date', line.endDate],
            ['Cost', money(line.cost ?? '0')],
          ),
        ),
        action(
          'Open the spending account',
          `${origin}/entitlementsFSA?customer=${encodeURIComponent(account.customer_number)}`,
        ),
      ],
    },
  }
}
