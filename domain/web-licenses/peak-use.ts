import { addDays, type CalendarDay, daysBetween, startOfDay } from '#domain/calendar/calendar-day.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import type { Term } from '#domain/entitlements/term.ts'

/** The use of one seat. Uses of the same seat at the same time count once, as those of a named user do. */
export type SeatUse = { readonly seat: string; readonly from: Date; readonly to: Date }

/** The days of a range, the first one first. */
export function listDays({ from, to }: DayRange): CalendarDay[] {
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => addDays(from, index))
}

/**
 * The most seats that were in use at the same time, for each day of the range in the account's time zone. What runs over
 * midnight counts on both days. A seat that is given back at an instant is free for the next user at the same instant.
 */
export function peakPerDay(uses: readonly SeatUse[], range: DayRange, timeZone: string): number[] {
  const starts = [...listDays(range), addDays(range.to, 1)].map((day) => startOfDay(timeZone, day).getTime())
  const events = mergeUses(uses).flatMap(([from, to]) => [
    [from, 1] as const,
    // At least for the instant of its start.
    [Math.max(to, from + 1), -1] as const,
  ])
  events.sort(([one, oneStep], [other, otherStep]) => one - other || oneStep - otherStep)
  let inUse = 0
  let at = 0
  return starts.slice(0, -1).map((start, index) => {
    while (at < events.length && events[at]![0] <= start) inUse += events[at++]![1]
    let peak = inUse
    const end = starts[index + 1] ?? start
    while (at < events.length && events[at]![0] < end) {
      inUse += events[at++]![1]
      peak = Math.max(peak, inUse)
    }
    return peak
  })
}

type Interval = readonly [from: number, to: number]

/** Overlapping uses of one seat as one. */
function mergeUses(uses: readonly SeatUse[]): Interval[] {
  const merged: Interval[] = []
  for (const own of Map.groupBy(uses, ({ seat }) => seat).values()) {
    const inOrder = own
      .map(({ from, to }): Interval => [from.getTime(), to.getTime()])
      .sort(([one], [other]) => one - other)
    let current = inOrder[0]
    for (const next of inOrder.slice(1)) {
      if (!current) break
      if (next[0] <= current[1]) current = [current[0], Math.max(current[1], next[1])]
      else {
        merged.push(current)
        current = next
      }
    }
    if (current) merged.push(current)
  }
  return merged
}

/** How many seats the account has on each day of the range. */
export function seatsPerDay(
  entitlements: readonly { readonly term: Term; readonly quantity: number }[],
  range: DayRange,
): number[] {
  return listDays(range).map((day) =>
    entitlements
      .filter(({ term }) => term.startDate <= day && (term.endDate === null || day <= term.endDate))
      .reduce((sum, { quantity }) => sum + quantity, 0),
  )
}
