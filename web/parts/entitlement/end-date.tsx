import type { ReactNode } from 'react'
import type { LeaseRow } from '#contract/entitlements/lease-row.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { MAINTENANCE_ENDS_ON } from '#domain/entitlements/term.ts'
import { dateFigures } from '#web/ui/figures.tsx'
import classes from './entitlement.module.css'

type Term = Pick<LeaseRow, 'enddate' | 'versiondate'>

/** Only permanent licenses have separate maintenance. */
export const isMaintenanceOver = ({ enddate, versiondate }: Term, today: CalendarDay): boolean =>
  enddate.startsWith(MAINTENANCE_ENDS_ON) && versiondate !== null && versiondate < today

/** A permanent license has no end date, but its maintenance does. */
export function endDate({ enddate, versiondate }: Term, today: CalendarDay): ReactNode {
  if (!enddate.startsWith(MAINTENANCE_ENDS_ON)) return dateFigures(enddate)
  const hasEnded = isMaintenanceOver({ enddate, versiondate }, today)
  return (
    <span className={classes.maintenance}>
      <span>{MAINTENANCE_ENDS_ON} </span>
      <span>
        {versiondate && dateFigures(versiondate)} {hasEnded && <span className={classes.ended}>ended</span>}
      </span>
    </span>
  )
}
