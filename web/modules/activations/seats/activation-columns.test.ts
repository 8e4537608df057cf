import { expect, test } from 'vitest'
import type { ActivationRow } from '#domain/activations/seats/activation-row.ts'
import { ACTIVATION_FIELDS, toTableRow } from '#web/modules/activations/seats/activation-columns.tsx'
import { answerFromLoaded } from '#web/table/list/loaded-rows.ts'

const TODAY = '2026-11-15'
const rows = (
  [
    ['2026-12-31', 47],
    ['Maintenance ends on 2027-03-31', 'PERMANENT'],
    ['2028-01-31', 'NOT STARTED'],
    ['2027-01-31', 78],
  ] as const
).map(([enddate, remainingdays]) => toTableRow(TODAY)({ enddate, remainingdays } as ActivationRow))

test.each([
  ['asc', [47, 78, 'NOT STARTED', 'PERMANENT']],
  ['desc', ['PERMANENT', 'NOT STARTED', 78, 47]],
] as const)(
  'remaining days are sorted by the end, and permanent licenses have the latest one (%s)',
  (direction, order) => {
    const sorted = answerFromLoaded(rows, ACTIVATION_FIELDS, { condition: 'ALL', criteria: [] }, [
      { name: 'daysLeft', direction },
    ])
    expect(sorted.map(({ remainingdays }) => remainingdays)).toEqual(order)
  },
)
