import type { WireFsaEntitlement } from '#contract/fsa/entitlements.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import type { Booking } from '#domain/fsa/balance-over-time.ts'

/** What was drawn from a contract and when. Days are those of the account. */
export function bookingsOf(entitlements: readonly WireFsaEntitlement[], fsaId: string, timeZone: string): Booking[] {
  return entitlements
    .filter(({ apimeta }) => apimeta.fsaID === fsaId)
    .flatMap(
      ({ ansysprice, apimeta, bookings }) =>
        bookings ?? [{ day: dayIn(timeZone, new Date(apimeta.timestamp)), price: ansysprice }],
    )
}
