import { addDays, type CalendarDay, daysBetween } from '#domain/calendar/calendar-day.ts'
import { formatOptionsStatement } from '#domain/options-files/options-document.ts'

/** Seats of a feature that a user group has on some days, both ends included. */
export type Reservation = {
  readonly feature: string
  readonly group: string
  readonly seats: number
  readonly from: CalendarDay
  readonly to: CalendarDay
  /** 1 is Monday. */
  readonly weekdays: readonly number[]
}

export const ALL_WEEKDAYS: readonly number[] = [1, 2, 3, 4, 5, 6, 7]
export const MAX_RESERVATIONS = 500
/** From the first to the last day. */
const MAX_RESERVED_DAYS = 366

/** 1970-01-01 was a Thursday. */
const weekdayOf = (day: CalendarDay): number => ((((daysBetween('1970-01-01', day) + 3) % 7) + 7) % 7) + 1

export const isReservedOn = ({ from, to, weekdays }: Reservation, day: CalendarDay): boolean =>
  from <= day && day <= to && weekdays.includes(weekdayOf(day))

/** The first day on which both reserve something; undefined if there is none. */
export function firstCommonDay(one: Reservation, other: Reservation): CalendarDay | undefined {
  const [from = one.from] = [one.from, other.from].sort().reverse()
  const [to = one.to] = [one.to, other.to].sort()
  // Weekdays repeat after a week.
  for (let day = from, tried = 0; day <= to && tried < 7; day = addDays(day, 1), tried += 1)
    if (isReservedOn(one, day) && isReservedOn(other, day)) return day
  return undefined
}

export const isSameFeature = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** The most seats of a feature that are reserved on a day from `from` on, and the first such day. */
export function mostReserved(
  reservations: readonly Reservation[],
  feature: string,
  from: CalendarDay,
): { readonly seats: number; readonly day: CalendarDay } | undefined {
  const own = reservations.filter((one) => isSameFeature(one.feature, feature) && one.to >= from)
  let most: { seats: number; day: CalendarDay } | undefined
  // Sums grow only on a day on which something begins, or within the week after it.
  const starts = new Set(own.map((one) => (one.from > from ? one.from : from)))
  for (const start of [...starts].sort())
    for (let ahead = 0; ahead < 7; ahead += 1) {
      const day = addDays(start, ahead)
      const seats = own.reduce((sum, one) => sum + (isReservedOn(one, day) ? one.seats : 0), 0)
      if (seats > (most?.seats ?? 0)) most = { seats, day }
    }
  return most
}

const MARK = '# Reservations of the portal. Change them in its calendar, not here.'

/** The options file of a day: the saved file and the reservations of that day. */
export function optionsFileOfDay(text: string, reservations: readonly Reservation[], day: CalendarDay): string {
  const saved = text === '' || text.endsWith('\n') ? text : `${text}\n`
  const lines = reservations
    .filter((one) => isReservedOn(one, day))
    .map(({ seats, feature, group }) =>
      formatOptionsStatement({
        kind: 'rule',
        rule: 'RESERVE',
        count: seats,
        feature,
        selector: null,
        type: 'GROUP',
        name: group,
        surplus: [],
      }),
    )
  return lines.length === 0 ? saved : `${saved}${[MARK, ...lines].join('\n')}\n`
}

/** The first problem of a reservation with the others of its feature; undefined if it can be made. */
export function reservationProblem(
  wanted: Reservation,
  {
    others,
    seats,
    reservedInFile,
    groups,
    today,
  }: {
    readonly others: readonly Reservation[]
    /** Of the feature; null: its seats are not counted, or not known. */
    readonly seats: number | null
    /** By RESERVE lines of the saved file. */
    readonly reservedInFile: number
    readonly groups: readonly string[]
    readonly today: CalendarDay
  },
): string | undefined {
  if (wanted.from > wanted.to) return '"From" must be before "To".'
  if (wanted.to < today) return 'These days are over.'
  if (daysBetween(wanted.from, wanted.to) >= MAX_RESERVED_DAYS)
    return `A reservation can last at most ${MAX_RESERVED_DAYS} days.`
  if (firstCommonDay(wanted, wanted) === undefined) return 'None of the chosen weekdays is between these days.'
  if (!groups.includes(wanted.group)) return `The saved options file has no group ${wanted.group}.`
  if (seats === null) return `The seats of ${wanted.feature} are not known, so none can be reserved.`
  const ofFeature = others.filter((one) => isSameFeature(one.feature, wanted.feature))
  for (const other of ofFeature) {
    const day = other.group === wanted.group ? firstCommonDay(wanted, other) : undefined
    if (day) return `Group ${wanted.group} has a reservation of ${wanted.feature} on ${day} already. Change that one.`
  }
  const most = mostReserved([...ofFeature, wanted], wanted.feature, wanted.from)
  if (most && most.seats + reservedInFile > seats)
    return `On ${most.day}, ${most.seats + reservedInFile} of ${seats} seats of ${wanted.feature} would be reserved${reservedInFile ? `, ${reservedInFile} of them by RESERVE lines of the file` : ''}.`
  return undefined
}
