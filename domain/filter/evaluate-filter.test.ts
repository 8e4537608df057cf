import { describe, expect, test } from 'vitest'
import { matches, type Row } from '#domain/filter/evaluate-filter.ts'
import type { Fields } from '#domain/filter/fields.ts'
import { METHODS } from '#domain/filter/filter.ts'
import { parseFilter } from '#domain/filter/parse-filter.ts'

const fields: Fields = {
  product: { type: 'text' },
  cost: { type: 'number' },
  start: { type: 'instant' },
  end: { type: 'instant', missingIsFuture: true },
  expires: { type: 'day' },
  active: { type: 'boolean' },
  services: { type: 'text-list' },
}
const row = {
  product: 'Mechanical 50%_\\Plus MÜNCHEN',
  cost: 12.5,
  start: '2026-03-28T23:30:00.000Z',
  end: null,
  expires: '2026-03-31',
  active: true,
  services: ['Elastic', 'Portal'],
}
type Case = [name: string, method: string, value: unknown, expected: boolean]
type Flags = { not?: boolean; casefold?: boolean; tostring?: boolean }

const passes = (input: unknown, one: Row = row, zone = 'UTC') => matches(parseFilter(fields, input, zone), one)
const check = (name: string, method: string, value: unknown, flags: Flags = {}, one: Row = row, zone = 'UTC') =>
  passes({ condition: 'ALL', criteria: [{ name, method, value, ...flags }] }, one, zone)

const CASES: Case[] = [
  ['product', 'CONTAINS', 'CHANICAL', true],
  ['product', 'CONTAINS', '', true],
  ['product', 'CONTAINS', 'mechanical  50', false],
  ['product', 'CONTAINS', '50%_\\p', true],
  ['product', 'CONTAINS', 'm%l', false],
  ['product', 'CONTAINS', '5_%', false],
  ['product', 'STARTSWITH', 'mech', true],
  ['product', 'STARTSWITH', 'echanical', false],
  ['product', 'ENDSWITH', 'münchen', true],
  ['product', 'ENDSWITH', 'munchen', false],
  ['product', 'EQUALS', 'mechanical 50%_\\plus münchen', true],
  ['product', 'EQUALS', 'mechanical', false],
  ['product', 'EQUALS', null, false],
  ['product', 'ISDEFINED', undefined, true],
  ['product', 'ISDEFINED', true, true],
  ['product', 'ISDEFINED', false, false],
  ['end', 'ISDEFINED', undefined, false],
  ['end', 'ISDEFINED', false, true],
  ['end', 'EQUALS', null, true],
  ['cost', 'EQUALS', 12.5, true],
  ['cost', 'EQUALS', '12.500', true],
  ['cost', 'EQUALS', '+0001.25e1', true],
  ['cost', 'EQUALS', '12.50000000000000000000000000000000000001', false],
  ['cost', '>', 12.5, false],
  ['cost', '>', 12.49, true],
  ['cost', '<', 12.5, false],
  ['cost', '<', '12.5000000000000000001', true],
  ['cost', '>=', 12.5, true],
  ['cost', '>=', 13, false],
  ['cost', '<=', 12.5, true],
  ['cost', '<=', -12.5, false],
  ['cost', 'INRANGE', [12.5, 20], true],
  ['cost', 'INRANGE', [0, 12.5], true],
  ['cost', 'INRANGE', [13, 20], false],
  ['cost', 'INRANGE', [20, 0], false],
  ['cost', 'RANGE', [12.5, 12.5], true],
  ['cost', 'RANGE', [null, 12], false],
  ['cost', 'RANGE', [12, null], true],
  ['cost', 'RANGE', [null, null], true],
  ['start', 'EQUALS', '2026-03-28T23:30:00Z', true],
  ['start', 'EQUALS', '2026-03-29T01:30+02:00', true],
  ['start', 'EQUALS', '2026-03-28T23:30:00.001Z', false],
  ['start', 'EQUALS', Date.parse('2026-03-28T23:30:00Z'), true],
  ['start', 'BEFORE', '2026-03-28T23:30:00.000Z', false],
  ['start', 'BEFORE', '2026-03-28T23:30:00.001Z', true],
  ['start', 'AFTER', '2026-03-28T23:30:00.000Z', false],
  ['start', 'AFTER', '2026-03-28T23:29:59.999Z', true],
  ['start', 'AFTER', '2026-03-28', true],
  ['start', '>', '2026-03-28T23:30:00.000Z', false],
  ['start', '>=', '2026-03-28T23:30:00.000Z', true],
  ['start', '<', '2026-03-28T23:30:00.000Z', false],
  ['start', '<=', '2026-03-28T23:30:00.000Z', true],
  ['start', 'DATERANGE', ['2026-03-28T23:30:00.000Z', '2026-03-29T00:00:00Z'], true],
  ['start', 'DATERANGE', ['2026-03-01T00:00:00Z', '2026-03-28T23:30:00.000Z'], true],
  ['start', 'DATERANGE', ['2026-03-28T23:30:00.001Z', null], false],
  ['start', 'BEFOREDAY', '2026-03-29', true],
  ['start', 'BEFOREDAY', '2026-03-28', false],
  ['start', 'AFTERDAY', '2026-03-27', true],
  ['start', 'AFTERDAY', '2026-03-28', false],
  ['start', 'DAYRANGE', ['2026-03-28', '2026-03-28'], true],
  ['start', 'DAYRANGE', ['2026-03-29', null], false],
  ['expires', 'EQUALS', '2026-03-31', true],
  ['expires', 'EQUALS', '2026-03-31T00:00:00.000Z', true],
  ['expires', 'BEFORE', '2026-03-31', false],
  ['expires', 'BEFOREDAY', '2026-04-01', true],
  ['expires', 'AFTER', '2026-03-30', true],
  ['expires', 'AFTERDAY', '2026-03-31', false],
  ['expires', '>', '2026-03-31', false],
  ['expires', '<=', '2026-03-31', true],
  ['expires', 'DATERANGE', ['2026-03-31', '2026-04-02'], true],
  ['expires', 'DAYRANGE', ['2026-03-01', '2026-03-31'], true],
  ['expires', 'DAYRANGE', ['2026-03-01', '2026-03-30'], false],
  ['active', 'EQUALS', true, true],
  ['active', 'EQUALS', false, false],
  ['services', 'ARRAY_CONTAINS', 'Portal', true],
  ['services', 'ARRAY_CONTAINS', 'portal', false],
  ['services', 'ARRAY_CONTAINS', 'Elastic,Portal', false],
  ['services', 'ISDEFINED', undefined, true],
]

