import { describe, expect, test } from 'vitest'
import {
  type AlertChoice,
  alertDemands,
  DAY_FORM,
  dayError,
  filtersOfChoice,
  readAlertChoice,
} from '#web/modules/messages/alert-choice.ts'

const EVERYTHING: AlertChoice = {
  least: 'OK',
  most: 'CRITICAL',
  status: undefined,
  service: undefined,
  from: undefined,
  to: undefined,
}
const NOW = new Date('2026-03-01T12:00:00Z')

test('a choice that lets everything through is no filter, and asks for nothing', () => {
  expect(filtersOfChoice(EVERYTHING)).toEqual({})
  expect(readAlertChoice({})).toEqual(EVERYTHING)
  expect(alertDemands(EVERYTHING, NOW)).toEqual([])
})

test.each<Partial<AlertChoice>>([
  { least: 'WARNING' },
  { most: 'INFO' },
  { least: 'INFO', most: 'WARNING' },
  { least: 'CRITICAL', most: 'CRITICAL' },
  { status: 'Not expired' },
  { service: 'Elastic Licensing' },
  { from: '2026-02-01' },
  { to: '2026-02-28' },
  { least: 'WARNING', status: 'Resolved', service: 'E-mail', from: '2026-02-01', to: '2026-02-28' },
])('a choice comes back from the filters of the table as it was: %j', (part) => {
  const choice = { ...EVERYTHING, ...part }
  expect(readAlertChoice(filtersOfChoice(choice))).toEqual(choice)
})

describe('what a choice asks of an alert', () => {
  test('a range of categories includes both ends', () => {
    expect(alertDemands({ ...EVERYTHING, least: 'INFO', most: 'WARNING' }, NOW)).toEqual([
      { name: 'severity', method: 'INRANGE', value: [1, 2] },
    ])
  })

  test('a service is one of those that the alert names', () => {
    expect(alertDemands({ ...EVERYTHING, service: 'E-mail' }, NOW)).toEqual([
      { name: 'service', method: 'ARRAY_CONTAINS', value: 'E-mail' },
    ])
  })

  test('days begin and end with the days of the reader', () => {
    expect(alertDemands({ ...EVERYTHING, from: '2026-02-01', to: '2026-02-02' }, NOW)).toEqual([
      { name: 'date', method: '>=', value: new Date(2026, 1, 1).toISOString() },
      { name: 'date', method: '<=', value: new Date(2026, 1, 2, 23, 59, 59, 999).toISOString() },
    ])
  })
})

test.each([
  ['', undefined],
  ['2026-02-28', undefined],
  ['2026-02-30', DAY_FORM],
  ['2026-2-3', DAY_FORM],
  ['28.02.2026', DAY_FORM],
  ['today', DAY_FORM],
])('a typed day %j is told: %s', (typed, error) => {
  expect(dayError(typed)).toBe(error)
})
