import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { fsaPriceInCents, inUnits, productNamed } from '#server/demo/products.ts'
import { type LoadAccount, PIN, seatsOf, WEB_PRODUCT } from '#server/testing/load/load-world.ts'

const ORDERED = productNamed('Fluid Flow Pro')
const ORDERED_DAYS = 30

/** One line for 30 days. */
export function orderOf({ customerNumber, fsaId }: LoadAccount, today: CalendarDay, count: number) {
  const cents = fsaPriceInCents(ORDERED, 'USD', ORDERED_DAYS)
  if (cents === undefined) throw new Error(`${ORDERED.name} has no price`)
  const line = {
    ansysbpn: ORDERED.partNumber,
    ansysquantity: count,
    startdate: today,
    enddate: addDays(today, ORDERED_DAYS - 1),
    ansysprice: inUnits(cents * count),
    ansyscurrency: 'USD',
  }
  return { ansyshasfsa: true, customerNumber, fsaID: fsaId, products: [line] }
}

/** The person's license server is to hold so many seats of their own license. */
export function savedSeats(account: LoadAccount, person: number, seats: number) {
  const { server, activationId } = seatsOf(account, person)
  return {
    ...server,
    customers: [{ customerNumber: account.customerNumber, returned: [], wanted: [{ id: activationId, seats }] }],
  }
}

export const sessionOf = ({ elasticServer }: LoadAccount, person: number, product: string) => ({
  serverId: elasticServer,
  pin: PIN,
  username: `user-${person}`,
  host: `ws-${person}`,
  product,
  count: 1,
  externalIp: '192.0.2.7',
})

export const checkoutOf = ({ customerNumber, people }: LoadAccount, person: number) => ({
  customerNumber,
  product: WEB_PRODUCT.name,
  username: people[person] ?? '',
  host: `ws-${person}`,
})
