import type { ActivationRow } from '#domain/activations/seats/activation-row.ts'
import { isMaintenanceExpired } from '#domain/activations/seats/expired-maintenance.ts'
import { type CalendarDay, isCalendarDay } from '#domain/calendar/calendar-day.ts'
import { daysLeft, NOT_STARTED } from '#domain/entitlements/term.ts'

/** An entitlement that ends within this many days is taken only where no other will do. */
const ENDING_DAYS = 7

/** In which order entitlements are taken. Within each, the latest end comes first; a permanent license never ends. */
const TURNS = ['latest end', 'not started', 'ends soon', 'maintenance expired'] as const
export type Turn = (typeof TURNS)[number]

type Choosable = Pick<
  ActivationRow,
  'activationid' | 'startdate' | 'enddate' | 'versiondate' | 'isPermanent' | 'remainingdays' | 'ansysavailable'
>

/** How many seats are taken of an entitlement, none included, and why in its turn. */
export type SeatChoice<R extends Choosable = Choosable> = {
  readonly row: R
  readonly seats: number
  readonly turn: Turn
}

/** Chooses among the entitlements of a product. With too few seats it takes all of them. */
export function chooseSeats<R extends Choosable>(
  rows: readonly R[],
  wanted: number,
  today: CalendarDay,
): SeatChoice<R>[] {
  let missing = wanted
  return rows
    .map((row) => ({ row, turn: turnOf(row, today) }))
    .sort(
      (one, other) =>
        TURNS.indexOf(one.turn) - TURNS.indexOf(other.turn) ||
        compare(endOf(other.row), endOf(one.row)) ||
        compare(one.row.activationid, other.row.activationid),
    )
    .map(({ row, turn }) => {
      const seats = Math.min(missing, row.ansysavailable)
      missing -= seats
      return { row, seats, turn }
    })
}

/** What cannot be used today, or not for long, comes after what can. */
function turnOf(row: Choosable, today: CalendarDay): Turn {
  if (isMaintenanceExpired(row, today)) return 'maintenance expired'
  if (isCalendarDay(row.enddate) && daysLeft(row.enddate, today) <= ENDING_DAYS) return 'ends soon'
  return row.remainingdays === NOT_STARTED ? 'not started' : 'latest end'
}

const NEVER = '9999-12-31'
const endOf = ({ enddate }: Choosable): CalendarDay => (isCalendarDay(enddate) ? enddate : NEVER)
const compare = (one: string, other: string) => Number(one > other) - Number(one < other)
