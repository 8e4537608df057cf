import { addDays, type CalendarDay, daysBetween, startOfDay } from '#domain/calendar/calendar-day.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import type { Term } from '#domain/entitlements/term.ts'

/**
 * The use of one seat. Uses of the same seat at the same time count once, as those of a named user do; a use without one
 * takes a seat of its own, as every shared checkout does.
 */
export type SeatUse = { readonly seat?: string; readonly from: Date; readonly to: Date }

/** The days of a range in a time zone. Finding where days start takes time: do it once for all products. */
export type RangeDays = {
  readonly days: readonly CalendarDay[]
  /** When each day starts, and when the last one ends, in milliseconds. */
  readonly starts: readonly number[]
}

export function daysIn({ from, to }: DayRange, timeZone: string): RangeDays {
  const days = Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => addDays(from, index))
  return { days, starts: [...days, addDays(to, 1)].map((day) => startOfDay(timeZone, day).getTime()) }
}

/**
 * The most seats that were in use at the same time, for each day of the range. What runs over midnight counts on both
 * days. A seat that is given back at an instant is free for the next user at the same instant.
 */
export function peakPerDay(uses: readonly SeatUse[], { days, starts }: RangeDays): number[] {
  const intervals = mergeUses(uses)
  const begins = Float64Array.from(intervals, ([from]) => from).sort()
  // A use takes at least the instant of its start.
  const ends = Float64Array.from(intervals, ([from, to]) => Math.max(to, from + 1)).sort()
  let begun = 0
  let ended = 0
  const endUntil = (instant: number) => {
    while (ended < ends.length && ends[ended]! <= instant) ended++
  }
  return days.map((_, index) => {
    const [start = 0, end = 0] = starts.slice(index, index + 2)
    while (begun < begins.length && begins[begun]! <= start) begun++
    endUntil(start)
    let peak = begun - ended
    while (begun < begins.length && begins[begun]! < end) {
      endUntil(begins[begun++]!)
      peak = Math.max(peak, begun - ended)
    }
    return peak
  })
}

type Interval = readonly [from: number, to: number]

/** Overlapping uses of one seat as one. */
function mergeUses(uses: readonly SeatUse[]): Interval[] {
  const intervals: Interval[] = []
  const bySeat = new Map<string, Interval[]>()
  for (const { seat, from, to } of uses) {
    const interval: Interval = [from.getTime(), to.getTime()]
    const own = seat === undefined ? intervals : bySeat.get(seat)
    if (own) own.push(interval)
    else if (seat !== undefined) bySeat.set(seat, [interval])
  }
  for (const own of bySeat.values()) {
    own.sort(([one], [other]) => one - other)
    let [current] = own
    for (const next of own.slice(1)) {
      if (!current) break
      if (next[0] <= current[1]) current = [current[0], Math.max(current[1], next[1])]
      else {
        intervals.push(current)
        current = next
      }
    }
    if (current) intervals.push(current)
  }
  return intervals
}

/** How many seats the account has on each day of the range. */
export function seatsPerDay(
  entitlements: readonly { readonly term: Term; readonly quantity: number }[],
  { days }: RangeDays,
): number[] {
  return days.map((day) =>
    entitlements
      .filter(({ term }) => term.startDate <= day && (term.endDate === null || day <= term.endDate))
      .reduce((sum, { quantity }) => sum + quantity, 0),
  )
}
