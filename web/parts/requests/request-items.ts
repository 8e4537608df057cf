import { useQuery } from '@tanstack/react-query'
import { MAX_PAGE } from '#contract/kit/list.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { RequestKind } from '#domain/requests/request.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countOf } from '#web/lib/format.ts'

/** Something that can be requested. */
export type RequestItem = {
  /** Unique among the items of a kind. */
  readonly key: string
  readonly item: string
  readonly label: string
  /** The contract, for orders. */
  readonly target?: string
}

/** What can be requested on the selected account. */
export function useRequestItems(kind: RequestKind) {
  const { number, info } = useKnownCustomer()
  return useQuery({
    queryKey: ['request-items', number, kind],
    queryFn: ({ signal }) => LOAD[kind](number, info.today, signal),
    refetchOnWindowFocus: false,
  })
}

type Load = (customerNumber: string, today: CalendarDay, signal: AbortSignal) => Promise<RequestItem[]>

const LOAD: Readonly<Record<RequestKind, Load>> = {
  'web-license': async (customerNumber, today, signal) => {
    const body = { customerNumber, limit: MAX_PAGE }
    const rows = await call('web/entitlements', { body, signal })
    return rows.flatMap(({ activationId = '', product = '', quantity = 0, assigned = 0, licenseModel, endDate }) => {
      if (endDate && endDate < today) return []
      const free = licenseModel === 'Named User' ? `, ${Math.max(0, quantity - assigned)} free` : ''
      const label = `${product} · ${licenseModel}, ${countOf(quantity, 'seat')}${free}`
      return { key: activationId, item: activationId, label }
    })
  },
  seats: async (customerNumber, _today, signal) => {
    const rows = await call('fulfillments/allentitlements', { body: { customerNumber }, signal })
    return rows.map(({ ActivationId, ProductName, LineItemQuantity, AnsysActivated, EndDate }) => {
      const free = countOf(Math.max(0, LineItemQuantity - AnsysActivated), 'free seat')
      const label = `${ProductName} · ${free}${EndDate ? `, ends ${EndDate}` : ''}`
      return { key: ActivationId, item: ActivationId, label }
    })
  },
  order: async (customerNumber, today, signal) => {
    const contracts = await call('fsa/contracts', { body: { customerNumber }, signal })
    return contracts
      .filter(({ EndDate }) => EndDate >= today)
      .flatMap(({ fsaID, fsaproducts }) =>
        fsaproducts.map(({ ansysbpn, ansysproduct }) => ({
          key: `${fsaID} ${ansysbpn}`,
          item: ansysbpn,
          label: `${ansysproduct} · from ${fsaID}`,
          target: fsaID,
        })),
      )
  },
}
