import type { LeaseRow } from '#contract/entitlements/lease-row.ts'
import { EXPIRED, NOT_STARTED } from '#domain/entitlements/term.ts'
import { countText } from '#web/lib/format.ts'

/** What can be done with seats of which none is activated. They can be activated before the start date too. */
export function unusedSeatsText({ ansyscount, remainingdays }: Pick<LeaseRow, 'ansyscount' | 'remainingdays'>): string {
  const isOne = ansyscount === 1
  if (remainingdays === EXPIRED) {
    const none = isOne ? 'The only seat is not activated' : `None of the ${countText(ansyscount)} seats is activated`
    return `${none}. The entitlement has expired, so ${isOne ? 'it' : 'they'} can no longer be activated.`
  }
  const free = isOne ? 'The only seat can be activated.' : `All ${countText(ansyscount)} seats can be activated.`
  if (remainingdays !== NOT_STARTED) return free
  return `${free} ${isOne ? 'Its license works' : 'Their licenses work'} from the start date on.`
}