describe('every method on a present value', () => {
  test.each(CASES)('the check %s %s %j is %s', (name, method, value, expected) => {
    expect(check(name, method, value)).toBe(expected)
    expect(check(name, method, value, { not: true })).toBe(!expected)
  })

  test('the table covers every method', () => {
    expect([...new Set(CASES.map(([, method]) => method))].sort()).toEqual([...METHODS].sort())
  })
})

test('a missing value passes no check, and passes every negated one', () => {
  const ofValue = CASES.filter(([name, method, value]) => name !== 'end' && method !== 'ISDEFINED' && value !== null)
  for (const [name, method, value] of ofValue) {
    expect(check(name, method, value, {}, {}), `${name} ${method}`).toBe(false)
    expect(check(name, method, value, { not: true }, {}), `${name} not ${method}`).toBe(true)
  }
})

test.each([
  ['AFTER', '2026-01-01T00:00:00Z', true],
  ['AFTERDAY', '2026-01-01', true],
  ['>', '2026-01-01T00:00:00Z', true],
  ['>=', '2026-01-01T00:00:00Z', true],
  ['DATERANGE', ['2026-01-01T00:00:00Z', null], true],
  ['DATERANGE', ['2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'], false],
  ['BEFORE', '2027-01-01T00:00:00Z', false],
  ['BEFOREDAY', '2027-01-01', false],
  ['EQUALS', '2027-01-01T00:00:00Z', false],
])('the missing end of a running session counts as the future: %s %j is %s', (method, value, expected) => {
  expect(check('end', method, value)).toBe(expected)
  expect(check('end', method, value, { not: true })).toBe(!expected)
})

test.each([
  ['EQUALS', 'Mechanical 50%_\\Plus MÜNCHEN', true],
  ['EQUALS', 'mechanical 50%_\\Plus MÜNCHEN', false],
  ['CONTAINS', 'münchen', false],
  ['STARTSWITH', 'Mech', true],
  ['ENDSWITH', 'MüNCHEN', false],
])('with casefold off, case counts: %s %s is %s', (method, value, expected) => {
  expect(check('product', method, value, { casefold: false })).toBe(expected)
})

test.each([
  ['cost', 'EQUALS', '12.5', true],
  ['cost', 'EQUALS', '12.50', false],
  ['cost', 'ENDSWITH', '.5', true],
  ['start', 'STARTSWITH', '2026-03-28t23', true],
  ['start', 'EQUALS', '2026-03-28T23:30:00.000Z', true],
  ['expires', 'CONTAINS', '-03-', true],
  ['active', 'EQUALS', 'TRUE', true],
  ['active', 'STARTSWITH', 'f', false],
  ['product', 'CONTAINS', 'plus', true],
  ['services', 'ARRAY_CONTAINS', 'Portal', true],
])('tostring compares %s as its text: %s %s is %s', (name, method, value, expected) => {
  expect(check(name, method, value, { tostring: true })).toBe(expected)
})

test.each([
  [0.1, '0.1'],
  [1e-7, '0.0000001'],
  [1e21, '1000000000000000000000'],
  ['1.50', '1.5'],
  [-0.5, '-0.5'],
  [100, '100'],
])('the text of the number %s is %s', (cost, text) => {
  expect(check('cost', 'EQUALS', text, { tostring: true }, { cost })).toBe(true)
})

test('compares days of an instant in the requested time zone', () => {
  const onThe29th = (zone: string) => check('start', 'DAYRANGE', ['2026-03-29', '2026-03-29'], {}, row, zone)
  expect(onThe29th('UTC')).toBe(false)
  expect(onThe29th('Europe/Berlin')).toBe(true)
  expect(check('start', 'AFTERDAY', '2026-03-27', {}, row, 'America/New_York')).toBe(true)
  expect(check('expires', 'EQUALS', '2026-03-31', {}, row, 'Pacific/Apia')).toBe(true)
})

describe('ALL and ANY', () => {
  const yes = { name: 'active', method: 'EQUALS', value: true }
  const no = { name: 'active', method: 'EQUALS', value: false }
  test.each([
    ['ALL', [yes, yes], true],
    ['ALL', [yes, no], false],
    ['ANY', [no, yes], true],
    ['ANY', [no, no], false],
    ['ALL', [], true],
    ['ANY', [], true],
    ['ANY', [no, { condition: 'ALL', criteria: [] }], true],
    ['ALL', [yes, { condition: 'ANY', criteria: [no, { condition: 'ALL', criteria: [yes, yes] }] }], true],
  ])('%s of %j is %s', (condition, criteria, expected) => {
    expect(passes({ condition, criteria })).toBe(expected)
  })
})
