import type { Action } from '#web/lib/action.ts'
import { WAIT_FOR_SEAT } from '#web/parts/waiting/wait-for-seat.tsx'

export const licenseUseActions = [
  {
    label: 'Wait for a seat of a license server',
    words: 'queue line free seat license denied checkout wait',
    screen: 'license-use',
    right: WAIT_FOR_SEAT.right,
    asks: WAIT_FOR_SEAT.opens({}),
  },
] as const satisfies readonly Action[]
