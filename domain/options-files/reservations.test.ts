import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '#domain/calendar/calendar-day.ts'
import {
  ALL_WEEKDAYS,
  firstCommonDay,
  isReservedOn,
  mostReserved,
  optionsFileOfDay,
  type Reservation,
  reservationProblem,
} from '#domain/options-files/reservations.ts'

const NIGHTS: Reservation = {
  feature: 'solver',
  group: 'crash',
  seats: 3,
  from: '2026-11-16',
  to: '2026-11-29',
  weekdays: [1, 3],
}

test.each<[day: string, isReserved: boolean]>([
  ['2026-11-15', false],
  ['2026-11-16', true],
  ['2026-11-17', false],
  ['2026-11-18', true],
  ['2026-11-25', true],
  ['2026-11-29', false],
  ['2026-11-30', false],
])('a reservation on Mondays and Wednesdays counts on %s: %s', (day, isReserved) => {
  expect(isReservedOn(NIGHTS, day)).toBe(isReserved)
})

test('the file of a day is the saved file and the reservations of that day', () => {
  const text = 'GROUP crash ann'
  expect(optionsFileOfDay(text, [NIGHTS], '2026-11-17')).toBe('GROUP crash ann\n')
  expect(optionsFileOfDay(text, [NIGHTS, { ...NIGHTS, group: 'night shift', seats: 1 }], '2026-11-18')).toBe(
    'GROUP crash ann\n# Reservations of the portal. Change them in its calendar, not here.\nRESERVE 3 solver GROUP crash\nRESERVE 1 solver GROUP "night shift"\n',
  )
})

const facts = { others: [], seats: 5, reservedInFile: 0, groups: ['crash', 'cfd'], today: '2026-11-19' }
describe('a reservation', () => {
  test.each<
    [
      what: string,
      wanted: Partial<Reservation>,
      more: Partial<Parameters<typeof reservationProblem>[1]>,
      problem: string | undefined,
    ]
  >([
    ['is made', {}, {}, undefined],
    ['takes all seats', { seats: 5 }, {}, undefined],
    ['is refused if it begins after its end', { from: '2026-12-01' }, {}, '"From" must be before "To".'],
    ['is refused if it is over', { to: '2026-11-18' }, {}, 'These days are over.'],
    ['is refused if it lasts more than a year', { to: '2027-11-17' }, {}, 'A reservation can last at most 366 days.'],
    [
      'is refused without a day',
      { from: '2026-11-17', to: '2026-11-17' },
      { today: '2026-11-17' },
      'None of the chosen weekdays is between these days.',
    ],
    ['is refused for an unknown group', { group: 'CFD' }, {}, 'The saved options file has no group CFD.'],
    [
      'is refused if nobody knows the seats',
      {},
      { seats: null },
      'The seats of solver are not known, so none can be reserved.',
    ],
    ['is refused beyond the seats', { seats: 6 }, {}, 'On 2026-11-16, 6 of 5 seats of solver would be reserved.'],
    [
      'counts RESERVE lines',
      {},
      { reservedInFile: 3 },
      'On 2026-11-16, 6 of 5 seats of solver would be reserved, 3 of them by RESERVE lines of the file.',
    ],
    [
      'is refused on a day on which the group has one already',
      {},
      { others: [{ ...NIGHTS, from: '2026-11-25', to: '2026-11-25', seats: 1 }] },
      'Group crash has a reservation of solver on 2026-11-25 already. Change that one.',
    ],
    ['is made beside one on other weekdays', {}, { others: [{ ...NIGHTS, weekdays: [2] }] }, undefined],
    ['is made beside one of another feature', {}, { others: [{ ...NIGHTS, feature: 'mesh' }] }, undefined],
    [
      'is refused if another group has the seats',
      {},
      { others: [{ ...NIGHTS, group: 'cfd', from: '2026-11-23' }] },
      'On 2026-11-23, 6 of 5 seats of solver would be reserved.',
    ],
  ])('%s', (_, wanted, more, problem) => {
    expect(reservationProblem({ ...NIGHTS, ...wanted }, { ...facts, ...more })).toBe(problem)
  })
})

const reservation = fc
  .record({
    from: fc.integer({ min: 0, max: 30 }),
    length: fc.integer({ min: 0, max: 30 }),
    seats: fc.integer({ min: 1, max: 5 }),
    weekdays: fc.subarray([...ALL_WEEKDAYS], { minLength: 1 }),
  })
  .map(({ from, length, seats, weekdays }): Reservation => {
    const first = addDays('2026-11-01', from)
    return { feature: 'solver', group: 'g', seats, from: first, to: addDays(first, length), weekdays }
  })
const DAYS = Array.from({ length: 70 }, (_, index) => addDays('2026-11-01', index))

test('sums and overlaps equal a count of every day', () => {
  fc.assert(
    fc.property(fc.array(reservation, { maxLength: 8 }), reservation, (all, one) => {
      const sumOn = (day: string) => all.reduce((sum, each) => sum + (isReservedOn(each, day) ? each.seats : 0), 0)
      expect(mostReserved(all, 'SOLVER', '2026-11-10')?.seats ?? 0).toBe(
        Math.max(...DAYS.filter((day) => day >= '2026-11-10').map(sumOn)),
      )
      for (const other of all)
        expect(firstCommonDay(one, other)).toBe(DAYS.find((day) => isReservedOn(one, day) && isReservedOn(other, day)))
    }),
    { numRuns: 500 },
  )
})
