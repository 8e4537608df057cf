import { expect, it } from 'vitest'
import { endedIn, exportedDays, exportFileName, financeFileName } from '#contract/elastic/usage/usage-exports.ts'
import type { FilterInput } from '#domain/filter/filter.ts'

const range = (from: string, to: string): FilterInput => ({
  condition: 'ALL',
  criteria: [
    { name: 'EndTime_ts', method: 'AFTER', value: from },
    { name: 'StartTime_ts', method: 'BEFORE', value: to },
  ],
})

it.each([
  [range('2026-09-30T22:00:00.000Z', '2026-10-31T22:59:59.999Z'), '2026-10-01_2026-10-31'],
  [range('never', '2026-10-31T22:59:59.999Z'), 'start_2026-10-31'],
  [undefined, 'start_today'],
  [{ ...range('2026-09-30T22:00:00.000Z', '2026-10-31T22:59:59.999Z'), condition: 'ANY' } as const, 'start_today'],
])('names the file after the account and the days %#', (filter, days) => {
  expect(exportFileName('100001', filter, 'Europe/Berlin')).toBe(`usage-transactions_100001_${days}`)
})

const OCTOBER = range('2026-09-30T22:00:00.000Z', '2026-10-31T22:59:59.999Z')
const project = (value: string, method: 'EQUALS' | 'CONTAINS' = 'EQUALS') => ({ name: 'Project', method, value })
const of = (filter: FilterInput, ...more: FilterInput['criteria']): FilterInput => ({
  ...filter,
  criteria: [...filter.criteria, ...more],
})

it.each<[string, FilterInput | undefined, string]>([
  ['a project and its month', of(OCTOBER, project('Wing 42')), 'Wing-42_2026-10'],
  ['a part of the name of a project', of(OCTOBER, project('Wing', 'CONTAINS')), 'Wing_2026-10'],
  ['all projects', OCTOBER, 'all-projects_2026-10'],
  ['several projects', of(OCTOBER, project('a'), project('b')), 'all-projects_2026-10'],
  ['another filter', of(OCTOBER, { name: 'User', method: 'EQUALS', value: 'eve' }), 'all-projects_2026-10'],
  [
    'a quarter',
    of(range('2026-06-30T22:00:00.000Z', '2026-09-30T21:59:59.999Z'), project('Wing 42')),
    'Wing-42_2026-07-01_2026-09-30',
  ],
  [
    'a part of a month',
    of(range('2026-09-30T22:00:00.000Z', '2026-10-30T22:59:59.999Z'), project('Wing 42')),
    'Wing-42_2026-10-01_2026-10-30',
  ],
  ['a name that no file can have', of(OCTOBER, project('../é "x"/..')), 'e-x_2026-10'],
  ['a name with accents', of(OCTOBER, project('Flügel 7')), 'Flugel-7_2026-10'],
  ['a name without letters', of(OCTOBER, project('///')), 'project_2026-10'],
  ['no filter', undefined, 'all-projects_start_today'],
])('a report for finance about %s is named after it', (_, filter, name) => {
  expect(financeFileName('100001', filter, 'Europe/Berlin')).toBe(`usage_100001_${name}`)
})

const october = { from: '2026-10-01', to: '2026-10-31' }
const ended = endedIn(october, 'Europe/Berlin')

it('reads the days of a report about what ended in a period', () => {
  const filter = of({ condition: 'ALL', criteria: [ended] }, project('Wing 42'))
  expect(exportedDays(filter, 'Europe/Berlin')).toEqual({ ...october, isEnded: true, others: [project('Wing 42')] })
  expect(financeFileName('100001', filter, 'Europe/Berlin')).toBe('usage_100001_Wing-42_2026-10')
})

it.each([
  { ...ended, not: true },
  { ...ended, value: ['2026-10-01T00:00:00Z', null] },
  { ...ended, value: [null, '2026-10-01T00:00:00Z'] },
])('keeps a range as a criterion where it is no period %#', (criterion) => {
  expect(exportedDays({ condition: 'ALL', criteria: [criterion] }, 'UTC')).toEqual({ others: [criterion] })
})
