import { expect, test } from 'vitest'
import type { Remaining } from '#domain/entitlements/term.ts'
import { unusedSeatsText } from '#web/modules/entitlements/unused-seats.ts'

test.each<[remaining: Remaining, seats: number, text: string]>([
  [12, 1200, 'All 1,200 seats can be activated.'],
  [12, 1, 'The only seat can be activated.'],
  ['PERMANENT', 2, 'All 2 seats can be activated.'],
  ['EXPIRED', 2, 'None of the 2 seats is activated. The entitlement has expired, so they can no longer be activated.'],
  ['EXPIRED', 1, 'The only seat is not activated. The entitlement has expired, so it can no longer be activated.'],
  ['NOT STARTED', 2, 'All 2 seats can be activated. Their licenses work from the start date on.'],
  ['NOT STARTED', 1, 'The only seat can be activated. Its license works from the start date on.'],
])('with %s remaining, %i seats are described as %j', (remainingdays, ansyscount, text) => {
  expect(unusedSeatsText({ ansyscount, remainingdays })).toBe(text)
})
