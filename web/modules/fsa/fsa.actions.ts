import { readContract, type WireContract } from '#contract/fsa/contracts.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { hasMoney, isOrderable } from '#domain/fsa/contract.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { hasWords } from '#domain/search/word-rank.ts'
import type { Action, ListQuestion, Opens } from '#web/lib/action.ts'
import { countOf } from '#web/lib/format.ts'
import { contractsQuery } from '#web/parts/spending-accounts.ts'

const NOTHING_LEFT = 'Nothing is left to order from.'

const orderable = (contracts: readonly WireContract[], today: CalendarDay) =>
  contracts.filter(({ EndDate }) => isOrderable({ endDate: EndDate }, today))

const order = (search: Record<string, string>): Opens => ({
  to: `/entitlementsFSA?${new URLSearchParams({ tab: 'order', ...search })}`,
})

/** The spending accounts that have not ended. Empty ones cannot be chosen. */
const whichContract: ListQuestion<readonly WireContract[]> = {
  text: 'Order from which spending account?',
  what: 'spending account',
  noAnswer: 'This account has no spending account to order from.',
  hint: 'Type an ID or an end date.',
  skipsSingle: true,
  query: contractsQuery,
  answers: (contracts, typed, { today }) =>
    orderable(contracts, today)
      .map((one) => ({
        key: one.fsaID,
        label: one.fsaID,
        detail: `${formatDecimal(one.available, 2)} ${one['CA[ENT|ansyscurrency]']} left, ends ${one.EndDate}`,
        opens: order({ contract: one.fsaID }),
        ...(!hasMoney(one) && { reason: NOTHING_LEFT }),
      }))
      .filter(({ label, detail }) => hasWords(`${label} ${detail}`, typed))
      .map((one) => (one.reason ? { ...one, detail: `${one.detail}. ${one.reason}` } : one)),
  products: (contracts, { name, seats = 1 }, { today }) =>
    orderable(contracts, today)
      .filter(hasMoney)
      .flatMap((one) =>
        readContract(one)
          .products.filter((product) => hasWords(product.name, name))
          .map((product) => ({
            key: `${one.fsaID} ${product.partNumber}`,
            label: `${countOf(seats, 'seat')} of ${product.name}`,
            detail: `From ${one.fsaID}`,
            opens: order({ contract: one.fsaID, product: product.partNumber, count: String(seats) }),
          })),
      ),
}

export const fsaActions = [
  {
    label: 'Order products',
    verbs: 'order buy purchase',
    words: 'spend quote license',
    screen: 'entitlementsFSA',
    right: 'fsa.order',
    asks: whichContract,
  },
] as const satisfies readonly Action[]
