import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'

/** A range that a person chooses in a calendar. */
export type RangeChoice = { readonly from?: CalendarDay; readonly to?: CalendarDay }

/** The first click starts a range, the second ends it. Before the start, or in a finished range, a new range starts. */
export function chooseDay(choice: RangeChoice, day: CalendarDay): RangeChoice {
  const isSecond = choice.from !== undefined && choice.to === undefined
  return isSecond && day >= choice.from ? { from: choice.from, to: day } : { from: day }
}

/** Undefined until both days are chosen. */
export function chosenRange(choice: RangeChoice): DayRange | undefined {
  return choice.from !== undefined && choice.to !== undefined ? { from: choice.from, to: choice.to } : undefined
}
