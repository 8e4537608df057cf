import type { sendUsage as Send } from '#contract/elastic/usage/send-usage.ts'
import { bookTransactions } from '#server/modules/elastic/usage/book-transactions.ts'
import type { Handler } from '#server/operations/route.ts'

/** Usage that is older than this was sent by mistake. In milliseconds. */
const OLDEST = 3 * 366 * 24 * 60 * 60_000

/** A repeated id is a success, so that a batch can be sent again. */
export const sendUsage: Handler<typeof Send> = async ({ body: { transactions }, db, now }) => {
  const outcomes = await bookTransactions(db, transactions, { now, oldest: new Date(now.getTime() - OLDEST) })
  return {
    data: transactions.map(({ id }, index) => {
      const outcome = outcomes[index]
      if (typeof outcome === 'object') return { id, status: 'FAILURE' as const, ...outcome }
      return { id, status: 'SUCCESS' as const }
    }),
  }
}
