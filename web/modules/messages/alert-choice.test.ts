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
  categories: [],
  status: undefined,
  service: undefined,
  from: undefined,
  to: undefined,
}
const NOW = new Date('2026-03-01T12:00:00Z')

test('a choice that lets everything through is no filter', () => {
  expect(filtersOfChoice(EVERYTHING)).toEqual({})
  expect(readAlertChoice({})).toEqual(EVERYTHING)
  expect(alertDemands(EVERYTHING, NOW)).toEqual([])
})

test.each<Partial<AlertChoice>>([
  { categories: ['WARNING'] },
  { categories: ['OK', 'CRITICAL'] },
  { status: 'Not expired' },
  { service: 'Elastic Licensing' },
  { from: '2026-02-01' },
  { to: '2026-02-28' },
  { categories: ['WARNING', 'CRITICAL'], status: 'Resolved', service: 'Email', from: '2026-02-01', to: '2026-02-28' },
])('table filters keep the choice %j', (part) => {
  const choice = { ...EVERYTHING, ...part }
  expect(readAlertChoice(filtersOfChoice(choice))).toEqual(choice)
})

describe('criteria of a choice', () => {
  test('ticked categories are alternatives', () => {
    expect(alertDemands({ ...EVERYTHING, categories: ['OK', 'CRITICAL'] }, NOW)).toEqual([
      {
        condition: 'ANY',
        criteria: [
          { name: 'category', method: 'EQUALS', value: 'OK' },
          { name: 'category', method: 'EQUALS', value: 'CRITICAL' },
        ],
      },
    ])
  })

  test('all categories ticked is no filter', () => {
    expect(alertDemands({ ...EVERYTHING, categories: ['OK', 'INFO', 'WARNING', 'CRITICAL'] }, NOW)).toEqual([])
  })

  test('a service matches one of the services of the alert', () => {
    expect(alertDemands({ ...EVERYTHING, service: 'Email' }, NOW)).toEqual([
      { name: 'service', method: 'ARRAY_CONTAINS', value: 'Email' },
    ])
  })

  test('days are days in the time zone of the reader', () => {
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
])('a typed day %j has the error %s', (typed, error) => {
  expect(dayError(typed)).toBe(error)
})
