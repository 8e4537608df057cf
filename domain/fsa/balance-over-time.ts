import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { type Decimal, subtract, sum, toFixedText } from '#domain/money/decimal.ts'

/** A booking on a contract, with its day in the zone of the account. */
export type Booking = { readonly day: CalendarDay; readonly price: Decimal }

/** The balance at the end of a day, exact, with two decimals. */
export type BalanceOnDay = { readonly day: CalendarDay; readonly booked: string; readonly balance: string }

type Opening = { readonly startDate: CalendarDay; readonly price: Decimal }

/**
 * The balance of a contract on its first day and after each day on which something was booked. Orders can be booked before
 * the contract starts; then the first of them is where the balance begins to change.
 */
export function balanceOverTime({ startDate, price }: Opening, bookings: readonly Booking[]): BalanceOnDay[] {
  const byDay = Map.groupBy(bookings, ({ day }) => day)
  const days = [...new Set([startDate, ...byDay.keys()])].sort()
  let balance = toFixedText(price, 2)
  return days.map((day) => {
    const booked = sum((byDay.get(day) ?? []).map((one) => one.price))
    balance = toFixedText(subtract(balance, booked), 2)
    return { day, booked: toFixedText(booked, 2), balance }
  })
}
