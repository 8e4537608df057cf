import type { LeaseRow } from '#contract/entitlements/lease-row.ts'
import { EXPIRED, NOT_STARTED } from '#domain/entitlements/term.ts'
import { countText } from '#web/lib/format.ts'

/** What can be done with seats of which none is activated: outside of the term, nothing. */
export function unusedSeatsText({ ansyscount, remainingdays }: Pick<LeaseRow, 'ansyscount' | 'remainingdays'>): string {
  const isOne = ansyscount === 1
  const none = isOne ? 'The only seat is not activated' : `None of the ${countText(ansyscount)} seats is activated`
  const cannot = isOne ? 'it cannot be' : 'none can be'
  if (remainingdays === EXPIRED) return `${none}. The entitlement has expired, so ${cannot}.`
  if (remainingdays === NOT_STARTED) return `${none}. The entitlement has not started, so ${cannot} yet.`
  return isOne
    ? 'The only seat is free to be activated.'
    : `All ${countText(ansyscount)} seats are free to be activated.`
}
