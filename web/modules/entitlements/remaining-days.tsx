import type { LeaseRow } from '#domain/entitlements/lease-row.ts'
import { countText } from '#web/lib/figures.ts'
import { ProgressBar } from '#web/ui/progress-bars/progress-bar.tsx'

type Remaining = Pick<LeaseRow, 'remainingdays' | 'remainingdayscolor' | 'usedDaysPercentage'>

/** A number or the word for why there is none, and how much of the term is over. */
export function RemainingDays({ row }: { row: Remaining }) {
  return (
    <ProgressBar percent={row.usedDaysPercentage} color={row.remainingdayscolor}>
      {daysText(row)}
    </ProgressBar>
  )
}

/** The same in words, bar included. */
export function remainingText(row: Remaining): string {
  return typeof row.remainingdays === 'number' ? `${daysText(row)} (${row.usedDaysPercentage} % over)` : daysText(row)
}

function daysText({ remainingdays }: Remaining): string {
  return typeof remainingdays === 'number' ? countText(remainingdays) : remainingdays
}
