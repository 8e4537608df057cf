import { expect, test } from 'vitest'
import { monthStates } from '#domain/upkeep/month-states.ts'
import { lateArrivals } from '#domain/upkeep/usage-arrival.ts'

const now = new Date('2026-12-18T10:00:00Z')

test.each([
  [
    'this month and the next are there',
    ['2026-11', '2026-12', '2027-01'],
    null,
    ['2027-01 ready', '2026-12 ready', '2026-11 ready'],
  ],
  ['the next month is missing', ['2026-12'], null, ['2027-01 missing', '2026-12 ready']],
  ['no month is there', [], null, ['2027-01 missing', '2026-12 missing']],
  [
    'months before are archived',
    ['2026-12', '2027-01'],
    '2025-01-01',
    ['2027-01 ready', '2026-12 ready', '2024-12 archived'],
  ],
] as const)('lists the months when %s', (_, present, archivedBefore, expected) => {
  expect(monthStates(present, archivedBefore, now).map(({ month, state }) => `${month} ${state}`)).toEqual(expected)
})

test('a server is late if its newest usage arrived between a day and 30 days ago', () => {
  expect(lateArrivals(now)).toEqual({
    from: new Date('2026-11-18T10:00:00Z'),
    to: new Date('2026-12-17T10:00:00Z'),
  })
})
