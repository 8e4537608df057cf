import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'

/** A range that is being clicked together in a calendar. */
export type RangeChoice = { readonly from?: CalendarDay; readonly to?: CalendarDay }

/** The first click starts a range, the second ends it; at or before the start, or in a finished range, it starts anew. */
export function chooseDay(choice: RangeChoice, day: CalendarDay): RangeChoice {
  const isSecond = choice.from !== undefined && choice.to === undefined
  return isSecond && day > choice.from ? { from: choice.from, to: day } : { from: day }
}

/** Only a finished range can be taken over. */
export function chosenRange(choice: RangeChoice): DayRange | undefined {
  return choice.from !== undefined && choice.to !== undefined ? { from: choice.from, to: choice.to } : undefined
}
