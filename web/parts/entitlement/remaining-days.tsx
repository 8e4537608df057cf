import type { ReactNode } from 'react'
import type { LeaseRow } from '#contract/entitlements/lease-row.ts'
import { EXPIRED, NOT_STARTED, PERMANENT } from '#domain/entitlements/term.ts'
import { countText } from '#web/lib/format.ts'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import classes from './entitlement.module.css'

type Remaining = Pick<LeaseRow, 'remainingdays' | 'remainingdayscolor' | 'usedDaysPercentage'>
type Options = {
  isStacked?: boolean | undefined
  /** Whether the maintenance of a permanent license has ended. */
  isMaintenanceOver?: boolean
}

/** A number or the word for why there is none, and how much of the term is over. What is permanent has a full bar. */
export function remainingDays(row: Remaining, { isStacked, isMaintenanceOver }: Options = {}): ReactNode {
  const { remainingdays } = row
  if (remainingdays === NOT_STARTED)
    return isStacked ? <span className={classes.words}>{daysText(row)}</span> : daysText(row)
  return (
    <ProgressBar
      // On the last day nothing is left after today, however short the term.
      percent={remainingdays === 1 ? 100 : row.usedDaysPercentage}
      color={remainingdays === EXPIRED || isMaintenanceOver ? 'muted' : row.remainingdayscolor}
      // The word leaves no room for a bar next to it.
      isStacked={isStacked || remainingdays === PERMANENT || undefined}
    >
      {daysText(row)}
    </ProgressBar>
  )
}

/** The remaining days in words, bar included. */
export function remainingText(row: Remaining): string {
  const { remainingdays } = row
  if (typeof remainingdays !== 'number') return remainingdays
  return `${daysText(row)} ${remainingdays === 1 ? 'day' : 'days'} left (${row.usedDaysPercentage} % elapsed)`
}

function daysText({ remainingdays }: Remaining): string {
  return typeof remainingdays === 'number' ? countText(remainingdays) : remainingdays
}
