import { queryOptions, useQuery } from '@tanstack/react-query'
import { readContract } from '#contract/fsa/contracts.ts'
import { costOfSeats, type SeatCost } from '#domain/optimization/seat-cost.ts'
import { query } from '#web/lib/api/api-query.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'

/** The spending accounts with their price lists and balances. */
export const contractsQuery = (customerNumber: string) =>
  queryOptions({ ...query('fsa/contracts', { body: { customerNumber } }), refetchOnWindowFocus: false })

/** What a spending account offers for a product, if this person may order there. */
export function useOffer(product: string, seats: number): SeatCost | undefined {
  const { number, info, standing } = useKnownCustomer()
  const mayOrder = useCan('fsa.order') && standing.holdings.fsa
  const { data } = useQuery({ ...contractsQuery(number), enabled: mayOrder })
  if (!mayOrder || !data) return undefined
  const contracts = data.map((one) => ({ ...readContract(one), available: one.available }))
  return costOfSeats(product, seats, contracts, info.today) ?? undefined
}
