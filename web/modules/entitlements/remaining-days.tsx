import type { LeaseRow } from '#domain/entitlements/lease-row.ts'
import { countText } from '#web/lib/figures.ts'
import { ProgressBar } from '#web/ui/progress-bars/progress-bar.tsx'

type Props = { row: Pick<LeaseRow, 'remainingdays' | 'remainingdayscolor' | 'usedDaysPercentage'> }

/** A number or the word for why there is none, and how much of the term is over. */
export function RemainingDays({ row: { remainingdays, remainingdayscolor, usedDaysPercentage } }: Props) {
  return (
    <ProgressBar percent={usedDaysPercentage} color={remainingdayscolor}>
      {remainingText(remainingdays)}
    </ProgressBar>
  )
}

export function remainingText(remaining: LeaseRow['remainingdays']): string {
  return typeof remaining === 'number' ? countText(remaining) : remaining
}
