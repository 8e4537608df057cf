import { countOf } from '#web/lib/format.ts'
import { OrderLink } from '#web/parts/order-or-ask.tsx'
import { useOffer } from '#web/parts/spending-accounts.ts'

/** Orders seats of the product from a spending account that offers it. They are for a license server, not for the web. */
export function OrderForServer({ product, seats }: { product: string; seats: number }) {
  const offer = useOffer(product, seats)
  if (!offer) return null
  const line = { contract: offer.fsaId, product: offer.partNumber, count: seats }
  return (
    <OrderLink about={`${countOf(seats, 'seat')} of ${product} for a license server`} line={line}>
      Order for a license server
    </OrderLink>
  )
}
